//! Options from configuration files.

#![cfg(feature = "serde")]

use std::fmt::{Debug, Display};
use std::num::NonZeroU32;
use std::time::Duration;

use serde::de::DeserializeOwned;
use tower_inflight::algorithm::{Growth, Limit};
use tower_inflight::builder::AdaptiveAimdBuilder;
use tower_inflight::{
    AdaptiveAimdOptions, AimdOptions, ConcurrencyLimitLayer, ConcurrencyLimitOptions, Fairness,
    KeyOverflow, KeyPlan, KeyedLimitOptions, KeyedLimiter, Limiter,
};

/// The same from both formats.
#[track_caller]
fn read<T: DeserializeOwned + Debug + PartialEq>(toml: &str, json: &str) -> T {
    let from_toml = toml::from_str(toml).expect("it is TOML");
    let from_json = serde_json::from_str(json).expect("it is JSON");
    assert_eq!(from_toml, from_json);
    from_toml
}

/// What both formats say of what they cannot read.
#[track_caller]
fn errors<T: DeserializeOwned + Debug>(toml: &str, json: &str) -> [String; 2] {
    [
        refused(toml::from_str::<T>(toml)),
        refused(serde_json::from_str::<T>(json)),
    ]
}

#[track_caller]
fn refused<T: Debug, E: Display + Debug>(read: Result<T, E>) -> String {
    read.expect_err("it cannot be read").to_string()
}

#[track_caller]
fn assert_all_say(errors: &[String], part: &str) {
    for error in errors {
        assert!(error.contains(part), "no {part:?} in {error:?}");
    }
}

// K121, K119
#[test]
fn text_becomes_the_limiter_that_it_describes() {
    let options: ConcurrencyLimitOptions = read(
        r#"
        queue_limit = 2
        queue_timeout = "250ms"
        use_priority_queue = true
        "#,
        r#"{ "queue_limit": 2, "queue_timeout": "250ms", "use_priority_queue": true }"#,
    );
    let expected = ConcurrencyLimitOptions {
        max_concurrency: 10,
        queue_limit: 2,
        queue_timeout: Some(Duration::from_millis(250)),
        use_priority_queue: true,
    };
    assert_eq!(options, expected);

    let limiter = Limiter::builder().options(options).build().unwrap();
    assert_eq!(
        limiter.to_string(),
        "ConcurrencyLimit(10, queue 2/250ms, priority queue)"
    );
    assert_eq!(limiter.options().fixed(), Some(expected));
}

// K121
#[test]
fn text_becomes_the_adaptive_limiter_that_it_describes() {
    let options: AdaptiveAimdOptions = read(
        r#"
        min_limit = 2
        max_limit = 50
        initial_limit = 20
        sampling_window = "1m 30s"
        decrease_factor = 0.5
        latency_tolerance = 3
        min_samples = 7
        learn_baseline_when_idle = true
        relearn_after_cut = 0.3
        growth = "bound"
        overload_share = 0.1
        censored_cancellations = true
        monitor_only = true
        queue_limit = 20
        queue_timeout = "250ms"
        use_priority_queue = true
        "#,
        r#"{
        "min_limit": 2, "max_limit": 50, "initial_limit": 20, "sampling_window": "90s",
        "decrease_factor": 0.5, "latency_tolerance": 3.0, "min_samples": 7,
        "learn_baseline_when_idle": true, "relearn_after_cut": 0.3, "growth": "bound",
        "overload_share": 0.1, "censored_cancellations": true, "monitor_only": true,
        "queue_limit": 20, "queue_timeout": "250ms", "use_priority_queue": true
        }"#,
    );
    let rule = AimdOptions {
        min_limit: 2,
        max_limit: 50,
        initial_limit: 20,
        sampling_window: Duration::from_secs(90),
        decrease_factor: 0.5,
        latency_tolerance: 3.0,
        min_samples: 7,
        learn_baseline_when_idle: true,
        relearn_after_cut: Some(0.3),
        growth: Growth::Bound,
        overload_share: Some(0.1),
        censored_cancellations: true,
        monitor_only: true,
    };
    assert_eq!(options.rule, rule);

    let layer = AdaptiveAimdBuilder::from(options).build().unwrap();
    let built = layer.limiter().options().adaptive().unwrap();
    assert_eq!(built.aimd, Some(rule));
    assert_eq!(
        layer.to_string(),
        "AdaptiveConcurrencyLimit(AIMD, initial 20, min 2, max 50, window 1.5m, monitor only, \
         queue 20/250ms, priority queue)"
    );
}

// K121
#[test]
fn text_becomes_the_keyed_limiter_that_it_describes() {
    let options: KeyedLimitOptions = read(
        r#"
        max_concurrency = 200
        key_max_concurrency = 20
        queue_limit = 50
        key_queue_limit = 5
        queue_timeout = "250ms"
        use_priority_queue = true
        fairness = "round_robin"
        max_keys = 1000
        overflow = { share = { limit = 7, share = 3 } }
        "#,
        r#"{
        "max_concurrency": 200, "key_max_concurrency": 20, "queue_limit": 50,
        "key_queue_limit": 5, "queue_timeout": "250ms", "use_priority_queue": true,
        "fairness": "round_robin", "max_keys": 1000,
        "overflow": { "share": { "limit": 7, "share": 3 } }
        }"#,
    );
    let shared = KeyPlan::new(Limit::new(7).unwrap()).with_share(NonZeroU32::new(3).unwrap());
    let expected = KeyedLimitOptions {
        max_concurrency: 200,
        key_max_concurrency: 20,
        queue_limit: 50,
        key_queue_limit: 5,
        queue_timeout: Some(Duration::from_millis(250)),
        use_priority_queue: true,
        fairness: Fairness::RoundRobin,
        max_keys: 1000,
        overflow: KeyOverflow::Share(shared),
        algorithm: None,
    };
    assert_eq!(options, expected);

    let limiter: KeyedLimiter<u32> = KeyedLimiter::builder()
        .options(options)
        .build_limiter()
        .unwrap();
    assert_eq!(limiter.options(), expected);
}

#[test]
fn the_choices_of_a_keyed_limiter_have_names() {
    let options: KeyedLimitOptions = read(
        r#"
        fairness = "arrival"
        overflow = "refuse"
        "#,
        r#"{ "fairness": "arrival", "overflow": "refuse" }"#,
    );
    assert_eq!(options, KeyedLimitOptions::default());

    let options: KeyedLimitOptions = read(
        "overflow = { share = { limit = 7 } }",
        r#"{ "overflow": { "share": { "limit": 7 } } }"#,
    );
    let shared = KeyPlan::new(Limit::new(7).unwrap());
    assert_eq!(options.overflow, KeyOverflow::Share(shared));

    let toml = r#"fairness = "lottery""#;
    let json = r#"{ "fairness": "lottery" }"#;
    let unknown = "unknown variant `lottery`, expected `arrival` or `round_robin`";
    assert_all_say(&errors::<KeyedLimitOptions>(toml, json), unknown);
}

#[test]
fn a_share_of_nothing_is_refused_by_name() {
    for limit in ["0", "2147483648"] {
        let toml = format!("overflow = {{ share = {{ limit = {limit} }} }}");
        let json = format!(r#"{{ "overflow": {{ "share": {{ "limit": {limit} }} }} }}"#);
        let part = format!("overflow.share.limit must be between 1 and 2147483647 (was {limit})");
        assert_all_say(&errors::<KeyedLimitOptions>(&toml, &json), &part);
    }
    for share in ["0", "4294967296"] {
        let toml = format!("overflow = {{ share = {{ limit = 1, share = {share} }} }}");
        let json =
            format!(r#"{{ "overflow": {{ "share": {{ "limit": 1, "share": {share} }} }} }}"#);
        let part = format!("overflow.share.share must be between 1 and 4294967295 (was {share})");
        assert_all_say(&errors::<KeyedLimitOptions>(&toml, &json), &part);
    }
    let toml = "overflow = { share = 5 }";
    let json = r#"{ "overflow": { "share": 5 } }"#;
    assert_all_say(
        &errors::<KeyedLimitOptions>(toml, json),
        "expected the plan of an overflow, such as `{ limit = 5, share = 1 }`",
    );
}

#[test]
fn an_algorithm_is_not_read() {
    let toml = r#"algorithm = "AIMD""#;
    let json = r#"{ "algorithm": "AIMD" }"#;
    let unknown = "unknown field `algorithm`";
    assert_all_say(&errors::<KeyedLimitOptions>(toml, json), unknown);
}

#[test]
fn what_is_missing_is_as_by_default() {
    assert_eq!(
        read::<ConcurrencyLimitOptions>("", "{}"),
        ConcurrencyLimitOptions::default()
    );
    assert_eq!(
        read::<AdaptiveAimdOptions>("", "{}"),
        AdaptiveAimdOptions::default()
    );
    assert_eq!(
        read::<KeyedLimitOptions>("", "{}"),
        KeyedLimitOptions::default()
    );
    let no_timeout: ConcurrencyLimitOptions =
        serde_json::from_str(r#"{ "queue_timeout": null }"#).unwrap();
    assert_eq!(no_timeout, ConcurrencyLimitOptions::default());
}

#[test]
fn what_is_missing_beside_a_preset_is_as_in_the_preset() {
    let options: AdaptiveAimdOptions = read(
        "preset = \"guarded\"\nmax_limit = 50\ngrowth = \"half_used\"",
        r#"{ "preset": "guarded", "max_limit": 50, "growth": "half_used" }"#,
    );
    let rule = AimdOptions {
        max_limit: 50,
        growth: Growth::HalfUsed,
        ..AimdOptions::guarded()
    };
    assert_eq!(options, AdaptiveAimdOptions::from(rule));
    let plain: AdaptiveAimdOptions = read("preset = \"plain\"", r#"{ "preset": "plain" }"#);
    assert_eq!(plain, AdaptiveAimdOptions::default());
}

#[test]
fn an_unknown_key_is_refused_by_name() {
    let toml = "queue_limits = 20";
    let json = r#"{ "queue_limits": 20 }"#;
    let unknown = "unknown field `queue_limits`, expected one of";
    assert_all_say(&errors::<ConcurrencyLimitOptions>(toml, json), unknown);
    assert_all_say(&errors::<AdaptiveAimdOptions>(toml, json), unknown);
    assert_all_say(&errors::<KeyedLimitOptions>(toml, json), unknown);
}

#[test]
fn a_time_that_is_none_is_refused_by_key_and_text() {
    for text in ["soon", "250", "-1s", "", "1 fortnight"] {
        let toml = format!("queue_timeout = {text:?}");
        let json = format!("{{ \"queue_timeout\": {text:?} }}");
        let part = format!("queue_timeout must be a time such as `250ms` (was `{text}`)");
        assert_all_say(&errors::<ConcurrencyLimitOptions>(&toml, &json), &part);
        assert_all_say(&errors::<AdaptiveAimdOptions>(&toml, &json), &part);
        assert_all_say(&errors::<KeyedLimitOptions>(&toml, &json), &part);
    }
    let errors =
        errors::<AdaptiveAimdOptions>(r#"sampling_window = "?""#, r#"{ "sampling_window": "?" }"#);
    assert_all_say(
        &errors,
        "sampling_window must be a time such as `250ms` (was `?`)",
    );
}

#[test]
fn a_bare_number_is_no_time() {
    let errors =
        errors::<ConcurrencyLimitOptions>("queue_timeout = 250", r#"{ "queue_timeout": 250 }"#);
    assert_all_say(
        &errors,
        "invalid type: integer `250`, expected a queue_timeout such as \"250ms\"",
    );
}

#[test]
fn a_negative_number_is_no_limit() {
    let errors =
        errors::<ConcurrencyLimitOptions>("max_concurrency = -1", r#"{ "max_concurrency": -1 }"#);
    assert_all_say(&errors, "invalid value: integer `-1`, expected usize");
}

// K122
#[test]
fn what_can_be_read_and_not_be_used_is_refused_by_the_build() {
    let fixed = |toml| {
        let options = toml::from_str(toml).unwrap();
        let built = ConcurrencyLimitLayer::builder().options(options).build();
        built.unwrap_err().to_string()
    };
    assert_eq!(
        fixed("max_concurrency = 0"),
        "ConcurrencyLimitOptions.max_concurrency must be positive (was 0)"
    );
    assert_eq!(
        fixed("queue_timeout = \"0s\""),
        "ConcurrencyLimitOptions.queue_timeout must be positive (was 0ns)"
    );

    let adaptive = |toml| {
        let options: AdaptiveAimdOptions = toml::from_str(toml).unwrap();
        let built = AdaptiveAimdBuilder::from(options).build();
        built.unwrap_err().to_string()
    };
    assert_eq!(
        adaptive("min_limit = 20"),
        "AimdOptions.initial_limit must be between min_limit, 20, and max_limit, 100 (was 10)"
    );
    assert_eq!(
        adaptive("queue_timeout = \"50days\""),
        "AdaptiveLimitOptions.queue_timeout must be at most 4294967.294s (was 4320000s)"
    );
}

// K94
#[test]
fn options_that_change_after_the_build_change_nothing() {
    let mut options: AdaptiveAimdOptions = toml::from_str("initial_limit = 2").unwrap();
    let layers = [(); 5].map(|()| AdaptiveAimdBuilder::from(options).build().unwrap());
    options.rule.initial_limit = 90;
    for layer in layers {
        let built = layer.limiter().options().adaptive().unwrap();
        assert_eq!(built.initial_limit, 2);
        assert_eq!(
            layer.to_string(),
            "AdaptiveConcurrencyLimit(AIMD, initial 2, min 1, max 100, window 1s)"
        );
    }
    assert_eq!(options.rule.initial_limit, 90);
}
