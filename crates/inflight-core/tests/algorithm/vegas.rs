use std::collections::BTreeSet;

use inflight_core::{Algorithm, Outcome, Sample, Vegas, VegasOptions};

use crate::trace::follow;

#[track_caller]
fn check(options: VegasOptions, table: &str) {
    follow(&mut Vegas::new(options).expect("valid options"), table);
}

fn one_sample_a_window() -> VegasOptions {
    VegasOptions {
        min_samples: 1,
        ..VegasOptions::default()
    }
}

// The queue at 3 s is ⌈16 × 3/4⌉ = 12, at 4 s ⌈15 × 1/5⌉ = 3, at 5 s
// ⌈15 × 1/11⌉ = 2, at 9 s ⌈15 × 7/16⌉ = 7, at 10 s ⌈14 × 5/14⌉ = 5, and at
// 11 s ⌈14 × 1/19⌉ = 1.
#[test]
fn the_queue_that_the_latency_betrays_moves_the_limit() {
    check(
        one_sample_a_window(),
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       1      10       10         ok        10     -         .
         1000    1      10       10         ok        10     10        hold
         2000    1      10       10         ok        16     10        growth
         3000    1      40       16         ok        15     10        latency
         4000    1      12.5     15         ok        15     10        hold
         5000    1      11       15         ok        16     10        growth
         6000    1      40       7          ok        16     10        hold
         7000    1      40       16         overload  15     10        overload
         8000    1      9        15         ok        15     9         hold
         9000    1      16       15         ok        14     9         latency
         10000   1      14       7          ok        14     9         hold
         11000   1      9.5      7          ok        20     9         growth",
    );
}

#[test]
fn steps_grow_with_the_digits_of_the_limit() {
    check(
        VegasOptions {
            initial_limit: 100,
            max_limit: 1000,
            ..one_sample_a_window()
        },
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       1      10       100        ok        100    -         .
         1000    1      10       100        ok        100    10        hold
         2000    1      10       100        ok        112    10        growth
         3000    1      40       100        ok        110    10        latency",
    );
}

// With a step of 2 the queue at 2 s is ⌈100 × 0.35/10⌉ = 4, below three steps;
// at 3 s it is ⌈102 × 0.78/10.43⌉ = 8, which is neither below three steps nor above
// six.
#[test]
fn what_counts_as_a_long_queue_grows_with_the_steps() {
    check(
        VegasOptions {
            initial_limit: 100,
            max_limit: 1000,
            ..one_sample_a_window()
        },
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       1      9.65     100        ok        100    -         .
         1000    1      9.65     100        ok        100    9.65      hold
         2000    1      10       100        ok        102    9.65      growth
         3000    1      10.43    102        ok        102    9.65      hold",
    );
}

#[test]
fn growth_stops_at_the_largest_limit_there_is() {
    check(
        VegasOptions {
            initial_limit: 2_147_483_640,
            max_limit: 2_147_483_647,
            ..one_sample_a_window()
        },
        "at      calls  latency  in flight   outcome   limit       baseline  verdict
         0       1      10       2000000000  ok        2147483640  -         .
         1000    1      10       2000000000  ok        2147483640  10        hold
         2000    1      10       2000000000  ok        2147483647  10        growth",
    );
}

#[test]
fn a_window_needs_ten_samples() {
    check(
        VegasOptions::default(),
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       8      10       10         overload  10     -         .
         5000    1      10       10         overload  10     -         .
         5001    1      10       10         overload  9      -         overload",
    );
}

#[test]
fn the_least_latency_is_measured_anew_after_half_of_the_windows_at_the_earliest() {
    let times: BTreeSet<u64> = (0..50).map(windows_until_probe).collect();
    assert!(times.first() >= Some(&15) && times.last() <= Some(&30));
    assert!(times.len() > 5, "they do not all probe at once: {times:?}");
}

/// How many windows at a limit of 1 it takes for a latency that rose to become
/// the least.
fn windows_until_probe(seed: u64) -> u64 {
    let options = VegasOptions {
        initial_limit: 1,
        max_limit: 1,
        seed,
        ..one_sample_a_window()
    };
    let mut vegas = Vegas::new(options).expect("valid options");
    let mut baseline = |second: u64, millis: u64| {
        vegas.observe(&Sample {
            now: second * 1_000_000_000,
            latency: millis * 1_000_000,
            in_flight: 1,
            outcome: Outcome::Success,
        });
        vegas.last_evaluation().and_then(|last| last.baseline)
    };
    baseline(0, 10);
    let least = baseline(1, 10);
    (2..100)
        .find(|&second| baseline(second, 40) != least)
        .expect("a probe within 30 windows")
}
