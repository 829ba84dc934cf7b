/// What the end of a call says about the load.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Outcome {
    /// Nothing: the caller went away before the call could end.
    ///
    /// Not counting such a call is a bias, since the slow ones are the ones
    /// that are abandoned; see
    /// [`censored_cancellations`](super::AimdOptions::censored_cancellations).
    Ignore,
    /// There was too much of it: an error, a timeout inside the limiter, a
    /// refusal further down, a panic.
    Overload,
    /// It was borne; the latency tells how well.
    Success,
}
