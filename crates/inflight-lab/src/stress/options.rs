use clap::Args;
use tower_inflight::ConfigError;

use crate::range;

/// Let real threads loose on limiters, and check what must hold
///
/// Tasks on three tokio runtimes and threads without one call the same
/// limiters in every way there is, while the limit changes under them: some
/// wait, some give up, some time out, some move to another runtime, some
/// panic. It is counted outside the limiters who is inside, and checked that
/// nobody and nothing is lost. It ends with an error if anything does not hold.
#[derive(Args, Clone, Debug)]
pub(crate) struct Options {
    /// Calls to make; 1000000000 is the long form
    #[arg(long, value_name = "CALLS", default_value = "5000000", value_parser = operations)]
    pub(crate) operations: u64,

    /// What is done follows from this number; in what order does not
    #[arg(long, value_name = "NUMBER", default_value = "1", value_parser = seed)]
    pub(crate) seed: u64,

    /// Threads to call from: three runtimes, and a quarter of them without one
    #[arg(long, value_name = "THREADS", default_value = "8", value_parser = threads)]
    pub(crate) threads: usize,
}

fn operations(text: &str) -> Result<u64, ConfigError> {
    range::within((OPTIONS, "operations"), 1000..=MOST_OPERATIONS, "", text)
}

fn seed(text: &str) -> Result<u64, ConfigError> {
    range::within((OPTIONS, "seed"), 0..=u64::MAX, "", text)
}

fn threads(text: &str) -> Result<usize, ConfigError> {
    range::within((OPTIONS, "threads"), 4..=256, "", text)
}

/// What a refusal calls the options.
const OPTIONS: &str = "StressOptions";

/// Some weeks.
const MOST_OPERATIONS: u64 = 1_000_000_000_000;
