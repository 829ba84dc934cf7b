use std::panic::panic_any;

use tower_inflight::Limiter;
use tower_inflight::builder::LimiterBuilder;
use tracing::Level;

use crate::log::{Entry, Log};

/// Has the limiter reject one call, and gives what was said of its hook.
fn said_of_a_rejection(builder: LimiterBuilder) -> Vec<Entry> {
    let log = Log::new();
    let limiter = builder.max_concurrency(1).build();
    let limiter = limiter.expect("it can be built");
    let _held = limiter.try_acquire().expect("nobody runs");
    limiter.try_acquire().expect_err("it is full");
    let mut entries = log.take();
    entries.retain(|entry| entry.level == Level::ERROR);
    entries
}

#[track_caller]
fn assert_one(entries: &[Entry], fields: &[(&'static str, &str)]) {
    let [entry] = entries else {
        panic!("there has to be one: {entries:?}");
    };
    entry.assert_says(fields);
}

#[test]
fn a_hook_that_panics_is_reported_with_its_limiter_and_its_words() {
    let builder = Limiter::builder().name("events::bulkhead");
    assert_one(
        &said_of_a_rejection(builder.on_rejected(|_| panic!("out of luck"))),
        &[
            ("limiter", "events::bulkhead"),
            ("message", "a rejection hook panicked"),
            ("panic", "out of luck"),
        ],
    );
}

#[test]
fn words_that_were_put_together_are_reported_too() {
    let builder = Limiter::builder().on_rejected(|rejection| panic!("{}", rejection.reason()));
    assert_one(
        &said_of_a_rejection(builder),
        &[
            ("message", "a rejection hook panicked"),
            ("panic", "limit_reached"),
        ],
    );
}

#[test]
fn a_panic_without_words_is_reported_without_them() {
    assert_one(
        &said_of_a_rejection(Limiter::builder().on_rejected(|_| panic_any(13))),
        &[("message", "a rejection hook panicked")],
    );
}

#[test]
fn a_hook_that_returns_is_not_reported() {
    let entries = said_of_a_rejection(Limiter::builder().on_rejected(|_| ()));
    assert_eq!(entries, []);
}
