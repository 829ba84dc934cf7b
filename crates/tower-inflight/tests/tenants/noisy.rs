use std::collections::BTreeMap;
use std::time::Duration;

use tower::Layer;
use tower_inflight::builder::KeyedLimitBuilder;
use tower_inflight::{ConcurrencyLimitLayer, Fairness, KeyedLimitLayer};

use crate::traffic::{Fate, MEAN_WORK, Request, Tenant, run, worker};

/// Of all tenants together.
const TOTAL: u32 = 12;

const LENGTH: Duration = Duration::from_secs(60);

/// How many calls a second would keep a tenant's third of the total busy.
fn share() -> f64 {
    f64::from(TOTAL) / 3.0 / MEAN_WORK.as_secs_f64()
}

/// Two who ask for half of their share.
fn quiet() -> [Tenant; 2] {
    ['a', 'b'].map(|name| Tenant {
        name,
        rate: share() / 2.0,
    })
}

/// The same two, and one that asks for fifty times its share.
fn with_a_noisy_one() -> [Tenant; 3] {
    let [a, b] = quiet();
    let noisy = Tenant {
        name: 'n',
        rate: share() * 50.0,
    };
    [a, b, noisy]
}

/// With a line that is long enough for ten thousand callers of one tenant.
fn keyed(key_limit: usize) -> KeyedLimitBuilder<char, fn(&Request) -> char> {
    let key: fn(&Request) -> char = |request| request.tenant;
    KeyedLimitLayer::builder(key)
        .max_concurrency(TOTAL as usize)
        .key_max_concurrency(key_limit)
        .queue_limit(100_000)
        .key_queue_limit(10_000)
}

async fn without_and_with(
    layer: impl Fn() -> KeyedLimitLayer<char, fn(&Request) -> char>,
) -> [BTreeMap<char, Fate>; 2] {
    let without = run(layer().layer(worker()), &quiet(), LENGTH, &['a', 'b']).await;
    let layer = layer();
    let service = layer.layer(worker());
    let with = run(service, &with_a_noisy_one(), LENGTH, &['a', 'b']).await;
    [without, with]
}

#[track_caller]
fn nobody_else_suffers([without, with]: &[BTreeMap<char, Fate>; 2]) {
    assert!(with[&'n'].rejected > 50_000, "the noisy one fills its line");
    for quiet in ['a', 'b'] {
        let (before, after) = (&without[&quiet], &with[&quiet]);
        assert!(before.latencies.len() > 1_000, "a p99 of a few says little");
        assert_eq!((before.rejected, after.rejected), (0, 0));
        assert_eq!(before.latencies.len(), after.latencies.len());
        let most = before.p99().mul_f64(1.1);
        assert!(after.p99() <= most, "{:?}, not {most:?}", after.p99());
    }
}

/// Limits of the keys that make up the total: nobody ever meets anybody.
#[tokio::test(start_paused = true)]
async fn with_a_part_of_the_total_for_each_a_noisy_tenant_is_not_felt() {
    let fates = without_and_with(|| keyed(4).build().unwrap()).await;
    nobody_else_suffers(&fates);
    let [without, with] = fates;
    for quiet in ['a', 'b'] {
        assert_eq!(without[&quiet].p99(), with[&quiet].p99());
    }
}

/// Limits of the keys that come to twice the total: who is next counts.
#[tokio::test(start_paused = true)]
async fn in_turns_a_noisy_tenant_costs_the_others_no_tenth_of_their_p99() {
    for key_limit in [8, 12] {
        let layer = || {
            let layer = keyed(key_limit).fairness(Fairness::RoundRobin);
            layer.build().unwrap()
        };
        nobody_else_suffers(&without_and_with(layer).await);
    }
}

/// What the two above are worth: one limit for all, and the same traffic.
#[tokio::test(start_paused = true)]
async fn behind_one_limit_for_all_a_noisy_tenant_is_everybodys_trouble() {
    let layer = || ConcurrencyLimitLayer::queued(TOTAL as usize, 10_000);
    let without = run(layer().layer(worker()), &quiet(), LENGTH, &['a', 'b']).await;
    let service = layer().layer(worker());
    let with = run(service, &with_a_noisy_one(), LENGTH, &['a', 'b']).await;
    for quiet in ['a', 'b'] {
        assert_eq!(without[&quiet].rejected, 0);
        assert!(with[&quiet].rejected > with[&quiet].latencies.len());
        assert!(with[&quiet].p99() > without[&quiet].p99() * 100);
    }
}
