use std::future::poll_fn;

use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};
use tokio::task;
use tower::Service;

use super::meddling::meddle;
use super::patience::Patience;
use crate::stress::call::{Call, Door};
use crate::stress::errand::Errand;
use crate::stress::fate::Fate;
use crate::stress::round::Round;
use crate::stress::subject::Limited;
use crate::stress::tally::Tally;

/// Makes `operations` calls, one after the other.
pub(crate) async fn call_from_task(round: Round, operations: u64, seed: u64) -> Tally {
    let mut random = StdRng::seed_from_u64(seed);
    let mut service = round.subject.service();
    let mut tally = Tally::default();
    for _ in 0..operations {
        meddle(&round, &mut random, &mut tally);
        make_ready(&mut service, &mut random).await;
        let fate = call_once(&round, &mut service, &mut random, &mut tally).await;
        if fate != Some(Fate::Admitted) {
            // Whoever is inside on this thread gets a turn.
            task::yield_now().await;
        }
    }
    tally
}

/// Takes a clone or stays with the old one, and makes it ready or does not.
async fn make_ready(service: &mut Limited, random: &mut StdRng) {
    if random.random() {
        *service = service.clone();
    }
    if random.random() {
        let ready = poll_fn(|cx| service.poll_ready(cx)).await;
        ready.expect("the workshop is always ready in the end");
    }
}

async fn call_once(
    round: &Round,
    service: &mut Limited,
    random: &mut StdRng,
    tally: &mut Tally,
) -> Option<Fate> {
    let subject = &round.subject;
    // Of a call that nobody looked at, only the hook can say that it was rejected.
    let patience = Patience::random(random, &round.runtimes, u8::from(!subject.tells));
    let call = Call::make(door(random), Errand::random(random), subject, service);
    round.account(patience.with(call).await, tally)
}

fn door(random: &mut StdRng) -> Door {
    match random.next_u32() % 16 {
        0..2 => Door::TryAcquire,
        2..5 => Door::Acquire,
        5..7 => Door::Run,
        _ => Door::Service,
    }
}
