public import CMilepost
import Runtime

@_cdecl("milepost_config_set_compress_requests") @implementation
public func milepost_config_set_compress_requests(_ config: OpaquePointer?, _ compress: Int32) -> milepost_status {
    set(config) { configuration throws(HostError) in configuration.compressesRequests = compress != 0 }
}

@_cdecl("milepost_config_set_partial_responses") @implementation
public func milepost_config_set_partial_responses(_ config: OpaquePointer?, _ partial: Int32) -> milepost_status {
    set(config) { configuration throws(HostError) in configuration.wantsPartialAnswers = partial != 0 }
}
