import Foundation

// One line a figure: name value unit target ok|short. Exits with 1 while any is short.
var isShort = false
do {
    let middle = try Course.road("1e5", points: 100_000)
    let long = try Course.road("1e6", points: 1_000_000)
    let updates = try updateFigures([.road("1e4", points: 10_000), middle, long, .laps()])
    for figure in try updates + loadFigures(middle: middle, long: long) {
        print(figure.line)
        isShort = isShort || !figure.isReached
    }
} catch {
    FileHandle.standardError.write(Data("milepost-bench: \(error)\n".utf8))
    exit(2)
}
exit(isShort ? 1 : 0)
