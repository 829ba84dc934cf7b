use clap::ValueEnum;
use inflight_benches::{Promise, Subject};

/// Whose instructions are counted.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Contender {
    Ours,
    Peer,
    Floor,
}

impl Contender {
    /// How it answers; nobody has to have a floor.
    pub(crate) fn subject(self, promise: &Promise) -> Option<Subject> {
        match self {
            Self::Ours => Some(promise.ours()),
            Self::Peer => Some(promise.theirs()),
            Self::Floor => promise.base(),
        }
    }

    /// Its name among the arguments.
    pub(crate) fn argument(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Peer => "peer",
            Self::Floor => "floor",
        }
    }

    /// Its name in the tables.
    pub(crate) fn name(self, promise: &Promise) -> &'static str {
        match self {
            Self::Peer => promise.peer,
            _ => self.argument(),
        }
    }
}
