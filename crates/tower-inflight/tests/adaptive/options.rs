//! What may be configured, how it is refused, and how it is shown.

use std::time::Duration;

use tower_inflight::algorithm::{Gradient2, Gradient2Options, Vegas, VegasOptions};
use tower_inflight::builder::AdaptiveAimdBuilder;
use tower_inflight::{AdaptiveAimdLayer, AdaptiveLayer, AimdOptions, Limiter, LimiterOptions};

use crate::house::ms;
use crate::recorder::Recorder;

// K94
#[test]
fn options_are_copied_when_a_limiter_is_built() {
    let mut options = AimdOptions {
        initial_limit: 2,
        ..AimdOptions::default()
    };
    let limiters: Vec<Limiter> = (0..5)
        .map(|_| {
            AdaptiveAimdLayer::builder()
                .options(options)
                .build()
                .unwrap()
                .limiter()
        })
        .collect();
    options.initial_limit = 90;
    for limiter in limiters {
        let built = limiter.options().adaptive().unwrap();
        assert_eq!(built.initial_limit, 2);
        assert_eq!(built.aimd.unwrap().initial_limit, 2);
        assert_ne!(built.aimd.unwrap(), options);
        assert_eq!(limiter.snapshot().limit, 2);
        assert_eq!(limiter.snapshot().max_limit, 100);
        assert_eq!(
            limiter.to_string(),
            "AdaptiveConcurrencyLimit(AIMD, initial 2, min 1, max 100, window 1s)"
        );
    }
}

#[track_caller]
fn refused(builder: AdaptiveAimdBuilder, text: &str) {
    assert_eq!(builder.build().unwrap_err().to_string(), text);
}

// K122
#[test]
fn the_first_setting_that_cannot_be_used_is_named() {
    let build = AdaptiveAimdLayer::builder;
    refused(
        build().min_limit(20),
        "AimdOptions.initial_limit must be between min_limit, 20, and max_limit, 100 (was 10)",
    );
    refused(
        build().max_limit(0),
        "AimdOptions.max_limit must be at least min_limit, 1 (was 0)",
    );
    refused(
        build().sampling_window(Duration::ZERO).decrease_factor(1.0),
        "AimdOptions.sampling_window must be positive (was 0ns)",
    );
    refused(
        build().decrease_factor(1.0).latency_tolerance(0.5),
        "AimdOptions.decrease_factor must be above 0 and below 1 (was 1)",
    );
    refused(
        build()
            .queue_timeout(Duration::ZERO)
            .latency_tolerance(f64::NAN),
        "AimdOptions.latency_tolerance must be finite and at least 1 (was NaN)",
    );
    refused(
        build().queue_timeout(Duration::ZERO),
        "AdaptiveLimitOptions.queue_timeout must be positive (was 0ns)",
    );
    refused(
        build().queue_timeout(ms(4_294_967_295)),
        "AdaptiveLimitOptions.queue_timeout must be at most 4294967.294s (was 4294967.295s)",
    );
}

#[test]
fn every_setter_sets() {
    let layer = AdaptiveAimdLayer::builder()
        .min_limit(2)
        .max_limit(50)
        .initial_limit(5)
        .sampling_window(ms(1_500))
        .decrease_factor(0.8)
        .latency_tolerance(3.0)
        .queue_limit(20)
        .queue_timeout(ms(250))
        .name("adaptive::options")
        .build()
        .unwrap();
    let expected = AimdOptions {
        min_limit: 2,
        max_limit: 50,
        initial_limit: 5,
        sampling_window: ms(1_500),
        decrease_factor: 0.8,
        latency_tolerance: 3.0,
        ..AimdOptions::default()
    };
    let limiter = layer.limiter();
    let LimiterOptions::Adaptive(options) = limiter.options() else {
        panic!("it is adaptive");
    };
    assert_eq!(options.aimd, Some(expected));
    assert_eq!(
        (options.queue_limit, options.queue_timeout),
        (20, Some(ms(250)))
    );
    assert_eq!(options.algorithm.name, "AIMD");
    assert!(!options.use_priority_queue && !options.monitor_only);
    assert_eq!(limiter.name(), Some("adaptive::options"));
    assert_eq!(limiter.options().fixed(), None);
}

#[track_caller]
#[expect(
    clippy::needless_pass_by_value,
    reason = "it reads better where it is called"
)]
fn shows(shown: impl ToString, text: &str) {
    assert_eq!(shown.to_string(), text);
}

// K119
#[test]
fn a_limiter_shows_its_algorithm_and_its_line() {
    shows(
        AdaptiveAimdLayer::new(),
        "AdaptiveConcurrencyLimit(AIMD, initial 10, min 1, max 100, window 1s)",
    );
    let layer = AdaptiveAimdLayer::builder()
        .queue_limit(20)
        .queue_timeout(ms(250))
        .priority(|(): &()| 0)
        .build();
    shows(
        layer.unwrap(),
        "AdaptiveConcurrencyLimit(AIMD, initial 10, min 1, max 100, window 1s, \
         queue 20/250ms, priority queue)",
    );
    let vegas = Vegas::new(VegasOptions::default()).unwrap();
    shows(
        AdaptiveLayer::new(vegas),
        "AdaptiveConcurrencyLimit(Vegas, initial 10, min 1, max 100, window 1s)",
    );
    let gradient2 = Gradient2::new(Gradient2Options {
        max_limit: 30,
        ..Gradient2Options::default()
    });
    let layer = AdaptiveLayer::new(gradient2.unwrap());
    assert_eq!(layer.limiter().snapshot().max_limit, 30);
    shows(
        layer,
        "AdaptiveConcurrencyLimit(Gradient2, initial 10, min 1, max 30, window 1s)",
    );
    shows(
        AdaptiveLayer::new(Recorder::new(3)),
        "AdaptiveConcurrencyLimit(custom, initial 3, min 1, max 2147483647)",
    );
}

#[test]
fn the_limit_is_the_algorithms() {
    let limiter = AdaptiveAimdLayer::new().limiter();
    let error = limiter.set_limit(5).unwrap_err();
    assert_eq!(
        error.to_string(),
        "ConcurrencyLimitOptions.max_concurrency must be left to the algorithm of an \
         adaptive limiter (was 5)"
    );
    assert_eq!(limiter.snapshot().limit, 10);
}

#[test]
fn what_is_made_of_a_limiter_shares_it() {
    let limiter = AdaptiveAimdLayer::new().limiter();
    let layer = AdaptiveLayer::from(limiter.clone()).with_priority(|_: &u32| 1);
    let _held = layer.limiter().try_acquire().unwrap();
    assert_eq!(limiter.snapshot().in_flight, 1);
    assert_eq!(layer.to_string(), limiter.to_string());
}
