use std::panic;
use std::thread;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tower_inflight::{Error, Permit};

use super::meddling::meddle;
use crate::stress::call::Ended;
use crate::stress::errand::{End, Errand, Mishap};
use crate::stress::floor::Presence;
use crate::stress::round::Round;
use crate::stress::tally::Tally;
use crate::stress::witness;

/// Makes `operations` calls, one after the other, and blocks where it waits.
///
/// Half-way through a round that closes, it closes the limiter.
pub(crate) fn call_from_thread(round: &Round, operations: u64, seed: u64) -> Tally {
    let mut random = StdRng::seed_from_u64(seed);
    let mut tally = Tally::default();
    for made in 0..operations {
        if round.closes && made == operations / 2 {
            round.subject.limiter.close();
        }
        meddle(round, &mut random, &mut tally);
        let errand = Errand::random(&mut random);
        round.subject.count_arrival();
        let (outcome, notes) = witness::during(|| work(round, errand, &mut random));
        round.account(Ended::new(outcome, notes), &mut tally);
        thread::yield_now();
    }
    tally
}

fn work(round: &Round, errand: Errand, random: &mut StdRng) -> Result<(), Error<Mishap>> {
    let limiter = &round.subject.limiter;
    let permit = if random.random_bool(0.3) {
        limiter.try_acquire_with(errand.ticket())?
    } else {
        limiter.acquire_blocking_with(errand.ticket())?
    };
    let presence = round.subject.floor.enter(errand.weight);
    (0..errand.pauses).for_each(|_| thread::yield_now());
    match errand.end {
        End::Answer if random.random_bool(0.1) => carry_away(round, random, permit, presence),
        End::Answer => {}
        End::Error => return Err(Error::Service(Mishap)),
        End::Panic | End::PanicAtOnce => panic::resume_unwind(Box::new(Mishap)),
    }
    Ok(())
}

/// Lets the work end in a runtime, with the permit that was taken here.
fn carry_away(round: &Round, random: &mut StdRng, permit: Permit, presence: Presence) {
    let runtime = &round.runtimes[random.random_range(0..round.runtimes.len())];
    let there = runtime.spawn(async move {
        drop(presence);
        drop(permit);
    });
    // It fails only where the runtime has ended, because some caller hangs.
    let _ = runtime.block_on(there);
}
