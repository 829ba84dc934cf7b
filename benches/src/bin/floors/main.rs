//! Shows what the design cannot go below, beside what it takes and what it should take.
//!
//! ```console
//! $ cargo run --release -p inflight-benches --bin floors
//! $ cargo run --release -p inflight-benches --bin floors -- count "hand-over, 10 waiting, 10 priorities"
//! ```
//!
//! First the primitives that a limit is made of, as this machine does them; then, for the questions
//! of `ratios` whose primitives have been counted, their sum beside our answer and the bar. `count`
//! has valgrind count the instructions of one question, function by function.

mod contender;
mod count;
mod profile;
mod table;

use std::error::Error;
use std::io;
use std::time::Duration;

use clap::{Parser, Subcommand};
use inflight_benches::{Base, Effort, Primitive, Promise, promises};

use self::contender::Contender;

/// Shows what the design cannot go below, beside what it takes and what it should take.
#[derive(Parser)]
#[command(args_conflicts_with_subcommands = true)]
struct Arguments {
    /// Ask only the questions whose text contains this.
    #[arg(long, value_name = "NAME", default_value = "")]
    only: String,

    /// Only show that every question can be asked: short lines, one round.
    #[arg(long)]
    smoke: bool,

    #[command(subcommand)]
    instead: Option<Instead>,
}

#[derive(Subcommand)]
enum Instead {
    /// Counts the instructions of a question, with valgrind.
    Count {
        /// The question, as the tables have it.
        question: String,
    },
    /// What is counted: one contender, again and again.
    #[command(hide = true)]
    Run {
        contender: Contender,
        question: String,
        times: u64,
    },
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let mut out = io::stdout().lock();
    match arguments.instead {
        Some(Instead::Count { question }) => count::count(&mut out, &find(&question)?),
        Some(Instead::Run {
            contender,
            question,
            times,
        }) => {
            if let Some(mut subject) = contender.subject(&find(&question)?) {
                subject.run(times);
            }
            Ok(())
        }
        None if arguments.smoke => show(&mut out, &Effort::SMOKE, &arguments.only),
        None => show(&mut out, &FULL, &arguments.only),
    }
}

fn find(question: &str) -> Result<Promise, String> {
    let found = promises().find(|promise| promise.question == question);
    found.ok_or_else(|| format!("`ratios` does not ask `{question}`"))
}

fn show(out: &mut impl io::Write, effort: &Effort, only: &str) -> Result<(), Box<dyn Error>> {
    table::primitives(out, &primitives(effort))?;
    table::open(out)?;
    let mut breakdowns = Vec::new();
    for promise in promises().filter(|promise| promise.question.contains(only)) {
        if let Some(breakdown) = promise.break_down(effort) {
            table::row(out, &promise.measure(effort), &breakdown)?;
            breakdowns.push((promise.question, breakdown));
        }
    }
    if breakdowns.is_empty() {
        return Err(format!("no question with a floor contains `{only}`").into());
    }
    Ok(table::breakdowns(out, &breakdowns)?)
}

/// What is needed, what that is, and how many nanoseconds it takes.
fn primitives(effort: &Effort) -> Vec<(String, &'static str, f64)> {
    let samples = effort.measure(1, || {
        let calls = Base::CALLS.map(|base| base.subject(0));
        let primitives = Primitive::ALL.map(|primitive| primitive.subject(effort.most));
        let all = [Primitive::nothing()].into_iter();
        all.chain(calls).chain(primitives).collect()
    });
    let nothing = samples.nanoseconds(0);
    let calls = Base::CALLS.iter().zip(1..);
    let calls = calls.map(|(base, place)| {
        let nanoseconds = samples.nanoseconds(place);
        (base.to_string(), base.describe(), nanoseconds)
    });
    let primitives = Primitive::ALL.iter().zip(1 + Base::CALLS.len()..);
    let primitives = primitives.map(|(primitive, place)| {
        let nanoseconds = samples.nanoseconds(place) - nothing;
        (primitive.to_string(), primitive.describe(), nanoseconds)
    });
    calls.chain(primitives).collect()
}

/// Less than for `ratios`: a floor is not held against a bar of two digits.
const FULL: Effort = Effort {
    rounds: 3,
    round: Duration::from_millis(300),
    ..Effort::FULL
};
