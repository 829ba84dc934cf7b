//! What does it cost to hand a permit to the next in the line, and to join its end?

use criterion::{Criterion, criterion_group, criterion_main};
use inflight_benches::hand_over::steady;
use inflight_benches::ours::{concurrency_limit, limiter, priority_queue};
use inflight_benches::peers::{bulkhead, priority_semaphore, semaphore, stock, tower_acc};
use inflight_benches::{Contender, Priorities, ask, criterion};

const WAITING: [usize; 3] = [10, 1_000, 100_000];

fn first_come_first_served(criterion: &mut Criterion) {
    let contenders: [Contender<usize>; 7] = [
        ("ours", |waiting| {
            steady(concurrency_limit::line(), waiting, Priorities::One)
        }),
        ("ours-permit", |waiting| {
            steady(limiter::line(), waiting, Priorities::One)
        }),
        ("tower", |waiting| {
            steady(stock::line(), waiting, Priorities::One)
        }),
        ("tower-acc", |waiting| {
            steady(tower_acc::line(), waiting, Priorities::One)
        }),
        ("bulkhead", |waiting| {
            steady(bulkhead::line(), waiting, Priorities::One)
        }),
        ("tokio", |waiting| {
            steady(semaphore::line(), waiting, Priorities::One)
        }),
        ("priority-semaphore", |waiting| {
            steady(priority_semaphore::line(), waiting, Priorities::One)
        }),
    ];
    ask(criterion, "hand-over", &WAITING, &contenders);
}

fn by_priority(criterion: &mut Criterion) {
    let one: [Contender<usize>; 2] = [
        ("ours", |waiting| {
            steady(priority_queue::line(usize::MAX), waiting, Priorities::One)
        }),
        ("ours-permit", |waiting| {
            steady(limiter::priority_line(), waiting, Priorities::One)
        }),
    ];
    let ten: [Contender<usize>; 3] = [
        ("ours", |waiting| {
            steady(priority_queue::line(usize::MAX), waiting, Priorities::Ten)
        }),
        ("ours-permit", |waiting| {
            steady(limiter::priority_line(), waiting, Priorities::Ten)
        }),
        ("priority-semaphore", |waiting| {
            steady(priority_semaphore::line(), waiting, Priorities::Ten)
        }),
    ];
    let distinct: [Contender<usize>; 3] = [
        ("ours", |waiting| {
            steady(
                priority_queue::line(usize::MAX),
                waiting,
                Priorities::Distinct,
            )
        }),
        ("ours-permit", |waiting| {
            steady(limiter::priority_line(), waiting, Priorities::Distinct)
        }),
        ("priority-semaphore", |waiting| {
            steady(priority_semaphore::line(), waiting, Priorities::Distinct)
        }),
    ];
    ask(criterion, "hand-over/one-priority", &WAITING, &one);
    ask(criterion, "hand-over/ten-priorities", &WAITING, &ten);
    ask(
        criterion,
        "hand-over/distinct-priorities",
        &WAITING,
        &distinct,
    );
}

criterion_group! {
    name = hand_over;
    config = criterion();
    targets = first_come_first_served, by_priority
}
criterion_main!(hand_over);
