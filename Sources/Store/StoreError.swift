/// Why the store could not be opened, or something not be made durable.
public struct StoreError: Error, Equatable, Sendable {
    public enum Kind: Sendable {
        /// Another reporter, in this process or another, uses the same directory.
        case inUse
        /// The directory cannot be made or used.
        case directory
        /// Nothing can be written there.
        case readOnly
        /// The disk, or the size set for the database, is full.
        case full
        /// The database is damaged. Opening the store again sets it aside and begins a fresh one.
        case damaged
        /// A newer version of this library wrote the database.
        case newerVersion
        /// What is to be kept is larger than the limit for it.
        case tooLarge
        /// Reading or writing failed.
        case inputOutput
    }

    public let kind: Kind
    /// What was wrong, naming the file, and what to do.
    public let message: String

    init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}
