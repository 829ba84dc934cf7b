//! Rule 3: what makes a window congested.

use inflight_core::AimdOptions;

use crate::trace::check;

fn from_four() -> AimdOptions {
    AimdOptions {
        initial_limit: 4,
        decrease_factor: 0.5,
        ..AimdOptions::default()
    }
}

// K85, K113 (the inner timeout)
#[test]
fn failures_cut_once_a_window_down_to_the_minimum() {
    check(
        from_four(),
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       10     1        1          overload  4      -         .
         1000    1      1        1          overload  2      -         overload
         2000    1      1        1          overload  1      -         overload
         3000    1      1        1          overload  1      -         overload",
    );
}

// K86
#[test]
fn a_mean_above_the_tolerance_cuts() {
    check(
        from_four(),
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         1       1      1        1          ok        4      -         .
         1002    1      1        1          ok        4      1         hold
         1022    1      20       1          ok        4      1         .
         2042    1      20       1          ok        2      2.9       latency",
    );
}

#[test]
fn a_mean_at_the_tolerance_exactly_does_not() {
    check(
        from_four(),
        "at      calls  latency   in flight  outcome   limit  baseline  verdict
         0       1      1         1          ok        4      -         .
         1000    1      1         1          ok        4      1         hold
         2000    1      2         1          ok        4      1.1       hold
         3000    1      2.200001  1          ok        2      1.21      latency",
    );
}

#[test]
fn the_mean_decides_and_not_the_slowest() {
    check(
        from_four(),
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       1      1        1          ok        4      -         .
         1000    1      1        1          ok        4      1         hold
         1500    9      1        1          ok        4      1         .
         2000    1      11       1          ok        4      1.1       hold",
    );
}

#[test]
fn one_overload_among_many_successes_cuts() {
    check(
        AimdOptions::default(),
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       999    1        10         ok        10     -         .
         999     1      1        10         overload  10     -         .
         1000    1      1        10         ok        9      1         overload",
    );
}

#[test]
fn the_latency_of_an_overload_is_ignored() {
    check(
        AimdOptions::default(),
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       1      10       10         ok        10     -         .
         1000    1      10       10         ok        11     10        growth
         1500    1      0        10         overload  11     10        .
         1501    1      9999     10         overload  11     10        .
         2000    1      10       10         ok        9      10        overload",
    );
}

// F141: the half of it that is arithmetic
#[test]
fn a_wave_of_failures_cuts_once() {
    check(
        AimdOptions {
            initial_limit: 50,
            ..AimdOptions::default()
        },
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       1      1        50         overload  50     -         .
         900     48     1        49         overload  50     -         .
         1000    1      1        1          overload  45     -         overload
         1001    50     1        45         overload  45     -         .",
    );
}
