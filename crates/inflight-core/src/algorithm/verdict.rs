use std::fmt;

/// What an evaluation made of its window, and so why the limit moved.
///
/// A congested window is [`Latency`](Self::Latency) or
/// [`Overload`](Self::Overload) also where the limit stands at its minimum
/// and cannot fall.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Verdict {
    /// Healthy, and the limit was in use: it rises.
    Growth,
    /// Healthy, but no reason to raise the limit, or no room.
    Hold,
    /// Congested: successful calls were too slow.
    Latency,
    /// Congested: too many failures, whatever the latency.
    Overload,
    /// Slow, but earlier cuts did not help: the limit goes back to where they
    /// began, and the latency counts as normal from now on.
    Relearned,
}

impl Verdict {
    /// The stable name: `growth`, `hold`, `latency`, `overload` or
    /// `relearned`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Growth => "growth",
            Self::Hold => "hold",
            Self::Latency => "latency",
            Self::Overload => "overload",
            Self::Relearned => "relearned",
        }
    }

    pub(super) const fn is_congested(self) -> bool {
        matches!(self, Self::Latency | Self::Overload)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
