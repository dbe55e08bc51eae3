import CMilepost
import CSystem
import Runtime

// What every function of the C interface is made of: run Swift code that may fail, and translate its error.

/// Runs `body`; a failure is kept for milepost_last_error and becomes a status.
func call(_ body: () throws(HostError) -> Void) -> milepost_status {
    do throws(HostError) {
        try body()
        return milepost_status(MILEPOST_OK)
    } catch {
        var message = oneLine(error.message, limit: 511)
        message.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { mp_last_error_set($0.baseAddress, $0.count) }
        }
        return error.kind.rawValue
    }
}

/// The object behind a handle, which stays the host's.
func object<Object: AnyObject>(_ handle: OpaquePointer?, _ name: StaticString) throws(HostError) -> Object {
    guard let handle else { throw HostError(.argument, "\(name) is NULL") }
    return Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
}

/// Hands an object to the host, who gives it back to ``release(_:as:)``.
func handle(to object: some AnyObject) -> OpaquePointer { OpaquePointer(Unmanaged.passRetained(object).toOpaque()) }

func release<Object: AnyObject>(_ handle: OpaquePointer?, as type: Object.Type) {
    guard let handle else { return }
    Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).release()
}

func pointer<Pointee>(_ pointer: UnsafeMutablePointer<Pointee>?, _ name: StaticString) throws(HostError) -> UnsafeMutablePointer<Pointee> {
    guard let pointer else { throw HostError(.argument, "\(name) is NULL") }
    return pointer
}

/// A string of the host's: not NULL, not empty, UTF-8, at most so many bytes.
func text(_ characters: UnsafePointer<CChar>?, _ name: StaticString, limit: Int = 4096) throws(HostError) -> String {
    guard let characters else { throw HostError(.argument, "\(name) is NULL") }
    var length = 0
    while length <= limit && characters[length] != 0 { length += 1 }
    guard length > 0 else { throw HostError(.argument, "\(name) is empty") }
    guard length <= limit else { throw HostError(.argument, "\(name) is longer than \(limit) bytes") }
    let bytes = UnsafeRawBufferPointer(start: characters, count: length)
    guard let text = String(validating: bytes, as: UTF8.self) else { throw HostError(.argument, "\(name) is not UTF-8") }
    return text
}

/// For a person: without control characters, at most so many bytes, cut between characters.
func oneLine(_ text: String, limit: Int) -> String {
    var bytes = text.utf8.prefix(limit + 1).map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: " ") : $0 }
    if bytes.count > limit {
        // The byte after the cut must begin a character.
        while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
    }
    return String(decoding: bytes, as: UTF8.self)
}

func optionalText(_ characters: UnsafePointer<CChar>?, _ name: StaticString) throws(HostError) -> String? {
    characters == nil ? nil : try text(characters, name)
}

/// Room in the host's memory for a struct that the host's own version of may be shorter than ours; `size` tells how much.
struct Out<Value> {
    private let pointer: UnsafeMutableRawPointer
    private let room: Int

    init(_ pointer: UnsafeMutablePointer<Value>?, _ name: StaticString) throws(HostError) {
        guard let pointer else { throw HostError(.argument, "\(name) is NULL") }
        self.pointer = UnsafeMutableRawPointer(pointer)
        room = min(Int(self.pointer.loadUnaligned(as: UInt32.self)), MemoryLayout<Value>.size)
        guard room >= 8 else { throw HostError(.argument, "\(name)->size is \(room): set it with the _INIT macro") }
    }

    /// Writes as much of the struct as there is room for, its `size` included.
    func write(_ value: inout Value) {
        withUnsafeMutableBytes(of: &value) { source in
            source.storeBytes(of: UInt32(room), as: UInt32.self)
            if let base = source.baseAddress { pointer.copyMemory(from: base, byteCount: room) }
        }
    }
}

/// Reads a struct of the host's, whose own version of it may be longer than ours, or shorter where it has grown since: what is missing is 0.
func read<Value: BitwiseCopyable>(
    _ pointer: UnsafePointer<Value>?, _ name: StaticString, least: Int = MemoryLayout<Value>.size
) throws(HostError) -> Value {
    guard let pointer = UnsafeRawPointer(pointer) else { throw HostError(.argument, "\(name) is NULL") }
    let size = Int(pointer.loadUnaligned(as: UInt32.self))
    guard size >= least else {
        throw HostError(.argument, "\(name)->size is \(size), at least \(least) is needed: set it with the _INIT macro")
    }
    return withUnsafeTemporaryAllocation(byteCount: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment) { whole in
        _ = whole.initializeMemory(as: UInt8.self, repeating: 0)
        whole.copyMemory(from: UnsafeRawBufferPointer(start: pointer, count: min(size, whole.count)))
        return whole.load(as: Value.self)
    }
}

/// A pointer of the host's that is only handed back to the host.
struct HostPointer: @unchecked Sendable {
    let raw: UnsafeMutableRawPointer?
}
