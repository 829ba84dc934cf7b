use std::fmt;

use serde::{Deserialize, Serialize};

/// An answer to one question: ours, a peer's, and whether ours is good enough.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Outcome {
    /// What was asked.
    pub question: String,
    /// Whose answer stands beside ours, if anybody's.
    pub peer: Option<String>,
    /// In what the answers are.
    pub unit: Unit,
    /// Our answer.
    pub ours: f64,
    /// The peer's.
    pub theirs: Option<f64>,
    /// Ours divided by the peer's, or ours alone where there is no peer.
    pub ratio: f64,
    /// What the ratio has to be.
    pub bar: Bar,
    /// Whether it is.
    pub ok: bool,
}

impl Outcome {
    /// Holds `ratio` against `bar`.
    pub fn compared(
        question: &str,
        (peer, theirs): (&str, f64),
        (ours, unit): (f64, Unit),
        ratio: f64,
        bar: Bar,
    ) -> Self {
        Self {
            question: question.to_owned(),
            peer: Some(peer.to_owned()),
            unit,
            ours,
            theirs: Some(theirs),
            ratio,
            bar,
            ok: bar.holds(ratio),
        }
    }

    /// Holds our own answer against `bar`, where there is no peer.
    pub fn alone(question: &str, ours: f64, unit: Unit, bar: Bar) -> Self {
        Self {
            question: question.to_owned(),
            peer: None,
            unit,
            ours,
            theirs: None,
            ratio: ours,
            bar,
            ok: bar.holds(ours),
        }
    }
}

/// What an answer counts.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Allocations for each call.
    Allocations,
    /// Bytes for each caller.
    Bytes,
    /// Millions of calls in a second.
    MillionsPerSecond,
    /// Nanoseconds for each operation.
    Nanoseconds,
}

impl Unit {
    /// So many of it, in three digits or all of those before the point.
    pub fn of(self, value: f64) -> String {
        let decimals = match value.abs() {
            ..10.0 => 2,
            ..100.0 => 1,
            _ => 0,
        };
        format!("{value:.decimals$} {self}")
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Allocations => "allocs",
            Self::Bytes => "B",
            Self::MillionsPerSecond => "M/s",
            Self::Nanoseconds => "ns",
        })
    }
}

/// What is promised.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bar {
    /// No less than this.
    AtLeast(f64),
    /// No more than this.
    AtMost(f64),
}

impl Bar {
    /// Whether `value` keeps the promise.
    pub fn holds(self, value: f64) -> bool {
        match self {
            Self::AtLeast(least) => value >= least,
            Self::AtMost(most) => value <= most,
        }
    }
}

impl fmt::Display for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtLeast(least) => write!(f, "≥ {least:.2}"),
            Self::AtMost(most) => write!(f, "≤ {most:.2}"),
        }
    }
}
