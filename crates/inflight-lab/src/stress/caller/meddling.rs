use std::pin::Pin;
use std::task::{Context, Waker};

use rand::rngs::StdRng;
use rand::{Rng, RngExt};

use crate::stress::errand::HEAVIEST;
use crate::stress::invariant::Invariant;
use crate::stress::kinds::QUEUE_LIMIT;
use crate::stress::round::Round;
use crate::stress::tally::Tally;

/// Does now and then, between two calls, what is no call.
pub(crate) fn meddle(round: &Round, random: &mut StdRng, tally: &mut Tally) {
    match random.next_u32() % 128 {
        // An adaptive limit moves by itself.
        0..8 if round.subject.own_highest().is_none() => {
            resize(round, random);
            tally.resized += 1;
        }
        8..10 => check_snapshot(round),
        10 => check_queued_by_priority(round),
        11 => watch_for_a_moment(round),
        _ => {}
    }
}

fn resize(round: &Round, random: &mut StdRng) {
    // Every other time all the way up, so that the highest is reached.
    let limit = if random.random() {
        round.highest
    } else {
        random.random_range(1..=round.highest)
    };
    let resized = round.subject.limiter.set_limit(limit);
    resized.expect("it is in the range of limits");
}

fn check_snapshot(round: &Round) {
    let limiter = &round.subject.limiter;
    let snapshot = limiter.snapshot();
    let bounded = (1..=round.highest).contains(&snapshot.limit)
        && snapshot.in_flight <= round.highest
        && snapshot.queued <= QUEUE_LIMIT;
    let whole = snapshot.available == snapshot.limit.saturating_sub(snapshot.in_flight);
    // Whoever is next would have been let in.
    let idle = snapshot.queued > 0 && snapshot.available >= usize::from(HEAVIEST);
    if !(bounded && whole) || idle {
        let highest = round.highest;
        round.faults.report(Invariant::WholeSnapshots, || {
            format!("the limit was never above {highest}, and there was a {snapshot:?}")
        });
    }
}

fn check_queued_by_priority(round: &Round) {
    let limiter = &round.subject.limiter;
    let queued = limiter.queued_by_priority();
    let empty = queued.values().any(|callers| *callers == 0);
    if empty || queued.values().sum::<usize>() > QUEUE_LIMIT {
        round.faults.report(Invariant::WholeSnapshots, || {
            format!("by priority there waited {queued:?}")
        });
    }
}

/// While anybody watches for the end, all calls take the lock.
fn watch_for_a_moment(round: &Round) {
    let mut drained = round.subject.limiter.drained();
    // It may be at rest just now, by chance.
    let _ = Pin::new(&mut drained).poll(&mut Context::from_waker(Waker::noop()));
    std::thread::yield_now();
}
