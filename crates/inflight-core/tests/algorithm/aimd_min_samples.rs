//! The guard `min_samples`.

use inflight_core::AimdOptions;

use crate::trace::check;

#[test]
fn a_window_with_too_few_samples_stays_open_and_loses_nothing() {
    check(
        AimdOptions {
            min_samples: 3,
            ..AimdOptions::default()
        },
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       1      1        1          overload  10     -         .
         1000    1      1        1          ok        10     -         .
         5000    1      1        1          dropped   10     -         .
         5001    1      1        1          ok        9      1         overload
         5500    5      1        1          overload  9      1         .
         6000    1      1        1          overload  9      1         .
         6001    1      1        1          overload  8      1         overload",
    );
}

#[test]
fn one_slow_call_in_a_quiet_time_is_no_slow_window() {
    let plain = AimdOptions::default();
    check(
        plain,
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       1      10       1          ok        10     -         .
         1000    1      10       1          ok        10     10        hold
         2000    1      40       1          ok        9      13        latency",
    );
    check(
        AimdOptions {
            min_samples: 4,
            ..plain
        },
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       3      10       1          ok        10     -         .
         1000    1      10       1          ok        10     10        hold
         2000    1      40       1          ok        10     10        .
         3000    1      10       1          ok        10     10        .
         4000    1      10       1          ok        10     10        .
         5000    1      10       1          ok        10     10.75     hold",
    );
}
