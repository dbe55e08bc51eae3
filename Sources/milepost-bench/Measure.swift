import CSystem

/// Nanoseconds that the work took.
func nanoseconds(_ work: () -> Void) -> Double {
    let start = mp_clock_boot_ns()
    work()
    return Double(mp_clock_boot_ns() - start)
}

/// The quickest of several runs of each work, nanoseconds: what it takes when nothing else has the processor. They take turns, so that each
/// meets the heap as the others leave it.
func quickest(of runs: Int, _ works: [() -> Void]) -> [Double] {
    (0..<runs).reduce([Double](repeating: .infinity, count: works.count)) { best, _ in
        zip(best, works).map { min($0, nanoseconds($1)) }
    }
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

/// The least of several passes' medians: the pass that other processes disturbed least.
func quietest(of passes: Int, _ pass: () -> [Double]) -> Double {
    (0..<passes).reduce(.infinity) { best, _ in min(best, median(pass())) }
}
