//! Measures what a limit by key costs, beside a map of semaphores.
//!
//! ```console
//! $ cargo run --release -p inflight-benches --bin keyed
//! ```
//!
//! What a live key weighs is counted by `cargo bench -p inflight-benches --bench bytes_per_key`.

mod question;
mod table;

use std::io;
use std::time::Duration;

use clap::Parser;
use inflight_benches::Effort;

use self::question::questions;

/// Measures what a limit by key costs, beside a map of semaphores.
#[derive(Parser)]
struct Arguments {
    /// Ask only the questions whose text contains this.
    #[arg(long, value_name = "NAME", default_value = "")]
    only: String,

    /// Only show that every question can be asked: few keys, one round.
    #[arg(long)]
    smoke: bool,
}

fn main() -> io::Result<()> {
    let arguments = Arguments::parse();
    let effort = if arguments.smoke { Effort::SMOKE } else { FULL };
    let mut out = io::stdout().lock();
    table::open(&mut out)?;
    for question in questions(effort.most) {
        if question.text.contains(&arguments.only) {
            let samples = effort.measure(1, || question.subjects());
            table::row(&mut out, &question.text, &samples)?;
        }
    }
    Ok(())
}

/// Less than elsewhere, since there are three contenders and no bar between them.
const FULL: Effort = Effort {
    rounds: 3,
    round: Duration::from_millis(240),
    ..Effort::FULL
};
