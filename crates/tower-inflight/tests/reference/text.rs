use std::time::Duration;

use tower_inflight::builder::{ConcurrencyLimitBuilder, PriorityQueueBuilder};
use tower_inflight::ticketing::Prioritized;
use tower_inflight::{ConcurrencyLimitLayer, PriorityQueueLayer};

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn plain() -> ConcurrencyLimitBuilder {
    ConcurrencyLimitLayer::builder()
}

type ByPriority = Prioritized<fn(&u32) -> i32>;

fn by_priority() -> PriorityQueueBuilder<ByPriority> {
    PriorityQueueLayer::builder(|_| 0)
}

#[track_caller]
fn shows(layer: &impl ToString, text: &str) {
    assert_eq!(layer.to_string(), text);
}

// K119
#[test]
fn a_layer_shows_how_it_was_built() {
    shows(&plain().build().unwrap(), "ConcurrencyLimit(10)");
    let queued = plain().queue_limit(20);
    shows(&queued.build().unwrap(), "ConcurrencyLimit(10, queue 20)");
    let timed = plain().queue_limit(20).queue_timeout(ms(250));
    shows(
        &timed.build().unwrap(),
        "ConcurrencyLimit(10, queue 20/250ms)",
    );
    let prioritized = by_priority().queue_limit(20).queue_timeout(ms(250));
    shows(
        &prioritized.build().unwrap(),
        "ConcurrencyLimit(10, queue 20/250ms, priority queue)",
    );
}

// K35: a duration is never negative.
#[test]
fn a_queue_timeout_that_cannot_be_is_refused_by_name_and_value() {
    let longest = ms(4_294_967_294);
    for (timeout, value) in [(Duration::ZERO, "0ns"), (longest + ms(1), "4294967.295s")] {
        let built = plain().queue_limit(1).queue_timeout(timeout).build();
        let error = built.unwrap_err();
        assert_eq!(error.property(), "queue_timeout");
        assert_eq!(error.value(), value);
    }
    let built = plain().queue_limit(1).queue_timeout(longest).build();
    assert_eq!(built.unwrap().limiter().snapshot().limit, 10);
}
