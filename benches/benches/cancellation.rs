//! What does it cost to leave a line of 100,000?

use criterion::{Criterion, criterion_group, criterion_main};
use inflight_benches::cancellation::{Leaving, dropped};
use inflight_benches::ours::{concurrency_limit, limiter, priority_queue};
use inflight_benches::peers::{bulkhead, priority_semaphore, semaphore, stock, tower_acc};
use inflight_benches::{Contender, ask, criterion};

const WAITING: usize = 100_000;

fn leaving(criterion: &mut Criterion) {
    let contenders: [Contender<Leaving>; 8] = [
        ("ours", |leaving| {
            dropped(concurrency_limit::line(), WAITING, leaving)
        }),
        ("ours-by-priority", |leaving| {
            dropped(priority_queue::line(usize::MAX), WAITING, leaving)
        }),
        ("ours-permit", |leaving| {
            dropped(limiter::line(), WAITING, leaving)
        }),
        ("tower", |leaving| dropped(stock::line(), WAITING, leaving)),
        ("tower-acc", |leaving| {
            dropped(tower_acc::line(), WAITING, leaving)
        }),
        ("bulkhead", |leaving| {
            dropped(bulkhead::line(), WAITING, leaving)
        }),
        ("tokio", |leaving| {
            dropped(semaphore::line(), WAITING, leaving)
        }),
        ("priority-semaphore", |leaving| {
            dropped(priority_semaphore::line(), WAITING, leaving)
        }),
    ];
    ask(criterion, "cancellation", &Leaving::BOTH, &contenders);
}

criterion_group! {
    name = cancellation;
    config = criterion().sample_size(10);
    targets = leaving
}
criterion_main!(cancellation);
