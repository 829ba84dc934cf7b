use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::num::NonZeroU32;
use std::time::Duration;

use inflight_test::Task;
use tower::Layer;
use tower_inflight::algorithm::Limit;
use tower_inflight::future::Acquire;
use tower_inflight::{Fairness, KeyPlan, KeyedLimitLayer, KeyedLimiter, KeyedPermit};

use crate::traffic::{Fate, MEAN_WORK, Request, Tenant, run, worker};

type Key = u32;

/// One permit, and who waits for it.
struct Counter {
    limiter: KeyedLimiter<Key>,
    held: Option<KeyedPermit<Key>>,
    line: VecDeque<(Key, Task<Acquire<KeyedPermit<Key>>>)>,
}

impl Counter {
    fn by(fairness: Fairness) -> Self {
        let limiter = KeyedLimiter::builder()
            .max_concurrency(1)
            .queue_limit(usize::MAX)
            .key_queue_limit(usize::MAX)
            .fairness(fairness)
            .build_limiter()
            .unwrap();
        let held = Some(limiter.try_acquire(0).unwrap());
        let line = VecDeque::new();
        Self {
            limiter,
            held,
            line,
        }
    }

    fn join(&mut self, key: Key) {
        let mut caller = Task::new(self.limiter.acquire(key));
        caller.expect_pending();
        self.line.push_back((key, caller));
    }

    /// Whose turn is next, which is then over.
    fn serve(&mut self) -> Key {
        drop(self.held.take());
        let mut woken = self.line.iter().enumerate();
        let (place, _) = woken.find(|(_, (_, caller))| caller.is_woken()).unwrap();
        let (key, mut caller) = self.line.remove(place).unwrap();
        self.held = Some(caller.expect_ready().unwrap());
        key
    }

    /// How many are served before `key`, and it.
    fn serve_until(&mut self, key: Key) -> usize {
        (1..=ENOUGH).find(|_| self.serve() == key).unwrap()
    }

    fn keys(&self) -> usize {
        let keys: BTreeSet<_> = self.line.iter().map(|(key, _)| key).collect();
        keys.len()
    }
}

/// Two, since each may be one turn behind what is due to it.
#[test]
fn in_turns_a_newcomer_waits_for_two_turns_of_each_key_at_most() {
    let mut counter = Counter::by(Fairness::RoundRobin);
    for key in 1..=5 {
        (0..100).for_each(|_| counter.join(key));
    }
    for newcomer in 10..60 {
        counter.join(newcomer);
        let keys = counter.keys();
        assert!(counter.serve_until(newcomer) <= 2 * keys);
        // The next one comes at another moment of the round.
        counter.serve();
    }
}

#[test]
fn by_arrival_a_newcomer_waits_for_all_who_came_before() {
    let mut counter = Counter::by(Fairness::Arrival);
    (0..100).for_each(|_| counter.join(1));
    counter.join(2);
    assert_eq!(counter.serve_until(2), 101);
}

/// Keys that come for one call and are then forgotten have had nothing yet,
/// each of them.
#[test]
fn in_turns_newcomers_without_end_starve_nobody_who_has_had_a_turn() {
    let mut counter = Counter::by(Fairness::RoundRobin);
    (0..20).for_each(|_| counter.join(1));
    let mut newcomers = 10..;
    for _ in 0..20 {
        let keys = counter.keys();
        let served = (1..=ENOUGH).find(|_| {
            counter.join(newcomers.next().unwrap());
            counter.serve() == 1
        });
        let served = served.unwrap();
        assert!(served <= 2 * keys, "{served} before one of {keys} keys");
    }
}

/// More turns than anybody should have to wait for.
const ENOUGH: usize = 1_000;

const LENGTH: Duration = Duration::from_secs(30);

/// Three who always have a call waiting, one of them 25 times as many as the
/// others.
async fn fates(plan: fn(&char) -> KeyPlan, fairness: Fairness) -> BTreeMap<char, Fate> {
    let key: fn(&Request) -> char = |request| request.tenant;
    let layer = KeyedLimitLayer::builder(key)
        .max_concurrency(12)
        .key_plan(plan)
        .queue_limit(usize::MAX)
        .key_queue_limit(usize::MAX)
        .fairness(fairness)
        .build()
        .unwrap();
    let share = 4.0 / MEAN_WORK.as_secs_f64();
    let tenants = [('a', 2.0), ('b', 2.0), ('n', 50.0)].map(|(name, times)| Tenant {
        name,
        rate: share * times,
    });
    run(layer.layer(worker()), &tenants, LENGTH, &[]).await
}

/// How fair it is that each got so much: 1 if all are equal, 1/n if one has all.
///
/// R. Jain, D. Chiu, W. Hawe: A Quantitative Measure of Fairness and
/// Discrimination for Resource Allocation in Shared Computer Systems, DEC
/// TR-301, 1984.
fn jain(got: &[f64]) -> f64 {
    let sum: f64 = got.iter().sum();
    let squares: f64 = got.iter().map(|got| got * got).sum();
    let n = f64::from(u32::try_from(got.len()).unwrap());
    sum * sum / (n * squares)
}

fn answered(fates: &BTreeMap<char, Fate>) -> [f64; 3] {
    ['a', 'b', 'n'].map(|tenant| {
        let answered = fates.get(&tenant).map_or(0, |fate| fate.latencies.len());
        f64::from(u32::try_from(answered).unwrap())
    })
}

/// As many as the total: a key's limit holds nobody back.
fn plan() -> KeyPlan {
    KeyPlan::new(Limit::new(12).unwrap())
}

#[tokio::test(start_paused = true)]
async fn in_turns_three_busy_tenants_get_the_same() {
    let in_turns = answered(&fates(|_| plan(), Fairness::RoundRobin).await);
    let by_arrival = answered(&fates(|_| plan(), Fairness::Arrival).await);
    assert!(jain(&in_turns) > 0.999, "{in_turns:?}");
    assert!(jain(&by_arrival) < 0.5, "{by_arrival:?}");
}

#[tokio::test(start_paused = true)]
async fn in_turns_a_share_of_three_gets_three_times_as_much() {
    let plan = |tenant: &char| match tenant {
        'b' => plan().with_share(NonZeroU32::new(3).unwrap()),
        _ => plan(),
    };
    let [a, b, n] = answered(&fates(plan, Fairness::RoundRobin).await);
    let fair = jain(&[a, b / 3.0, n]);
    assert!(fair > 0.99, "{:?}", [a, b, n]);
}
