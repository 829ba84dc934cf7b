//! What does a call cost that is turned away?

use criterion::{Criterion, criterion_group, criterion_main};
use inflight_benches::calls::{Calling, read, repeated};
use inflight_benches::ours::{concurrency_limit, limiter, priority_queue};
use inflight_benches::peers::{
    bulkhead, floor, little_loadshedder, load_shed, priority_semaphore, semaphore,
};
use inflight_benches::{Contender, ask, criterion};

fn unread(criterion: &mut Criterion) {
    let contenders: [Contender<Calling>; 7] = [
        ("ours", |calling| {
            let (service, held) = concurrency_limit::full(0);
            repeated(service, calling).keeping(held)
        }),
        ("ours-full-line", |calling| {
            let (service, held) = concurrency_limit::full(10);
            repeated(service, calling).keeping(held)
        }),
        ("ours-full-line-with-deadlines", |calling| {
            let (service, held) = concurrency_limit::full_with_deadlines(10);
            repeated(service, calling).keeping(held)
        }),
        ("ours-full-line-by-priority", |calling| {
            let (service, held) = priority_queue::full(10);
            repeated(service, calling).keeping(held)
        }),
        ("floor", |calling| repeated(floor::full(), calling)),
        ("tower-load-shed", |calling| {
            let (service, held) = load_shed::full(0);
            repeated(service, calling).keeping(held)
        }),
        ("little-loadshedder", |calling| {
            let (service, held) = little_loadshedder::full();
            repeated(service, calling).keeping(held)
        }),
    ];
    ask(criterion, "rejection", &Calling::BOTH, &contenders);
    let through_a_timer: [Contender<Calling>; 1] = [("bulkhead", |_| bulkhead::rejected())];
    ask(criterion, "rejection", &[Calling::Reused], &through_a_timer);
}

fn and_read(criterion: &mut Criterion) {
    let contenders: [Contender<Calling>; 2] = [
        ("ours", |_| {
            let (service, held) = concurrency_limit::full(0);
            read(service, concurrency_limit::facts).keeping(held)
        }),
        ("tower-load-shed", |_| {
            let (service, held) = load_shed::full(0);
            read(service, load_shed::is_shed).keeping(held)
        }),
    ];
    ask(criterion, "rejection/read", &[Calling::Reused], &contenders);
}

fn permits(criterion: &mut Criterion) {
    let contenders: [Contender<usize>; 3] = [
        ("ours-try", |_| limiter::try_acquire_full()),
        ("tokio-try", semaphore::try_acquire),
        ("priority-semaphore-try", priority_semaphore::try_acquire),
    ];
    ask(criterion, "rejection/permit", &[0], &contenders);
}

criterion_group!(name = rejection; config = criterion(); targets = unread, and_read, permits);
criterion_main!(rejection);
