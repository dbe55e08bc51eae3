import CSystem

/// Nanoseconds that the work took.
func nanoseconds(_ work: () -> Void) -> Double {
    let start = mp_clock_boot_ns()
    work()
    return Double(mp_clock_boot_ns() - start)
}

/// The quickest of several runs, nanoseconds: what the work takes when nothing else has the processor.
func quickest(of runs: Int, _ work: () -> Void) -> Double {
    (0..<runs).reduce(.infinity) { best, _ in min(best, nanoseconds(work)) }
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

/// The least of several passes' medians: the pass that other processes disturbed least.
func quietest(of passes: Int, _ pass: () -> [Double]) -> Double {
    (0..<passes).reduce(.infinity) { best, _ in min(best, median(pass())) }
}
