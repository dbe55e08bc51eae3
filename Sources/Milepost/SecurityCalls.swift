public import CMilepost
import CSystem
import Runtime

@_cdecl("milepost_config_set_allow_http") @implementation
public func milepost_config_set_allow_http(_ config: OpaquePointer?, _ allow: Int32) -> milepost_status {
    set(config) { configuration throws(HostError) in configuration.allowsHTTP = allow != 0 }
}

@_cdecl("milepost_config_set_client_certificate") @implementation
public func milepost_config_set_client_certificate(
    _ config: OpaquePointer?, _ certificate: UnsafePointer<CChar>?, _ key: UnsafePointer<CChar>?
) -> milepost_status {
    set(config) { configuration throws(HostError) in
        let file = try readableFile(certificate, "certificate_path")
        configuration.clientCertificate = ClientCertificate(file: file, keyFile: key == nil ? file : try readableFile(key, "key_path"))
    }
}

/// A path of the host's to a file that can be read now.
func readableFile(_ characters: UnsafePointer<CChar>?, _ name: StaticString) throws(HostError) -> String {
    let path = try text(characters, name)
    let error = path.withCString { mp_file_readable($0) }
    guard error == 0 else { throw HostError(.file, "\(path): " + String(cString: mp_errno_text(error))) }
    return path
}
