use super::{Description, Evaluation, Sample};
use crate::Limit;

/// A rule that turns the calls that end into a limit.
///
/// It is plain data with no clock, lock or task of its own: the same samples
/// in the same order give the same limits. Whoever drives it feeds every call
/// that was let through and has ended, and sets the gate to what comes back.
///
/// ```
/// use inflight_core::{Algorithm, Limit, Outcome, Sample};
///
/// /// Halves after a failure, and forgets nothing.
/// struct Timid(Limit);
///
/// impl Algorithm for Timid {
///     fn limit(&self) -> Limit {
///         self.0
///     }
///
///     fn observe(&mut self, sample: &Sample) -> Limit {
///         if sample.outcome == Outcome::Overload {
///             self.0 = Limit::new(self.0.get() / 2).unwrap_or(Limit::ONE);
///         }
///         self.0
///     }
/// }
///
/// let mut timid = Timid(Limit::new(9).expect("in range"));
/// let failed = Sample { now: 0, latency: 0, in_flight: 9, outcome: Outcome::Overload };
/// assert_eq!(timid.observe(&failed).get(), 4);
/// assert!(timid.last_evaluation().is_none());
/// ```
pub trait Algorithm {
    /// The limit as it now stands.
    fn limit(&self) -> Limit;

    /// Takes one ended call into account and returns the limit that follows.
    ///
    /// It is called under the lock that orders the samples, so it should be
    /// short.
    fn observe(&mut self, sample: &Sample) -> Limit;

    /// The latest decision and its grounds, for those who ask why; none
    /// before the first, or from an algorithm that does not say.
    ///
    /// Its [`number`](Evaluation::number) tells a new one from one already
    /// seen.
    fn last_evaluation(&self) -> Option<Evaluation> {
        None
    }

    /// What it is called and how far its limit may go, which must not change;
    /// by default any limit will do.
    fn describe(&self) -> Description {
        Description::new("custom")
    }
}
