//! Who is told that the limit has changed, and when.

use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use inflight_test::{Task, waker_on_wake};
use tokio::time::advance;
use tower::Service;
use tower_inflight::algorithm::{Aimd, Algorithm, Evaluation, Limit, Sample, Verdict};
use tower_inflight::{
    AdaptiveAimdLayer, AdaptiveLayer, AimdOptions, LimitChange, Limiter, Outcome,
};

use crate::house::{House, SECOND, ms};
use crate::recorder::limit_of;

/// Moves the limit by one with each call, up after a success, else down.
struct Nervous(Limit);

impl Algorithm for Nervous {
    fn limit(&self) -> Limit {
        self.0
    }

    fn observe(&mut self, sample: &Sample) -> Limit {
        let limit = self.0.get();
        self.0 = match sample.outcome {
            Outcome::Success => limit_of(limit + 1),
            Outcome::Overload => limit_of(limit - 1),
            _ => self.0,
        };
        self.0
    }
}

/// Goes a step further than the rule that it asks.
struct Exaggerating(Aimd);

impl Algorithm for Exaggerating {
    fn limit(&self) -> Limit {
        self.0.limit()
    }

    fn observe(&mut self, sample: &Sample) -> Limit {
        let before = self.0.limit();
        let after = self.0.observe(sample);
        limit_of(after.get() + usize::from(after != before))
    }

    fn last_evaluation(&self) -> Option<Evaluation> {
        self.0.last_evaluation()
    }
}

type Told = Arc<Mutex<Vec<LimitChange>>>;

fn told() -> (Told, impl Fn(&LimitChange) + Send + Sync + 'static) {
    let told = Told::default();
    let hook = {
        let told = Arc::clone(&told);
        move |change: &LimitChange| told.lock().unwrap().push(*change)
    };
    (told, hook)
}

#[tokio::test(start_paused = true)]
async fn a_change_is_told_with_its_reason() {
    let (told, hook) = told();
    let layer = AdaptiveAimdLayer::builder()
        .initial_limit(2)
        .name("news::search")
        .on_limit_change(hook)
        .build()
        .unwrap();
    let mut house = House::aimd(&layer);
    let changes = house.limiter.limit_changes().unwrap();
    assert!(changes.borrow().is_none());

    let timed = async |house: &mut House, millis, result| {
        let job = house.started();
        let mut call = house.begin();
        advance(ms(millis)).await;
        house.end(job, &mut call, result);
        advance(ms(1_000 - millis)).await;
    };
    for (millis, result) in [(10, Ok(1)), (10, Ok(1)), (50, Ok(1)), (50, Err("failed"))] {
        timed(&mut house, millis, result).await;
    }
    let told: Vec<_> = told.lock().unwrap().clone();
    let facts: Vec<_> = told
        .iter()
        .map(|change| {
            (
                change.number(),
                change.before(),
                change.after(),
                change.verdict(),
            )
        })
        .collect();
    assert_eq!(
        facts,
        [
            (1, 2, 3, Some(Verdict::Growth)),
            (2, 3, 2, Some(Verdict::Latency)),
            (3, 2, 1, Some(Verdict::Overload)),
        ]
    );
    assert_eq!(
        told[1].to_string(),
        "concurrency limit `news::search` went from 3 to 2 (latency)"
    );
    assert_eq!(told[2].name(), Some("news::search"));
    assert!(told[2].is_enforced());
    let evaluation = told[1].evaluation().unwrap();
    assert_eq!(evaluation.window.mean_latency, Some(ms(50)));
    assert_eq!(changes.borrow().unwrap().number(), 3, "the latest is kept");
}

#[tokio::test(start_paused = true)]
async fn adaptation_shows_decisions_that_change_nothing_too() {
    let mut house = House::halving(10);
    house.succeed();
    advance(SECOND).await;
    house.succeed();
    let adaptation = house.limiter.adaptation().unwrap();
    assert_eq!((adaptation.limit, adaptation.changes), (10, 0));
    assert_eq!(adaptation.last.unwrap().verdict, Verdict::Hold);
    assert_eq!(adaptation.baseline(), Some(Duration::from_nanos(100)));
    let window = adaptation.last_window().unwrap();
    assert_eq!((window.successes, window.overloads, window.peak), (2, 0, 1));
}

#[test]
fn a_change_can_be_waited_for() {
    let layer = AdaptiveLayer::new(Nervous(limit_of(3)));
    let mut house = House::new(&layer);
    let mut changes = house.limiter.limit_changes().unwrap();
    let mut next = Task::new(async move {
        changes.changed().await.unwrap();
        let change = *changes.borrow_and_update();
        (change, changes)
    });
    next.expect_pending();
    house.succeed();
    assert!(next.is_woken());
    let (change, changes) = next.expect_ready();
    assert_eq!(change.unwrap().verdict(), None, "it does not say why");
    assert_eq!(
        change.unwrap().to_string(),
        "concurrency limit went from 3 to 4"
    );

    drop((house, layer));
    assert!(changes.has_changed().is_err(), "the limiter is gone");
}

#[tokio::test(start_paused = true)]
async fn an_evaluation_that_led_elsewhere_is_no_reason() {
    let (told, hook) = told();
    let aimd = Aimd::new(AimdOptions {
        initial_limit: 2,
        ..AimdOptions::default()
    });
    let layer = AdaptiveLayer::builder(Exaggerating(aimd.unwrap()))
        .on_limit_change(hook)
        .build()
        .unwrap();
    let mut house = House::new(&layer);
    house.succeed();
    advance(SECOND).await;
    house.succeed();
    let last = house.limiter.adaptation().unwrap().last.unwrap();
    assert_eq!((last.before.get(), last.after.get()), (2, 3));
    let told = told.lock().unwrap();
    let facts: Vec<_> = told
        .iter()
        .map(|change| (change.before(), change.after(), change.verdict()))
        .collect();
    assert_eq!(facts, [(2, 4, None)]);
}

#[test]
fn a_hook_may_use_the_limiter_and_sees_the_permit_back() {
    let limiter: Arc<OnceLock<Limiter>> = Arc::default();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let layer = AdaptiveLayer::builder(Nervous(limit_of(5)))
        .on_limit_change({
            let (limiter, seen) = (Arc::clone(&limiter), Arc::clone(&seen));
            move |change| {
                let limiter = limiter.get().unwrap();
                let adaptation = limiter.adaptation().unwrap();
                let in_flight = limiter.snapshot().in_flight;
                seen.lock().unwrap().push((adaptation.limit, in_flight));
                if change.after() == 6 {
                    // Another change, from inside the hook.
                    let permit = limiter.try_acquire().unwrap().measured();
                    permit.finish(Outcome::Success);
                }
            }
        })
        .build()
        .unwrap();
    let mut house = House::new(&layer);
    limiter.set(house.limiter.clone()).unwrap();
    house.succeed();
    assert_eq!(*seen.lock().unwrap(), [(6, 0), (7, 0)]);
}

#[test]
fn a_hook_that_panics_harms_nobody() {
    let layer = AdaptiveLayer::builder(Nervous(limit_of(3)))
        .on_limit_change(|_| panic!("no news"))
        .build()
        .unwrap();
    let mut house = House::new(&layer);
    let changes = house.limiter.limit_changes().unwrap();
    house.succeed();
    assert_eq!(house.limit(), 4);
    assert_eq!(house.load(), (0, 0));
    assert_eq!(house.limiter.hook_failures(), 1);
    assert_eq!(changes.borrow().unwrap().after(), 4);
}

/// Wakers are the application's code: under the algorithm's lock this one
/// would wait for itself.
#[test]
fn who_was_let_in_is_woken_outside_every_lock() {
    let layer = AdaptiveLayer::builder(Nervous(limit_of(1)))
        .queue_limit(1)
        .build()
        .unwrap();
    let mut house = House::new(&layer);
    let mut running = house.begin();
    let mut waiting = Box::pin(house.service.call(1));
    let limiter = house.limiter.clone();
    let seen = Arc::new(Mutex::new(None));
    let waker = waker_on_wake({
        let seen = Arc::clone(&seen);
        move || *seen.lock().unwrap() = limiter.adaptation()
    });
    let mut cx = std::task::Context::from_waker(&waker);
    assert!(waiting.as_mut().poll(&mut cx).is_pending());
    house.end(0, &mut running, Ok(1));
    let adaptation = seen.lock().unwrap().expect("it was woken");
    assert_eq!(adaptation.limit, 2);
}
