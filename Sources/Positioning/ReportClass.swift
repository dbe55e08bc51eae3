/// The classes of gpsd's lines that matter here. Told from the text, as libgps leaves a former fix in place when it meets another class.
enum ReportClass {
    case tpv, version, error
    /// Known or not: SKY, DEVICES, WATCH and so on.
    case other
    /// Not an object with a class first, as gpsd writes them.
    case garbage

    init(_ line: UnsafeBufferPointer<UInt8>) {
        guard line.starts(with: #"{"class":""#.utf8) else {
            self = .garbage
            return
        }
        let name = line.dropFirst(10)
        if name.starts(with: "TPV\"".utf8) {
            self = .tpv
        } else if name.starts(with: "VERSION\"".utf8) {
            self = .version
        } else if name.starts(with: "ERROR\"".utf8) {
            self = .error
        } else {
            self = .other
        }
    }
}

/// The text of the string member `name`, for messages to people: escapes lose their backslash, at most 200 bytes. "" when there is none.
func messageText(_ name: String, in line: UnsafeBufferPointer<UInt8>) -> String {
    let key = Array("\"\(name)\":\"".utf8)
    var start = 0
    while start + key.count <= line.count, !line[start...].starts(with: key) { start += 1 }
    var text: [UInt8] = []
    var index = start + key.count
    while index < line.count, line[index] != UInt8(ascii: "\""), text.count < 200 {
        if line[index] == UInt8(ascii: "\\"), index + 1 < line.count { index += 1 }
        text.append(line[index] < 32 ? 32 : line[index])
        index += 1
    }
    return String(decoding: text, as: UTF8.self)
}
