//! Permits without a layer.

use tokio::time::advance;
use tower_inflight::{ConcurrencyLimit, Limiter, Outcome, Ticket};

use crate::house::{House, SECOND, halving, ms};
use crate::recorder::Recorder;

#[tokio::test(start_paused = true)]
async fn a_measured_permit_teaches_like_a_call() {
    let recorder = Recorder::new(4);
    let limiter = recorder.layer().limiter();
    let permit = limiter.acquire_with(Ticket::new().with_weight(3)).await;
    let permit = permit.unwrap().measured();
    advance(ms(12)).await;
    assert_eq!(permit.weight(), 3);
    assert_eq!(permit.limiter().snapshot().in_flight, 3);
    permit.finish(Outcome::Overload);
    let sample = recorder.only();
    assert_eq!(sample.outcome, Outcome::Overload);
    assert_eq!((sample.latency, sample.in_flight), (12_000_000, 3));
    assert_eq!(limiter.snapshot().in_flight, 0);
}

#[test]
fn a_measured_permit_that_is_dropped_says_nothing() {
    let recorder = Recorder::new(1);
    let limiter = recorder.layer().limiter();
    drop(limiter.try_acquire().unwrap().measured());
    assert_eq!(recorder.outcomes(), [Outcome::Ignore]);
    assert_eq!(limiter.snapshot().in_flight, 0);
}

#[tokio::test(start_paused = true)]
async fn other_permits_are_counted_and_teach_nothing() {
    let recorder = Recorder::new(2);
    let layer = recorder.layer();
    let limiter = layer.limiter();
    drop(limiter.acquire().await.unwrap());
    limiter
        .run(async { Err::<(), _>("failed") })
        .await
        .unwrap()
        .unwrap_err();
    let fixed = tower::service_fn(|(): ()| async { Err::<(), _>("failed") });
    let mut fixed = ConcurrencyLimit::with_limiter(fixed, limiter.clone());
    tower::Service::call(&mut fixed, ()).await.unwrap_err();
    assert_eq!(recorder.samples(), []);

    let _held = limiter.try_acquire().unwrap();
    House::new(&layer).succeed();
    assert_eq!(recorder.only().in_flight, 2);
}

#[tokio::test(start_paused = true)]
async fn by_hand_the_rule_works_as_in_a_layer() {
    let limiter = halving(4).limiter();
    for limit in [4, 2, 1] {
        let permit = limiter.try_acquire().unwrap().measured();
        permit.finish(Outcome::Overload);
        assert_eq!(limiter.snapshot().limit, limit);
        advance(SECOND).await;
    }
}

#[test]
fn with_a_fixed_limiter_it_is_an_ordinary_permit() {
    let limiter = Limiter::new(1);
    let permit = limiter.try_acquire().unwrap().measured();
    assert!(limiter.try_acquire().is_err());
    permit.finish(Outcome::Overload);
    assert!(limiter.try_acquire().is_ok());
    assert_eq!(limiter.snapshot().limit, 1);
    assert!(limiter.adaptation().is_none());
    assert!(limiter.limit_changes().is_none());
}
