import CEmulator
import Glibc

/// A second port that speaks TLS 1.2 and 1.3, with a CA made when the emulator starts.
public struct TLSOptions: Sendable, Equatable {
    /// What is wrong with the server's certificate, for clients to notice.
    public enum Flaw: String, Sendable {
        case expired
        case wrongName = "wrong-name"
    }

    /// Gets ca.pem, server.pem, server-key.pem, client.pem and client-key.pem; is created if need be.
    public var folder: String
    /// 0: a free one.
    public var port: UInt16 = 0
    /// Whether to talk to those only who have a certificate of the CA.
    public var requiresClientCertificate = false
    public var flaw: Flaw?

    public init(folder: String) { self.folder = folder }
}

/// A CA, and certificates and keys that it signed, in PEM.
struct TestCertificates: Sendable {
    private static let files = ["ca.pem", "server.pem", "server-key.pem", "client.pem", "client-key.pem"]

    /// In the order of the files.
    private let pems: [String]

    var authority: String { pems[Int(EMU_PEM_CA)] }
    var server: String { pems[Int(EMU_PEM_SERVER)] }
    var serverKey: String { pems[Int(EMU_PEM_SERVER_KEY)] }

    /// nil when OpenSSL cannot make them.
    init?(flaw: TLSOptions.Flaw?) {
        var texts = [UnsafeMutablePointer<CChar>?](repeating: nil, count: Int(EMU_PEM_COUNT))
        let names = flaw == .wrongName ? "DNS:elsewhere.example" : "DNS:localhost,IP:127.0.0.1"
        let isMade = emu_make_certificates(names, flaw == .expired ? -1 : 30, &texts)
        pems = texts.map { taken($0) ?? "" }
        guard isMade else { return nil }
    }

    /// For the user alone to read.
    func write(into folder: String) throws(Emulator.StartFailure) {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw Self.failure(folder) }
        for (name, pem) in zip(Self.files, pems) {
            let path = folder + "/" + name
            let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw Self.failure(path) }
            let bytes = Array(pem.utf8)
            let written = Glibc.write(descriptor, bytes, bytes.count)
            close(descriptor)
            guard written == bytes.count else { throw Self.failure(path) }
        }
    }

    private static func failure(_ path: String) -> Emulator.StartFailure {
        Emulator.StartFailure(reason: "cannot write \(path): \(String(cString: strerror(errno)))")
    }
}
