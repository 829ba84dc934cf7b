use std::time::Duration;

use inflight_core::{GateOptions, Limit, Reason};

use super::answer::{Answer, Facts};
use super::caller::Caller;

/// What every model keeps: who is in flight, and one list in order of arrival.
///
/// `N` is what a call counts under. The limit of the options is the one in
/// force.
pub(crate) struct Books<N> {
    pub(crate) options: GateOptions,
    pub(crate) in_flight: usize,
    pub(crate) closed: bool,
    pub(crate) line: Vec<Caller<N>>,
    /// Of the line, in the order in which it was decided.
    pub(crate) answers: Vec<(Caller<N>, Answer)>,
}

impl<N: Copy + PartialEq> Books<N> {
    pub(crate) fn new(options: GateOptions) -> Self {
        let mut books = Self {
            options,
            in_flight: 0,
            closed: false,
            line: Vec::new(),
            answers: Vec::new(),
        };
        books.bound(options.limit);
        books
    }

    /// Makes it the limit in force, up to the maximum.
    pub(crate) fn bound(&mut self, limit: Limit) {
        self.options.limit = self.options.max_limit.map_or(limit, |max| max.min(limit));
    }

    pub(crate) fn max_limit(&self) -> Limit {
        self.options.max_limit.unwrap_or(self.options.limit)
    }

    pub(crate) fn fits(&self, weight: usize) -> bool {
        self.in_flight == 0 || self.in_flight + weight <= self.options.limit.get()
    }

    /// Whether nothing is in flight and nobody waits.
    pub(crate) fn is_drained(&self) -> bool {
        self.in_flight == 0 && self.line.is_empty()
    }

    pub(crate) fn head(&self, name: N) -> Option<usize> {
        let highest = self.priorities(name).max()?;
        let mut line = self.line.iter();
        line.position(|one| one.name == name && one.priority == highest)
    }

    pub(crate) fn newest_below(&self, name: N, priority: i32) -> Option<usize> {
        let lowest = self.priorities(name).min()?;
        let mut line = self.line.iter();
        line.rposition(|one| one.name == name && one.priority == lowest && lowest < priority)
    }

    fn priorities(&self, name: N) -> impl Iterator<Item = i32> {
        let of_name = self.line.iter().filter(move |caller| caller.name == name);
        of_name.map(|caller| caller.priority)
    }

    /// With the numbers of the whole gate.
    pub(crate) fn refused(&self, reason: Reason, waited: u64) -> Answer {
        Answer::Refused(Facts {
            reason,
            of_key: false,
            limit: self.options.limit.get(),
            in_flight: self.in_flight,
            queued: self.line.len(),
            waited: Duration::from_nanos(waited),
        })
    }
}
