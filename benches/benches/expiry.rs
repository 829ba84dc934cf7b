//! What does it cost to reach one's deadline in the line, and be replaced by a new caller?
//!
//! The time is moved by hand, and no timer is in it. Nobody else has deadlines: a timeout around
//! their future drops it, which is what stands beside ours.

use criterion::{Criterion, criterion_group, criterion_main};
use inflight_benches::cancellation::renewed;
use inflight_benches::ours::gate;
use inflight_benches::peers::{priority_semaphore, semaphore, stock};
use inflight_benches::{Contender, ask, criterion};

const WAITING: [usize; 3] = [10, 1_000, 100_000];

fn expiring(criterion: &mut Criterion) {
    let contenders: [Contender<usize>; 4] = [
        ("ours", gate::expiring),
        ("tower", |waiting| renewed(stock::line(), waiting)),
        ("tokio", |waiting| renewed(semaphore::line(), waiting)),
        ("priority-semaphore", |waiting| {
            renewed(priority_semaphore::line(), waiting)
        }),
    ];
    ask(criterion, "expiry", &WAITING, &contenders);
}

criterion_group!(name = expiry; config = criterion(); targets = expiring);
criterion_main!(expiry);
