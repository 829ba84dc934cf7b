use std::time::Duration;

use super::window::{Window, duration};
use super::{Verdict, WindowSummary};
use crate::Limit;

/// One decision about the limit, with its grounds.
///
/// The fields are public to read; an algorithm of your own begins with
/// [`new`](Self::new) and sets what it knows.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation {
    /// Counts the evaluations of one algorithm, from 1.
    pub number: u64,
    /// The limit that this evaluation found.
    pub before: Limit,
    /// The limit that it left.
    pub after: Limit,
    /// What it made of the window.
    pub verdict: Verdict,
    /// What counts as a normal latency after this evaluation, if anything
    /// does yet.
    pub baseline: Option<Duration>,
    /// What it looked at.
    pub window: WindowSummary,
}

impl Evaluation {
    /// An evaluation without a baseline and of an empty window.
    pub fn new(number: u64, before: Limit, after: Limit, verdict: Verdict) -> Self {
        Self {
            number,
            before,
            after,
            verdict,
            baseline: None,
            window: WindowSummary::default(),
        }
    }

    /// `baseline` is in nanoseconds.
    pub(super) fn with_grounds(self, window: &Window, baseline: Option<f64>) -> Self {
        Self {
            baseline: baseline.map(duration),
            window: window.summary(),
            ..self
        }
    }

    /// The number of the evaluation after `last`.
    pub(super) fn number_after(last: Option<&Self>) -> u64 {
        last.map_or(1, |last| last.number.saturating_add(1))
    }
}
