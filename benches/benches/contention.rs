//! What does a call cost while another thread calls, too?

use criterion::{Criterion, criterion_group, criterion_main};
use inflight_benches::calls::Calling;
use inflight_benches::ours::concurrency_limit;
use inflight_benches::peers::{bulkhead, floor, load_shed, stock, tower_acc};
use inflight_benches::threads::calling;
use inflight_benches::{Contender, ROOM, ask, criterion};

const THREADS: [u32; 2] = [1, 2];

fn never_full_reused(criterion: &mut Criterion) {
    let contenders: [Contender<u32>; 5] = [
        ("ours", |threads| {
            calling(concurrency_limit::service(ROOM), Calling::Reused, threads)
        }),
        ("floor", |threads| {
            calling(floor::service(ROOM), Calling::Reused, threads)
        }),
        ("tower", |threads| {
            calling(stock::service(ROOM), Calling::Reused, threads)
        }),
        ("tower-acc", |threads| {
            calling(tower_acc::service(), Calling::Reused, threads)
        }),
        ("bulkhead", |threads| {
            calling(bulkhead::service(ROOM), Calling::Reused, threads)
        }),
    ];
    ask(
        criterion,
        "contention/never-full/reused",
        &THREADS,
        &contenders,
    );
}

fn never_full_cloned(criterion: &mut Criterion) {
    let contenders: [Contender<u32>; 5] = [
        ("ours", |threads| {
            calling(concurrency_limit::service(ROOM), Calling::Cloned, threads)
        }),
        ("floor", |threads| {
            calling(floor::service(ROOM), Calling::Cloned, threads)
        }),
        ("tower", |threads| {
            calling(stock::service(ROOM), Calling::Cloned, threads)
        }),
        ("tower-acc", |threads| {
            calling(tower_acc::service(), Calling::Cloned, threads)
        }),
        ("bulkhead", |threads| {
            calling(bulkhead::service(ROOM), Calling::Cloned, threads)
        }),
    ];
    ask(
        criterion,
        "contention/never-full/cloned",
        &THREADS,
        &contenders,
    );
}

fn full(criterion: &mut Criterion) {
    let contenders: [Contender<u32>; 3] = [
        ("ours", |threads| {
            let (service, held) = concurrency_limit::full(0);
            calling(service, Calling::Reused, threads).keeping(held)
        }),
        ("floor", |threads| {
            calling(floor::full(), Calling::Reused, threads)
        }),
        ("tower-load-shed", |threads| {
            let (service, held) = load_shed::full(0);
            calling(service, Calling::Reused, threads).keeping(held)
        }),
    ];
    ask(criterion, "contention/full", &THREADS, &contenders);
}

criterion_group! {
    name = contention;
    config = criterion();
    targets = never_full_reused, never_full_cloned, full
}
criterion_main!(contention);
