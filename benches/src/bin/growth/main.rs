//! Draws how the cost of a hand-over and of a rejection grows with the number of those who wait.
//!
//! ```console
//! $ cargo run --release -p inflight-benches --bin growth -- docs/growth.svg
//! ```

mod axis;
mod chart;
mod contender;
mod panel;
mod sample;

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use clap::Parser;

use self::chart::chart;
use self::contender::{HAND_OVER, REJECTION};
use self::panel::Panel;
use self::sample::sample;

/// Draws how the cost of a hand-over and of a rejection grows with the number of those who wait.
#[derive(Parser)]
struct Arguments {
    /// Where the drawing goes, as SVG.
    file: PathBuf,

    /// The longest line.
    #[arg(long, value_name = "CALLERS", default_value_t = 1_000_000)]
    longest: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let Arguments { file, longest } = Arguments::parse();
    let hand_over = Panel {
        title: "handing a permit to the next in the line",
        curves: sample(&HAND_OVER, longest),
    };
    let rejection = Panel {
        title: "rejecting a call, the line being full",
        curves: sample(&REJECTION, longest),
    };
    fs::write(file, chart(&[hand_over, rejection]))?;
    Ok(())
}
