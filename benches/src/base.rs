use std::fmt;

use crate::calls::{Calling, repeated};
use crate::cancellation::{Leaving, dropped};
use crate::hand_over::steady;
use crate::inner::Inner;
use crate::order::Priorities;
use crate::peers::{ROOM, floor};
use crate::subject::Subject;

/// A question asked of whoever does as little as can be done: the loop of the bench, and that.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Base {
    /// The inner service is called, with no limit around it.
    Called(Calling),
    /// The floor service has room.
    Admitted(Calling),
    /// The floor service is full.
    Refused(Calling),
    /// The floor's list of who waits is joined and left.
    Served(Priorities),
    /// It is left.
    Left(Leaving),
}

impl Base {
    /// Those that no line is asked for.
    pub const CALLS: [Self; 3] = [
        Self::Called(Calling::Reused),
        Self::Admitted(Calling::Reused),
        Self::Refused(Calling::Reused),
    ];

    /// What is measured, with `waiting` callers.
    pub fn subject(self, waiting: usize) -> Subject {
        match self {
            Self::Called(calling) => repeated(Inner, calling),
            Self::Admitted(calling) => repeated(floor::service(ROOM), calling),
            Self::Refused(calling) => repeated(floor::full(), calling),
            Self::Served(priorities) => steady(floor::line(), waiting, priorities),
            Self::Left(leaving) => dropped(floor::line(), waiting, leaving),
        }
    }

    /// What it is, at some length.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Called(_) => "the loop of the bench, around a service that does nothing",
            Self::Admitted(_) => {
                "the same around the floor: a compare-exchange in, a subtraction out"
            }
            Self::Refused(_) => "the loop around the floor when it is full: a load, and no call",
            Self::Served(_) => "callers in a list behind a lock, who are served and come again",
            Self::Left(_) => "callers in a list behind a lock, who give up",
        }
    }
}

impl fmt::Display for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Called(_) => "call",
            Self::Admitted(_) => "floor, admitted",
            Self::Refused(_) => "floor, refused",
            Self::Served(_) => "floor, served",
            Self::Left(_) => "floor, left",
        })
    }
}
