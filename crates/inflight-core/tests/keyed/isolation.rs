use inflight_core::{Fairness, KeyedOptions};

use crate::gates::{gate, options, ticket};
use crate::simulation::{Simulation, TENANTS};

#[test]
fn ten_thousand_waiters_of_one_key_delay_nobody_else() {
    let gate = gate(10, 2);
    let _running = [0, 1].map(|_| gate.expect_admitted("noisy", ticket()));
    let _waiting: Vec<_> = (0..10_000)
        .map(|_| gate.expect_queued("noisy", ticket()))
        .collect();
    for _ in 0..100 {
        let others = ["a", "b", "c", "d"].map(|key| gate.expect_admitted(key, ticket()));
        drop(others);
    }
}

/// Ten slots, and so many of one tenant's.
fn house(key_limit: usize, fairness: Fairness) -> KeyedOptions {
    KeyedOptions {
        fairness,
        key_queue_limit: 1_000,
        ..options(10, key_limit)
    }
}

/// By how much the 99th percentile of each quiet tenant's latency grows when
/// the noisy one comes at 50 times its share.
fn harm(options: &KeyedOptions) -> [f64; TENANTS] {
    let quiet = Simulation::run(options, 0.0);
    let noisy = Simulation::run(options, 50.0);
    std::array::from_fn(|tenant| noisy.p99(tenant) / quiet.p99(tenant))
}

#[test]
fn a_noisy_tenant_at_fifty_times_its_share_leaves_the_others_p99_within_a_tenth() {
    for fairness in [Fairness::Arrival, Fairness::RoundRobin] {
        let harm = harm(&house(3, fairness));
        assert!(
            harm.iter().all(|harm| *harm < 1.1),
            "{fairness:?}: {harm:?}"
        );
    }
}

/// Without a limit of its own it can have all the slots, and then another waits
/// until one of ten calls has ended, but not behind a crowd.
#[test]
fn turns_alone_keep_the_harm_small_where_no_key_has_a_limit() {
    let harm = harm(&house(10, Fairness::RoundRobin));
    assert!(harm.iter().all(|harm| *harm < 1.2), "{harm:?}");
}

/// What the others are protected from.
#[test]
fn by_arrival_and_without_a_limit_of_its_own_a_noisy_tenant_does_harm() {
    let harm = harm(&house(10, Fairness::Arrival));
    assert!(harm.iter().all(|harm| *harm > 5.0), "{harm:?}");
}
