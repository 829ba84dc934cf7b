use allocation_counter::measure;
use inflight_benches::line::Line;
use inflight_benches::memory::bytes_per_caller;
use inflight_benches::ours::concurrency_limit;
use inflight_benches::peers::stock;
use inflight_benches::{Bar, Outcome, Unit};

/// What a call weighs while it waits.
pub(crate) fn outcome(longest_line: usize) -> Outcome {
    let waiting = longest_line.min(100_000);
    let ours = bytes(&concurrency_limit::line(), waiting);
    let theirs = bytes(&stock::line(), waiting);
    Outcome::compared(
        "bytes for each waiting call",
        ("ConcurrencyLimit", theirs),
        (ours, Unit::Bytes),
        ours / theirs,
        Bar::AtMost(0.70),
    )
}

fn bytes(line: &impl Line, waiting: usize) -> f64 {
    bytes_per_caller(line, waiting, |work| measure(work).bytes_current)
}
