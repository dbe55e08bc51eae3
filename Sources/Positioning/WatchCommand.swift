/// A receiver's path to pin, as gpsd names it: 1 to 127 bytes, which is what libgps keeps of one, without control characters.
public struct DevicePath: Equatable, Sendable {
    public let text: String

    public init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= 127, text.utf8.allSatisfy({ $0 >= 32 && $0 != 127 }) else { return nil }
        self.text = text
    }
}

/// The line that asks gpsd for reports: JSON alone, as gpsd may glue NMEA to it; every receiver's, or one's.
func watchCommand(device: DevicePath?) -> String {
    guard let device else { return "?WATCH={\"enable\":true,\"json\":true};\n" }
    var quoted: [UInt8] = []
    for byte in device.text.utf8 {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { quoted.append(UInt8(ascii: "\\")) }
        quoted.append(byte)
    }
    return "?WATCH={\"enable\":true,\"json\":true,\"device\":\"\(String(decoding: quoted, as: UTF8.self))\"};\n"
}
