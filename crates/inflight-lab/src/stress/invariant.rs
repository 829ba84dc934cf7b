/// What must hold, whatever the threads do.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Invariant {
    Accounted,
    AtRest,
    Bounded,
    Closed,
    NobodyForgotten,
    OneFate,
    Readied,
    WholeSnapshots,
}

impl Invariant {
    /// In the order in which they are told.
    pub(crate) const ALL: [Self; 8] = [
        Self::Bounded,
        Self::OneFate,
        Self::Accounted,
        Self::AtRest,
        Self::NobodyForgotten,
        Self::WholeSnapshots,
        Self::Readied,
        Self::Closed,
    ];

    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Accounted => "arrived = admitted + rejected + cancelled, each counted elsewhere",
            Self::AtRest => "after each round all permits are free and nobody waits",
            Self::Bounded => "never more weight inside than the highest limit in force",
            Self::Closed => "a closed limiter turns everybody away, and drains",
            Self::NobodyForgotten => "nobody waits for ever",
            Self::OneFate => "each call comes in once, or is rejected once, or is given up",
            Self::Readied => "the service is called only after it was ready",
            Self::WholeSnapshots => {
                "snapshots are whole, inside the bounds, and nobody waits where there is room"
            }
        }
    }
}
