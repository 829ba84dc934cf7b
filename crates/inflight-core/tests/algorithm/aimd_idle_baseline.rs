//! The guard `learn_baseline_when_idle`.

use inflight_core::AimdOptions;

use crate::trace::check;

fn when_idle() -> AimdOptions {
    AimdOptions {
        learn_baseline_when_idle: true,
        ..AimdOptions::default()
    }
}

#[test]
fn only_the_first_and_the_idle_windows_move_the_baseline() {
    check(
        when_idle(),
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       1      10       5          ok        10     -         .
         1000    1      10       5          ok        11     10        growth
         2000    1      15       6          ok        12     10        growth
         3000    1      15       6          ok        13     10        growth
         4000    1      15       6          ok        13     10.5      hold",
    );
}

#[test]
fn the_first_one_has_the_floor_too() {
    check(
        when_idle(),
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       1      0        5          ok        10     -         .
         1000    1      0        5          ok        11     0.0001    growth",
    );
}

#[test]
fn idle_is_measured_by_the_limit_before_the_cut() {
    check(
        when_idle(),
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       1      10       5          ok        10     -         .
         1000    1      10       4          ok        11     10        growth
         2000    1      30       5          ok        9      12        latency",
    );
}

// The reason why it needs `relearn_after_cut` beside it.
#[test]
fn alone_it_never_accepts_a_dependency_that_became_slower() {
    check(
        AimdOptions {
            decrease_factor: 0.5,
            ..when_idle()
        },
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       1      10       10         ok        10     -         .
         1000    1      10       10         ok        11     10        growth
         2000    1      21       11         ok        5      10        latency
         3000    1      21       5          ok        2      10        latency
         4000    1      21       2          ok        1      10        latency
         60000   1      21       1          ok        1      10        latency
         3600000 1      21       1          ok        1      10        latency",
    );
}
