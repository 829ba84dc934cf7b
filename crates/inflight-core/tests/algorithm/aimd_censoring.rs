//! The guard `censored_cancellations`.

use inflight_core::AimdOptions;

use crate::trace::check;

#[test]
fn a_call_dropped_at_the_tolerance_is_an_overload_in_every_respect() {
    check(
        AimdOptions {
            overload_share: Some(0.1),
            censored_cancellations: true,
            ..AimdOptions::default()
        },
        "at      calls  latency    in flight  outcome   limit  baseline  verdict
         0       1      10         5          ok        10     -         .
         500     1      9999       5          dropped   10     -         .
         1000    1      10         5          ok        11     10        growth
         2000    1      19.999999  5          dropped   11     10        .
         2001    1      20         5          dropped   9      10        overload
         2500    8      10         5          ok        9      10        .
         3001    1      25         5          ok        10     10.166667 growth",
    );
}

#[test]
fn without_it_the_same_calls_leave_no_sample() {
    check(
        AimdOptions {
            overload_share: Some(0.1),
            ..AimdOptions::default()
        },
        "at      calls  latency    in flight  outcome   limit  baseline  verdict
         0       1      10         5          ok        10     -         .
         1000    1      10         5          ok        11     10        growth
         2001    9      9999       5          dropped   11     10        .
         2002    1      10         5          ok        11     10        hold",
    );
}
