/// Which key is next where several could use a free slot of the total.
///
/// Keys that are full, and so could not use it, have no part in either.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Fairness {
    /// The key whose next caller arrived first. A key gets slots in proportion
    /// to the calls that it makes, up to its own limit.
    #[default]
    Arrival,
    /// The keys take turns: each gets slots in proportion to its
    /// [`share`](crate::KeyPlan::share), however many of its callers wait.
    ///
    /// It is start-time fair queueing over weights of calls. No key that has
    /// room waits for ever, not even behind an endless stream of new ones.
    ///
    /// Where ten keys wanted more than there was, one of them 50 times as much
    /// as each of the others, Jain's index of what they were granted was 1.00;
    /// it is 0.14 by arrival.
    RoundRobin,
}
