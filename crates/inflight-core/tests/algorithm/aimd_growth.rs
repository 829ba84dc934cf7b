//! The guard `growth`.

use inflight_core::{AimdOptions, Growth};

use crate::trace::check;

fn bound() -> AimdOptions {
    AimdOptions {
        growth: Growth::Bound,
        ..AimdOptions::default()
    }
}

#[test]
fn it_takes_the_whole_limit_in_flight() {
    check(
        bound(),
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       1      1        9          ok        10     -         .
         1000    1      1        9          ok        10     1         hold
         2000    1      1        10         ok        14     1         growth
         3000    1      1        13         ok        14     1         hold
         4000    1      1        20         ok        18     1         growth",
    );
}

#[test]
fn steps_are_one_for_five_seconds_after_congestion() {
    check(
        AimdOptions {
            max_limit: 35,
            ..bound()
        },
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       1      1        10         ok        10     -         .
         1000    1      1        10         overload  9      1         overload
         2000    1      1        9          ok        10     1         growth
         3000    1      1        10         ok        11     1         growth
         4000    1      1        11         ok        12     1         growth
         5999    1      1        12         ok        13     1         growth
         6999    1      1        13         ok        17     1         growth
         7999    1      1        17         ok        22     1         growth
         8999    1      1        22         ok        27     1         growth
         9999    1      1        27         ok        33     1         growth
         10999   1      1        33         ok        35     1         growth
         11999   1      1        35         ok        35     1         hold",
    );
}

#[test]
fn the_root_of_a_square_is_not_rounded_up_further() {
    check(
        AimdOptions {
            initial_limit: 25,
            ..bound()
        },
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       1      1        25         ok        25     -         .
         1000    1      1        25         ok        30     1         growth
         2000    1      1        30         ok        36     1         growth
         3000    1      1        36         ok        42     1         growth",
    );
}

// The latest congested window ended at 6 s, so 11 s is the first in which it
// has been quiet for five.
#[test]
fn a_window_whose_cuts_were_futile_is_a_quiet_one() {
    check(
        AimdOptions {
            initial_limit: 100,
            max_limit: 200,
            learn_baseline_when_idle: true,
            relearn_after_cut: Some(0.6),
            ..bound()
        },
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       1      10       50         ok        100    -         .
         1000    1      10       50         ok        100    10        hold
         2000    1      200      100        ok        90     10        latency
         3000    1      200      100        ok        81     10        latency
         4000    1      200      100        ok        72     10        latency
         5000    1      200      100        ok        64     10        latency
         6000    1      200      100        ok        57     10        latency
         7000    1      200      100        ok        100    200       relearned
         8000    1      200      100        ok        101    200       growth
         9000    1      200      101        ok        102    200       growth
         10000   1      200      102        ok        103    200       growth
         11000   1      200      103        ok        114    200       growth",
    );
}
