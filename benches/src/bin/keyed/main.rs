//! Measures what a limit by key costs, beside a map of semaphores.
//!
//! ```console
//! $ cargo run --release -p inflight-benches --bin keyed
//! ```
//!
//! What a live key weighs is counted by `cargo bench -p inflight-benches --bench bytes_per_key`.

mod question;
mod rounds;
mod table;

use std::io;

use clap::Parser;

use self::question::questions;
use self::rounds::Effort;

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
    let effort = if arguments.smoke {
        Effort::SMOKE
    } else {
        Effort::FULL
    };
    let mut out = io::stdout().lock();
    table::open(&mut out)?;
    for question in questions(effort.most_keys) {
        if question.text.contains(&arguments.only) {
            table::row(&mut out, &question.text, effort.measure(&question))?;
        }
    }
    Ok(())
}
