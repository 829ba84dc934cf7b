//! The guard `overload_share`.

use inflight_core::AimdOptions;

use crate::trace::check;

fn a_tenth() -> AimdOptions {
    AimdOptions {
        overload_share: Some(0.1),
        ..AimdOptions::default()
    }
}

#[test]
fn failures_cut_only_above_their_share() {
    check(
        a_tenth(),
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       9      1        10         ok        10     -         .
         1000    1      1        10         overload  11     1         growth
         1500    8      1        10         ok        11     1         .
         2000    1      1        10         overload  9      1         overload",
    );
}

#[test]
fn a_window_of_failures_alone_is_above_any_share() {
    check(
        AimdOptions {
            overload_share: Some(0.99),
            ..AimdOptions::default()
        },
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       1      1        10         overload  10     -         .
         1000    1      1        10         overload  9      -         overload",
    );
}

#[test]
fn failures_below_their_share_do_not_excuse_a_latency() {
    check(
        a_tenth(),
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       9      10       10         ok        10     -         .
         1000    1      1        10         overload  11     10        growth
         1500    19     21       10         ok        11     10        .
         2000    1      1        10         overload  9      11.1      latency",
    );
}
