import CSystem

/// A value behind a lock: whoever wants it holds the lock meanwhile. A pthread mutex, because `Synchronization.Mutex` makes the thread
/// sanitizer report races that are none and is not in Embedded Swift.
final class Guarded<Value>: @unchecked Sendable {
    private let lock: OpaquePointer
    private var value: Value

    init(_ value: Value) {
        lock = mp_lock_create()
        self.value = value
    }

    deinit { mp_lock_destroy(lock) }

    /// Runs `body` with the lock held: keep it short, and call no host code from it.
    func with<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result {
        mp_lock_acquire(lock)
        defer { mp_lock_release(lock) }
        return try body(&value)
    }

    /// Like ``with(_:)``, and wakes everyone in ``wait(atMost:until:)``.
    func change<Result>(_ body: (inout Value) -> Result) -> Result {
        mp_lock_acquire(lock)
        defer {
            mp_lock_signal_all(lock)
            mp_lock_release(lock)
        }
        return body(&value)
    }

    /// Waits until a change makes `condition` true, at most so many nanoseconds (nil: for ever). False when the time ran out.
    func wait(atMost nanoseconds: Int64?, until condition: (Value) -> Bool) -> Bool {
        let end = nanoseconds.map { mp_clock_boot_ns() &+ $0 }
        mp_lock_acquire(lock)
        defer { mp_lock_release(lock) }
        while !condition(value) {
            let left = end.map { $0 &- mp_clock_boot_ns() }
            if let left, left <= 0 { return false }
            _ = mp_lock_wait(lock, left ?? -1)
        }
        return true
    }
}
