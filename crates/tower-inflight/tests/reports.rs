//! What is reported where the feature `tracing` is on.

#![cfg(feature = "tracing")]

use std::collections::BTreeMap;
use std::fmt;
use std::mem::take;
use std::panic::panic_any;
use std::sync::{Arc, Mutex};

use tower_inflight::Limiter;
use tower_inflight::builder::LimiterBuilder;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::with_default;
use tracing::{Event, Level, Metadata, Subscriber};

/// Has the limiter reject one call, and says what was reported.
fn reports_of_a_rejection(builder: LimiterBuilder) -> Vec<Report> {
    let reports = Reports::default();
    with_default(reports.clone(), || {
        let limiter = builder.max_concurrency(1).build();
        let limiter = limiter.expect("it can be built");
        let _held = limiter.try_acquire().expect("nobody runs");
        limiter.try_acquire().expect_err("it is full");
    });
    take(&mut *reports.0.lock().expect("no report panics"))
}

#[track_caller]
fn assert_one_error(reports: &[Report], fields: &[(&str, &str)]) {
    let [report] = reports else {
        panic!("there has to be one: {reports:?}");
    };
    assert_eq!(report.level, Level::ERROR);
    let told: Vec<_> = report
        .fields
        .iter()
        .map(|(&name, text)| (name, text.as_str()))
        .collect();
    assert_eq!(told, fields);
}

#[test]
fn a_hook_that_panics_is_reported_with_its_limiter_and_its_words() {
    let builder = Limiter::builder().name("reports::bulkhead");
    assert_one_error(
        &reports_of_a_rejection(builder.on_rejected(|_| panic!("out of luck"))),
        &[
            ("limiter", "reports::bulkhead"),
            ("message", "a rejection hook panicked"),
            ("panic", "out of luck"),
        ],
    );
}

#[test]
fn words_that_were_put_together_are_reported_too() {
    let builder = Limiter::builder().on_rejected(|rejection| panic!("{}", rejection.reason()));
    assert_one_error(
        &reports_of_a_rejection(builder),
        &[
            ("message", "a rejection hook panicked"),
            ("panic", "limit_reached"),
        ],
    );
}

#[test]
fn a_panic_without_words_is_reported_without_them() {
    assert_one_error(
        &reports_of_a_rejection(Limiter::builder().on_rejected(|_| panic_any(13))),
        &[("message", "a rejection hook panicked")],
    );
}

#[test]
fn a_hook_that_returns_is_not_reported() {
    assert!(reports_of_a_rejection(Limiter::builder().on_rejected(|_| ())).is_empty());
}

#[derive(Debug)]
struct Report {
    level: Level,
    fields: BTreeMap<&'static str, String>,
}

impl Visit for Report {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.fields.insert(field.name(), value.into());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.fields.insert(field.name(), format!("{value:?}"));
    }
}

/// Keeps all events, and knows no spans.
#[derive(Clone, Default)]
struct Reports(Arc<Mutex<Vec<Report>>>);

impl Subscriber for Reports {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut report = Report {
            level: *event.metadata().level(),
            fields: BTreeMap::new(),
        };
        event.record(&mut report);
        self.0.lock().expect("no report panics").push(report);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}
