use std::time::Duration;

use rand::rngs::StdRng;
use rand::{Rng, RngExt};
use tower_inflight::Ticket;

/// What a call asks for, and what becomes of it once it is inside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Errand {
    pub(crate) weight: u32,
    pub(crate) priority: i32,
    /// Only the handle can ask for it; calls of a service have none.
    pub(crate) max_wait: Option<Duration>,
    /// How often others get a turn before it ends.
    pub(crate) pauses: u8,
    pub(crate) end: End,
}

/// How the work of an [`Errand`] ends.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum End {
    Answer,
    Error,
    Panic,
    /// A panic before there is anything to poll.
    PanicAtOnce,
}

/// What the work fails with, in both ways.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Mishap;

impl Errand {
    pub(crate) fn random(random: &mut StdRng) -> Self {
        let heavy = random.random_bool(0.3);
        let hurried = random.random_bool(0.25);
        Self {
            // 0 counts as 1.
            weight: if heavy {
                random.random_range(0..=u32::from(HEAVIEST))
            } else {
                1
            },
            priority: random.random_range(-2..3),
            max_wait: hurried.then(|| Duration::from_micros(random.random_range(0..200))),
            pauses: random.random_range(0..4),
            end: End::random(random),
        }
    }

    pub(crate) fn ticket(&self) -> Ticket {
        let ticket = Ticket::new()
            .with_weight(self.weight)
            .with_priority(self.priority);
        match self.max_wait {
            Some(max_wait) => ticket.with_max_wait(max_wait),
            None => ticket,
        }
    }
}

impl End {
    fn random(random: &mut StdRng) -> Self {
        match random.next_u32() % 64 {
            0 => Self::Panic,
            1 => Self::PanicAtOnce,
            2..8 => Self::Error,
            _ => Self::Answer,
        }
    }
}

/// The most that an errand weighs.
pub(crate) const HEAVIEST: u16 = 4;
