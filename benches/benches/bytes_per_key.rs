//! How many bytes does a key take, with its permit or its future, and its share of the heap?
//!
//! Bytes do not vary, so this counts them once instead of asking criterion.

use std::io::{self, Write};

use allocation_counter::measure;
use inflight_benches::keyed::{ByKey, bytes_per_key, bytes_per_waiting_key};
use inflight_benches::ours::keyed::Keyed;
use inflight_benches::peers::semaphores_by_key::{Dashed, Locked, Semaphores};

const KEYS: u32 = 100_000;

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{:>10} {:>8} {:>8}", "bytes", "running", "waiting")?;
    for (name, [running, waiting]) in [
        ("ours", bytes::<Keyed>()),
        ("map", bytes::<Semaphores<Locked>>()),
        ("dashmap", bytes::<Semaphores<Dashed>>()),
    ] {
        writeln!(out, "{name:>10} {running:>8.1} {waiting:>8.1}")?;
    }
    Ok(())
}

/// Of a key under which one call runs, and of one under which one call waits.
fn bytes<L: ByKey>() -> [f64; 2] {
    let running = bytes_per_key::<L>(KEYS.into(), |work| measure(work).bytes_current);
    let waiting = bytes_per_waiting_key::<L>(KEYS as usize, |work| measure(work).bytes_current);
    [running, waiting]
}
