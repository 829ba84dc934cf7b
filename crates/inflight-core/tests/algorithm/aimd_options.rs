//! Which settings are refused, in which order, and in what words.

use std::time::Duration;

use inflight_core::{Aimd, AimdOptions, Growth};

#[track_caller]
fn refused(options: AimdOptions, expected: &str) {
    let error = Aimd::new(options).expect_err("must be refused");
    assert_eq!(error.to_string(), format!("AimdOptions.{expected}"));
}

// K122
#[test]
fn a_limit_out_of_place_is_refused_by_name() {
    let plain = AimdOptions::default();
    refused(
        AimdOptions {
            min_limit: 0,
            ..plain
        },
        "min_limit must be positive (was 0)",
    );
    refused(
        AimdOptions {
            max_limit: 0,
            ..plain
        },
        "max_limit must be at least min_limit, 1 (was 0)",
    );
    refused(
        AimdOptions {
            min_limit: 20,
            ..plain
        },
        "initial_limit must be between min_limit, 20, and max_limit, 100 (was 10)",
    );
    refused(
        AimdOptions {
            initial_limit: 101,
            ..plain
        },
        "initial_limit must be between min_limit, 1, and max_limit, 100 (was 101)",
    );
    refused(
        AimdOptions {
            max_limit: 1 << 31,
            ..plain
        },
        "max_limit must be at most 2147483647 (was 2147483648)",
    );
}

#[test]
fn an_error_tells_its_parts() {
    let options = AimdOptions {
        min_limit: 0,
        ..AimdOptions::default()
    };
    let error = Aimd::new(options).expect_err("must be refused");
    assert_eq!(error.options(), "AimdOptions");
    assert_eq!(error.property(), "min_limit");
    assert_eq!(error.requirement(), "must be positive");
    assert_eq!(error.value(), "0");
}

#[test]
fn the_first_rule_that_fails_is_the_one_reported() {
    let mut options = AimdOptions {
        min_limit: 0,
        max_limit: 0,
        initial_limit: 0,
        sampling_window: Duration::ZERO,
        decrease_factor: 0.0,
        latency_tolerance: 0.0,
        relearn_after_cut: Some(0.0),
        overload_share: Some(1.0),
        censored_cancellations: true,
        ..AimdOptions::default()
    };
    refused(options, "min_limit must be positive (was 0)");
    options.min_limit = 1;
    refused(options, "max_limit must be at least min_limit, 1 (was 0)");
    options.max_limit = 1;
    refused(
        options,
        "initial_limit must be between min_limit, 1, and max_limit, 1 (was 0)",
    );
    options.initial_limit = 1;
    refused(options, "sampling_window must be positive (was 0ns)");
    options.sampling_window = Duration::MAX;
    refused(
        options,
        "decrease_factor must be above 0 and below 1 (was 0)",
    );
    options.decrease_factor = 0.5;
    refused(
        options,
        "latency_tolerance must be finite and at least 1 (was 0)",
    );
    options.latency_tolerance = 1.0;
    refused(
        options,
        "relearn_after_cut must be above 0 and below 1 (was 0)",
    );
    options.relearn_after_cut = None;
    refused(
        options,
        "overload_share must be at least 0 and below 1 (was 1)",
    );
    options.overload_share = None;
    refused(
        options,
        "censored_cancellations must be false without overload_share (was true)",
    );
    options.overload_share = Some(0.0);
    assert!(Aimd::new(options).is_ok());
}

// F135: the half of it that is options
#[test]
fn no_ratio_may_be_out_of_range_or_no_number() {
    let plain = AimdOptions::default();
    for (decrease_factor, shown) in [(f64::NAN, "NaN"), (0.0, "0"), (1.0, "1"), (-0.5, "-0.5")] {
        refused(
            AimdOptions {
                decrease_factor,
                ..plain
            },
            &format!("decrease_factor must be above 0 and below 1 (was {shown})"),
        );
    }
    for (latency_tolerance, shown) in [
        (f64::NAN, "NaN"),
        (f64::INFINITY, "inf"),
        (0.99, "0.99"),
        (-2.0, "-2"),
    ] {
        refused(
            AimdOptions {
                latency_tolerance,
                ..plain
            },
            &format!("latency_tolerance must be finite and at least 1 (was {shown})"),
        );
    }
    for ratio in [f64::NAN, 0.0, 1.0] {
        let relearn = AimdOptions {
            relearn_after_cut: Some(ratio),
            ..plain
        };
        assert_eq!(
            Aimd::new(relearn).unwrap_err().property(),
            "relearn_after_cut"
        );
    }
    for share in [f64::NAN, -0.1, 1.0] {
        let share = AimdOptions {
            overload_share: Some(share),
            ..plain
        };
        assert_eq!(Aimd::new(share).unwrap_err().property(), "overload_share");
    }
}

#[test]
fn both_presets_are_accepted() {
    for options in [AimdOptions::default(), AimdOptions::guarded()] {
        let aimd = Aimd::new(options).expect("a preset");
        assert_eq!(aimd.options(), &options);
    }
}

/// The documented values, which were found together.
#[test]
fn the_guarded_preset_is_the_documented_one() {
    let documented = AimdOptions {
        sampling_window: Duration::from_millis(200),
        latency_tolerance: 1.5,
        min_samples: 50,
        learn_baseline_when_idle: true,
        relearn_after_cut: Some(0.6),
        growth: Growth::Bound,
        overload_share: Some(0.1),
        ..AimdOptions::default()
    };
    assert_eq!(AimdOptions::guarded(), documented);
}
