//! What does it cost to take the place of a lower caller in a full line?
//!
//! Nobody else evicts. What stands beside ours is what it takes without: somebody who knows which
//! caller is the newest of the lowest has it leave, and the new one joins.

use criterion::{Criterion, criterion_group, criterion_main};
use inflight_benches::eviction::{by_hand, steady};
use inflight_benches::ours::priority_queue;
use inflight_benches::peers::priority_semaphore;
use inflight_benches::{Contender, Priorities, ask, criterion};

const WAITING: [usize; 3] = [10, 1_000, 100_000];

fn evicting(criterion: &mut Criterion) {
    let ten: [Contender<usize>; 2] = [
        ("ours", |waiting| {
            steady(priority_queue::line(waiting), waiting, Priorities::Ten)
        }),
        ("priority-semaphore-by-hand", |waiting| {
            by_hand(priority_semaphore::line(), waiting, Priorities::Ten)
        }),
    ];
    let distinct: [Contender<usize>; 2] = [
        ("ours", |waiting| {
            steady(priority_queue::line(waiting), waiting, Priorities::Distinct)
        }),
        ("priority-semaphore-by-hand", |waiting| {
            by_hand(priority_semaphore::line(), waiting, Priorities::Distinct)
        }),
    ];
    ask(criterion, "eviction/ten-priorities", &WAITING, &ten);
    ask(
        criterion,
        "eviction/distinct-priorities",
        &WAITING,
        &distinct,
    );
}

criterion_group!(name = eviction; config = criterion(); targets = evicting);
criterion_main!(eviction);
