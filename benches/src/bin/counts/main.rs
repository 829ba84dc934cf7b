//! Counts what each promise about allocations and bytes is worth; `ratios` runs this.
//!
//! The answers go to standard output, as JSON.

mod allocations;
mod bytes;

use std::error::Error;
use std::io;

use clap::Parser;

/// Counts what each promise about allocations and bytes is worth.
#[derive(Parser)]
struct Arguments {
    /// Only show that every question can be asked: short lines.
    #[arg(long)]
    smoke: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let longest_line = if Arguments::parse().smoke {
        1_000
    } else {
        usize::MAX
    };
    let mut outcomes = allocations::outcomes(longest_line);
    outcomes.push(bytes::outcome(longest_line));
    Ok(serde_json::to_writer(io::stdout(), &outcomes)?)
}
