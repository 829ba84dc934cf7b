use serde::{Serialize, Serializer};

/// One way to meet an overload.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Contender {
    /// Everything is let in.
    NoLimit,
    /// tower's `GlobalConcurrencyLimitLayer`: who is over the limit waits without bound.
    Stock,
    /// tower's `LoadShed` over that: who is over the limit is rejected.
    StockLoadShed,
    /// `ConcurrencyLimitLayer` with a short line.
    Line,
    /// `PriorityQueueLayer` with a line of the same length.
    Priority,
    /// `AdaptiveAimdLayer` with the same line, and no limit to start from.
    Adaptive,
}

impl Contender {
    pub(crate) const ALL: [Self; 6] = [
        Self::NoLimit,
        Self::Stock,
        Self::StockLoadShed,
        Self::Line,
        Self::Priority,
        Self::Adaptive,
    ];

    /// What records, tables and plots call it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::NoLimit => "no limit",
            Self::Stock => "stock limit",
            Self::StockLoadShed => "stock limit + LoadShed",
            Self::Line => "ConcurrencyLimitLayer",
            Self::Priority => "PriorityQueueLayer",
            Self::Adaptive => "AdaptiveAimdLayer",
        }
    }

    /// What it does with a request, in a few words.
    pub(crate) fn rule(self) -> &'static str {
        match self {
            Self::NoLimit => "Every request is let in and waits for a database connection.",
            Self::Stock => {
                "tower’s GlobalConcurrencyLimitLayer: who is over the limit waits without bound."
            }
            Self::StockLoadShed => {
                "tower’s LoadShed over it: who is over the limit is rejected, in a short burst too."
            }
            Self::Line => {
                "A short line, a short wait: who finds it full or waits too long is rejected."
            }
            Self::Priority => {
                "The same line by priority: who matters more takes the place of others."
            }
            Self::Adaptive => {
                "The same line, and a limit that nobody sets: it follows the latency."
            }
        }
    }
}

/// Written as its name.
impl Serialize for Contender {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
