//! What does a call cost that is admitted at once?

use criterion::{Criterion, criterion_group, criterion_main};
use inflight_benches::calls::{Calling, repeated};
use inflight_benches::ours::{concurrency_limit, limiter, priority_queue};
use inflight_benches::peers::{
    bulkhead, floor, global, little_loadshedder, load_shed, priority_semaphore, semaphore, stock,
    tower_acc,
};
use inflight_benches::{Contender, ROOM, ask, criterion};

fn services(criterion: &mut Criterion) {
    let contenders: [Contender<Calling>; 10] = [
        ("ours", |calling| {
            repeated(concurrency_limit::service(ROOM), calling)
        }),
        ("ours-by-priority", |calling| {
            repeated(priority_queue::service(ROOM), calling)
        }),
        ("floor", |calling| repeated(floor::service(ROOM), calling)),
        ("tower", |calling| repeated(stock::service(ROOM), calling)),
        ("tower-global", |calling| {
            repeated(global::service(ROOM), calling)
        }),
        ("tower-load-shed", |calling| {
            repeated(load_shed::service(ROOM), calling)
        }),
        ("tower-acc", |calling| {
            repeated(tower_acc::service(), calling)
        }),
        ("bulkhead", |calling| {
            repeated(bulkhead::service(ROOM), calling)
        }),
        ("bulkhead-backpressure", |calling| {
            repeated(bulkhead::backpressure(ROOM), calling)
        }),
        ("little-loadshedder", |calling| {
            repeated(little_loadshedder::service(), calling)
        }),
    ];
    ask(criterion, "admission", &Calling::BOTH, &contenders);
}

fn semaphores(criterion: &mut Criterion) {
    let contenders: [Contender<usize>; 6] = [
        ("ours", limiter::acquire),
        ("ours-try", limiter::try_acquire),
        ("tokio", semaphore::acquire),
        ("tokio-try", semaphore::try_acquire),
        ("priority-semaphore", priority_semaphore::acquire),
        ("priority-semaphore-try", priority_semaphore::try_acquire),
    ];
    ask(criterion, "admission/permit", &[ROOM], &contenders);
}

criterion_group!(name = admission; config = criterion(); targets = services, semaphores);
criterion_main!(admission);
