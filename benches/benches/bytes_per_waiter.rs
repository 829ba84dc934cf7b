//! How many bytes does a caller take while it waits, its future and its share of the heap?
//!
//! Bytes do not vary, so this counts them once instead of asking criterion.

use std::io::{self, Write};

use allocation_counter::measure;
use inflight_benches::line::Line;
use inflight_benches::memory::bytes_per_caller;
use inflight_benches::ours::{concurrency_limit, limiter, priority_queue};
use inflight_benches::peers::{bulkhead, priority_semaphore, semaphore, stock, tower_acc};

const WAITING: usize = 100_000;

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{:>20} {:>8}", "waiting call", "bytes")?;
    for (name, bytes) in [
        ("ours", bytes(&concurrency_limit::line())),
        ("ours-by-priority", bytes(&priority_queue::line(usize::MAX))),
        ("ours-permit", bytes(&limiter::line())),
        ("tower", bytes(&stock::line())),
        ("tower-acc", bytes(&tower_acc::line())),
        ("bulkhead", bytes(&bulkhead::line())),
        ("tokio", bytes(&semaphore::line())),
        ("priority-semaphore", bytes(&priority_semaphore::line())),
    ] {
        writeln!(out, "{name:>20} {bytes:>8.1}")?;
    }
    Ok(())
}

fn bytes(line: &impl Line) -> f64 {
    bytes_per_caller(line, WAITING, |work| measure(work).bytes_current)
}
