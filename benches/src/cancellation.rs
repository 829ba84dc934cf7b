//! Callers that give up while they wait.

use std::fmt;
use std::time::Duration;

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;

use crate::clock::timed;
use crate::line::Line;
use crate::places::Places;
use crate::subject::Subject;

/// In which order callers leave.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Leaving {
    /// As they came.
    InOrder,
    /// At random.
    Shuffled,
}

impl Leaving {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::InOrder, Self::Shuffled];
}

impl fmt::Display for Leaving {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InOrder => "in order",
            Self::Shuffled => "shuffled",
        })
    }
}

/// Fills the line with `waiting` callers, again whenever it is empty; an operation is one of them
/// being dropped.
pub fn dropped<L: Line>(line: L, waiting: usize, leaving: Leaving) -> Subject {
    let held = line.hold();
    let mut callers = Places::new(waiting);
    let mut order: Vec<_> = (0..waiting).collect();
    if leaving == Leaving::Shuffled {
        order.shuffle(&mut SmallRng::seed_from_u64(SEED));
    }
    let batch = waiting as u64;
    Subject::timed_inside(move |times| {
        let mut took = Duration::ZERO;
        for done in (0..times).step_by(waiting) {
            for place in 0..waiting {
                callers.enter(place, line.join(0));
            }
            let timed_part = usize::try_from(batch.min(times - done)).expect("no more than a line");
            let (timed_part, rest) = order.split_at(timed_part);
            took += timed(|| {
                for &place in timed_part {
                    callers.leave(place);
                }
            });
            for &place in rest {
                callers.leave(place);
            }
        }
        took
    })
    .keeping(held)
}

/// Keeps `waiting` callers in the line; an operation is the oldest giving up, and a new one joining.
pub fn renewed<L: Line>(line: L, waiting: usize) -> Subject {
    let held = line.hold();
    let mut callers = Places::new(waiting);
    for place in 0..waiting {
        callers.enter(place, line.join(0));
    }
    let mut oldest = (0..waiting).cycle();
    Subject::repeated(move || {
        let place = oldest.next().expect("there is always an oldest");
        callers.leave(place);
        callers.enter(place, line.join(0));
    })
    .keeping(held)
}

/// Any number; the same one has everybody's callers leave in the same order.
const SEED: u64 = 0x1eaf;
