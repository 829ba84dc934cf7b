use crate::base::Base;
use crate::calls::{Calling, read, repeated};
use crate::floor::{Floor, Need};
use crate::ours::{concurrency_limit, priority_queue};
use crate::peers::load_shed;
use crate::primitive::Primitive;
use crate::promise::Promise;
use crate::subject::Subject;

/// A call that finds neither room nor, where there is one, a place in the line.
pub(crate) fn promises() -> impl IntoIterator<Item = Promise> {
    let read = Promise::at_most(
        0.40,
        "rejected, no line, and the rejection read",
        |_| {
            let (service, held) = concurrency_limit::full(0);
            read(service, concurrency_limit::facts).keeping(held)
        },
        PEER,
        |_| {
            let (service, held) = load_shed::full(0);
            read(service, load_shed::is_shed).keeping(held)
        },
    );
    [
        reused(0.20, "rejected, no line, reused", |_| {
            no_line(Calling::Reused)
        })
        .above(REFUSED),
        cloned(0.20, "rejected, no line, cloned", |_| {
            no_line(Calling::Cloned)
        }),
        read,
        reused(0.25, "rejected, line full, reused", |_| {
            full_line(Calling::Reused)
        })
        .above(REFUSED),
        cloned(0.22, "rejected, line full, cloned", |_| {
            full_line(Calling::Cloned)
        }),
        reused(0.90, "rejected, line full by priority, reused", |_| {
            by_priority(Calling::Reused)
        }),
        cloned(0.35, "rejected, line full by priority, cloned", |_| {
            by_priority(Calling::Cloned)
        }),
        reused(0.90, "rejected, line full with deadlines, reused", |_| {
            deadlines(Calling::Reused)
        })
        .above(TIMED_REUSED),
        cloned(0.35, "rejected, line full with deadlines, cloned", |_| {
            deadlines(Calling::Cloned)
        })
        .above(TIMED_CLONED),
    ]
}

fn reused(most: f64, question: &'static str, ours: fn(usize) -> Subject) -> Promise {
    Promise::at_most(most, question, ours, PEER, |_| shed(Calling::Reused))
}

fn cloned(most: f64, question: &'static str, ours: fn(usize) -> Subject) -> Promise {
    Promise::at_most(most, question, ours, PEER, |_| shed(Calling::Cloned))
}

fn no_line(calling: Calling) -> Subject {
    let (service, held) = concurrency_limit::full(0);
    repeated(service, calling).keeping(held)
}

fn full_line(calling: Calling) -> Subject {
    let (service, held) = concurrency_limit::full(LINE);
    repeated(service, calling).keeping(held)
}

fn by_priority(calling: Calling) -> Subject {
    let (service, held) = priority_queue::full(LINE);
    repeated(service, calling).keeping(held)
}

fn deadlines(calling: Calling) -> Subject {
    let (service, held) = concurrency_limit::full_with_deadlines(LINE);
    repeated(service, calling).keeping(held)
}

fn shed(calling: Calling) -> Subject {
    let (service, held) = load_shed::full(0);
    repeated(service, calling).keeping(held)
}

/// The word, and where a line is full its threshold, are loads and no more.
const REFUSED: Floor = Floor::new(Base::Refused(Calling::Reused), &[]);

const TIMED_REUSED: Floor = Floor::new(Base::Refused(Calling::Reused), &[TIME]);

const TIMED_CLONED: Floor = Floor::new(Base::Refused(Calling::Cloned), &[TIME, CLONE]);

const TIME: Need = Need::new(
    1,
    Primitive::Clock,
    "the deadline of whoever waits longest may have come",
);

const CLONE: Need = Need::new(
    1,
    Primitive::Reference,
    "a clone of the service keeps its limit alive",
);

const PEER: &str = "LoadShed";

/// How many wait in the line that is full.
const LINE: usize = 10;
