//! What may be configured, how it is refused, and how it is shown.

use std::panic::catch_unwind;
use std::time::Duration;

use tower_inflight::{
    ConcurrencyLimit, ConcurrencyLimitLayer, ConcurrencyLimitOptions, Limiter, PriorityQueueLayer,
};

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

#[track_caller]
fn refused(options: ConcurrencyLimitOptions, text: &str) {
    let error = Limiter::builder()
        .options(options)
        .build()
        .expect_err("they cannot be used");
    assert_eq!(error.to_string(), text);
    let layer = ConcurrencyLimitLayer::builder().options(options).build();
    assert_eq!(layer.expect_err("nor here"), error);
    let layer = PriorityQueueLayer::builder(|(): &()| 0)
        .options(options)
        .build();
    assert_eq!(layer.expect_err("nor here"), error);
}

#[test]
fn a_limit_is_between_one_and_the_largest() {
    let options = |max_concurrency| ConcurrencyLimitOptions {
        max_concurrency,
        ..ConcurrencyLimitOptions::default()
    };
    refused(
        options(0),
        "ConcurrencyLimitOptions.max_concurrency must be positive (was 0)",
    );
    refused(
        options(usize::MAX),
        "ConcurrencyLimitOptions.max_concurrency must be at most 2147483647 \
         (was 18446744073709551615)",
    );
    let largest = Limiter::new(2_147_483_647);
    assert_eq!(largest.snapshot().available, 2_147_483_647);
}

#[test]
fn a_queue_timeout_is_positive_and_no_longer_than_a_timer_counts() {
    let options = |queue_timeout| ConcurrencyLimitOptions {
        queue_limit: 1,
        queue_timeout: Some(queue_timeout),
        ..ConcurrencyLimitOptions::default()
    };
    refused(
        options(Duration::ZERO),
        "ConcurrencyLimitOptions.queue_timeout must be positive (was 0ns)",
    );
    for (timeout, shown) in [
        (ms(4_294_967_295), "4294967.295s"),
        (Duration::MAX, "18446744073709551615.999999999s"),
    ] {
        refused(
            options(timeout),
            &format!(
                "ConcurrencyLimitOptions.queue_timeout must be at most 4294967.294s (was {shown})"
            ),
        );
    }
    assert!(
        Limiter::builder()
            .options(options(ms(4_294_967_294)))
            .build()
            .is_ok()
    );
    assert!(
        Limiter::builder()
            .options(options(Duration::from_nanos(1)))
            .build()
            .is_ok()
    );
}

#[test]
fn the_limit_is_checked_before_the_timeout() {
    let error = Limiter::builder()
        .queue_timeout(Duration::ZERO)
        .max_concurrency(0)
        .build()
        .unwrap_err();
    assert_eq!(error.options(), "ConcurrencyLimitOptions");
    assert_eq!(error.property(), "max_concurrency");
    assert_eq!(error.requirement(), "must be positive");
    assert_eq!(error.value(), "0");
}

#[test]
fn any_queue_limit_will_do() {
    let limiter = Limiter::queued(1, usize::MAX);
    assert_eq!(limiter.options().fixed().unwrap().queue_limit, usize::MAX);
    let _held = limiter.try_acquire().unwrap();
    let _waiting = limiter.acquire();
    assert_eq!(limiter.snapshot().queued, 1);
}

#[test]
fn new_panics_with_the_same_text() {
    let makers: [fn(); 5] = [
        || drop(Limiter::new(0)),
        || drop(Limiter::queued(0, 1)),
        || drop(ConcurrencyLimitLayer::new(0)),
        || drop(ConcurrencyLimit::new((), 0)),
        || drop(PriorityQueueLayer::new(0, 1, |(): &()| 0)),
    ];
    for make in makers {
        let payload = catch_unwind(make).unwrap_err();
        assert_eq!(
            payload.downcast_ref::<String>().unwrap(),
            "ConcurrencyLimitOptions.max_concurrency must be positive (was 0)",
        );
    }
}

#[test]
fn options_are_copied_when_a_limiter_is_built() {
    let mut options = ConcurrencyLimitOptions::default();
    let limiter = Limiter::builder().options(options).build().unwrap();
    options.max_concurrency = 90;
    assert_eq!(limiter.options().fixed().unwrap().max_concurrency, 10);
    assert_ne!(limiter.options().fixed(), Some(options));
    assert_eq!(limiter.snapshot().limit, 10);
}

#[track_caller]
fn shows(limiter: &Limiter, text: &str) {
    assert_eq!(limiter.to_string(), text);
}

#[test]
fn a_limiter_shows_its_settings() {
    let builder = || Limiter::builder().queue_limit(20);
    shows(&Limiter::new(10), "ConcurrencyLimit(10)");
    shows(&Limiter::queued(10, 20), "ConcurrencyLimit(10, queue 20)");
    shows(
        &builder().queue_timeout(ms(250)).build().unwrap(),
        "ConcurrencyLimit(10, queue 20/250ms)",
    );
    shows(
        &builder()
            .queue_timeout(ms(250))
            .use_priority_queue(true)
            .build()
            .unwrap(),
        "ConcurrencyLimit(10, queue 20/250ms, priority queue)",
    );
    shows(
        &Limiter::builder().use_priority_queue(true).build().unwrap(),
        "ConcurrencyLimit(10, priority queue)",
    );
    shows(
        &Limiter::builder().queue_timeout(ms(250)).build().unwrap(),
        "ConcurrencyLimit(10)",
    );
}

#[test]
fn layers_show_their_limiter() {
    assert_eq!(
        ConcurrencyLimitLayer::queued(10, 20).to_string(),
        "ConcurrencyLimit(10, queue 20)",
    );
    assert_eq!(
        PriorityQueueLayer::new(10, 20, |(): &()| 0).to_string(),
        "ConcurrencyLimit(10, queue 20, priority queue)",
    );
    assert_eq!(
        ConcurrencyLimitLayer::new(10).fallback(()).to_string(),
        "ConcurrencyLimit(10)",
    );
}

#[test]
fn a_name_is_kept_and_shown() {
    let limiter = Limiter::builder().name("options::search").build().unwrap();
    assert_eq!(limiter.name(), Some("options::search"));
    assert!(format!("{limiter:?}").contains("options::search"));
    assert_eq!(Limiter::new(1).name(), None);
}
