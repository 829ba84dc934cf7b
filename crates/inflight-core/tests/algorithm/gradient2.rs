use inflight_core::{Gradient2, Gradient2Options};

use crate::trace::follow;

#[track_caller]
fn check(options: Gradient2Options, table: &str) {
    follow(&mut Gradient2::new(options).expect("valid options"), table);
}

fn one_sample_a_window() -> Gradient2Options {
    Gradient2Options {
        min_samples: 1,
        ..Gradient2Options::default()
    }
}

// The estimate is 10.8, 11.6, then with gradients of 0.75 and 0.6 11.82 and
// 11.6744, then 12.4744. At 5 s the average of 34 is above twice the mean and
// falls by a twentieth; at 6 s again, from 28.583….
#[test]
fn the_ratio_of_long_to_short_moves_the_limit() {
    check(
        one_sample_a_window(),
        "at      calls  latency  in flight  outcome   limit  baseline   verdict
         0       1      10       10         ok        10     -          .
         1000    1      10       10         ok        10     10         hold
         2000    1      10       10         ok        11     10         growth
         3000    1      40       10         ok        11     20         latency
         4000    1      100      10         ok        11     40         latency
         5000    1      10       10         ok        12     32.3       growth
         6000    1      10       2          ok        12     27.154167  hold
         7000    1      10       10         overload  12     27.154167  hold",
    );
}

// At 2 s the average is twice the mean, which is not yet above it, and 5 in
// flight are just half of the limit.
#[test]
fn neither_the_recovery_nor_the_use_of_the_limit_is_strict() {
    check(
        one_sample_a_window(),
        "at      calls  latency  in flight  outcome   limit  baseline   verdict
         0       1      30       10         ok        10     -          .
         1000    1      30       10         ok        10     30         hold
         2000    1      10       5          ok        11     20         growth",
    );
}

// Nine windows of 10 ms and one of 20 count alike; the one after weighs 2/601.
#[test]
fn the_average_forgets_slowly_after_ten_windows() {
    check(
        one_sample_a_window(),
        "at      calls  latency  in flight  outcome   limit  baseline   verdict
         0       1      10       1          ok        10     -          .
         1000    1      10       1          ok        10     10         hold
         2000    1      10       1          ok        10     10         hold
         3000    1      10       1          ok        10     10         hold
         4000    1      10       1          ok        10     10         hold
         5000    1      10       1          ok        10     10         hold
         6000    1      10       1          ok        10     10         hold
         7000    1      10       1          ok        10     10         hold
         8000    1      10       1          ok        10     10         hold
         9000    1      10       1          ok        10     10         hold
         10000   1      20       1          ok        10     11         hold
         11000   1      41       1          ok        10     11.099834  hold",
    );
}

// From 100 at a gradient of one half: 100 × 0.9 + 0.8.
#[test]
fn a_window_takes_a_tenth_at_the_most() {
    check(
        Gradient2Options {
            initial_limit: 100,
            ..one_sample_a_window()
        },
        "at      calls  latency  in flight  outcome   limit  baseline   verdict
         0       1      10       1          ok        100    -          .
         1000    1      10       1          ok        100    10         hold
         2000    1      10       1          ok        100    10         hold
         3000    1      10       1          ok        100    10         hold
         4000    1      100      100        ok        90     32.5       latency",
    );
}

#[test]
fn calls_too_quick_for_the_clock_are_no_overload() {
    check(
        one_sample_a_window(),
        "at      calls  latency  in flight  outcome   limit  baseline   verdict
         0       1      0        10         ok        10     -          .
         1000    1      0        10         ok        10     0.000001   hold
         2000    1      0        10         ok        11     0.000001   growth",
    );
}

#[test]
fn a_window_needs_ten_samples() {
    check(
        Gradient2Options::default(),
        "at      calls  latency  in flight  outcome   limit  baseline   verdict
         0       8      10       10         ok        10     -          .
         5000    1      10       10         ok        10     -          .
         5001    1      10       10         ok        10     10         hold
         6001    10     10       10         ok        11     10         growth",
    );
}
