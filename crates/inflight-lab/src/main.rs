//! Real load on a real service, with and without limits.

mod overload;
mod range;
mod stop;
mod stress;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

fn main() -> ExitCode {
    let outcome = match Lab::parse().experiment {
        Experiment::Overload(options) => overload::run(&options),
        Experiment::Stress(options) => stress::run(&options),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Shows what limits on the work in flight do, by experiment.
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true)]
struct Lab {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(Debug, Subcommand)]
enum Experiment {
    Overload(overload::Options),
    Stress(stress::Options),
}
