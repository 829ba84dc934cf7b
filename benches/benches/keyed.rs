//! What does a limit by key cost, beside a map of semaphores?

use criterion::{Criterion, criterion_group, criterion_main};
use inflight_benches::keyed::{
    Crowd, admitted, handed_over_of_key, handed_over_of_total, newcomers, refused,
};
use inflight_benches::ours::keyed::Keyed;
use inflight_benches::peers::semaphores_by_key::{Dashed, Locked, Semaphores};
use inflight_benches::{Contender, ask, criterion};

type Map = Semaphores<Locked>;
type Dash = Semaphores<Dashed>;

fn calls(criterion: &mut Criterion) {
    let contenders: [Contender<Crowd>; 3] = [
        ("ours", admitted::<Keyed>),
        ("map", admitted::<Map>),
        ("dashmap", admitted::<Dash>),
    ];
    ask(criterion, "keyed/admitted", &Crowd::ALL, &contenders);
    let contenders: [Contender<Crowd>; 3] = [
        ("ours", newcomers::<Keyed>),
        ("map", newcomers::<Map>),
        ("dashmap", newcomers::<Dash>),
    ];
    ask(criterion, "keyed/new-key", &Crowd::ALL, &contenders);
    let contenders: [Contender<Crowd>; 3] = [
        ("ours", refused::<Keyed>),
        ("map", refused::<Map>),
        ("dashmap", refused::<Dash>),
    ];
    ask(criterion, "keyed/refused", &Crowd::ALL, &contenders);
}

fn hand_over(criterion: &mut Criterion) {
    let contenders: [Contender<u64>; 3] = [
        ("ours", handed_over_of_key::<Keyed>),
        ("map", handed_over_of_key::<Map>),
        ("dashmap", handed_over_of_key::<Dash>),
    ];
    let keys = [1, 100, 100_000];
    ask(criterion, "keyed/hand-over-of-key", &keys, &contenders);
    let contenders: [Contender<u64>; 3] = [
        ("ours", handed_over_of_total::<Keyed>),
        ("map", handed_over_of_total::<Map>),
        ("dashmap", handed_over_of_total::<Dash>),
    ];
    let keys = [2, 100, 100_000];
    ask(criterion, "keyed/hand-over-of-total", &keys, &contenders);
}

criterion_group! {
    name = keyed;
    config = criterion();
    targets = calls, hand_over
}
criterion_main!(keyed);
