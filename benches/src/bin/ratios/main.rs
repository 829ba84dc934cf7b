//! Measures what each promise about cost is worth, beside the peer that it names.
//!
//! ```console
//! $ cargo run --release -p inflight-benches --bin ratios
//! $ cargo run --release -p inflight-benches --bin ratios -- --only hand-over --json ratios.json
//! ```
//!
//! It ends with failure if a promise is not kept. What is counted (allocations, bytes) is counted by
//! a program of its own, `counts`, which it has cargo run: an allocator that counts would slow what
//! is timed here.

mod counted;
mod table;

use std::error::Error;
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use inflight_benches::{Effort, Outcome, promises};

/// Measures what each promise about cost is worth, beside the peer that it names.
#[derive(Parser)]
struct Arguments {
    /// Ask only the questions whose text contains this.
    #[arg(long, value_name = "NAME", default_value = "")]
    only: String,

    /// Write the answers into this file, too.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Only show that every question can be asked: short lines, one round, no promise counts.
    #[arg(long)]
    smoke: bool,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments = Arguments::parse();
    let outcomes = ask(&arguments)?;
    if let Some(path) = &arguments.json {
        serde_json::to_writer_pretty(File::create(path)?, &outcomes)?;
    }
    let missed = outcomes.iter().filter(|outcome| !outcome.ok).count();
    let failed = outcomes.is_empty() || (missed > 0 && !arguments.smoke);
    table::close(&mut io::stdout().lock(), outcomes.len(), missed)?;
    Ok(if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

fn ask(arguments: &Arguments) -> Result<Vec<Outcome>, Box<dyn Error>> {
    let effort = if arguments.smoke {
        Effort::SMOKE
    } else {
        Effort::FULL
    };
    let mut out = io::stdout().lock();
    table::open(&mut out)?;
    let mut outcomes = Vec::new();
    for promise in promises() {
        if promise.question.contains(&arguments.only) {
            let outcome = promise.measure(&effort);
            table::row(&mut out, &outcome)?;
            outcomes.push(outcome);
        }
    }
    for outcome in counted::outcomes(arguments.smoke)? {
        if outcome.question.contains(&arguments.only) {
            table::row(&mut out, &outcome)?;
            outcomes.push(outcome);
        }
    }
    Ok(outcomes)
}
