//! The guard `relearn_after_cut`. `learn_baseline_when_idle` beside it keeps
//! the baseline where it is, so that the tables show one thing at a time.

use inflight_core::AimdOptions;

use crate::trace::check;

fn relearning() -> AimdOptions {
    AimdOptions {
        initial_limit: 100,
        learn_baseline_when_idle: true,
        relearn_after_cut: Some(0.6),
        ..AimdOptions::default()
    }
}

// Asked at 57, the first limit at or below 60: 179 is above
// 200 × (1 − 0.25 × 0.43) = 178.5, so the cuts were futile.
#[test]
fn futile_cuts_are_taken_back_and_the_latency_is_normal() {
    check_after_five_cuts(
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         7000    1      179      100        ok        100    179       relearned
         8000    1      179      100        ok        100    179       hold",
    );
}

// 0.6 × 100 is 60 exactly.
#[test]
fn the_question_is_put_at_the_ratio_itself() {
    check_after_a_normal_window(
        AimdOptions {
            decrease_factor: 0.6,
            ..relearning()
        },
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         2000    1      200      100        ok        60     10        latency
         3000    1      200      100        ok        100    200       relearned",
    );
}

// 180 is 200 × (1 − 0.25 × 0.4) exactly: just enough to have helped.
#[test]
fn cuts_that_helped_by_just_enough_were_not_futile() {
    check_after_a_normal_window(
        AimdOptions {
            decrease_factor: 0.6,
            ..relearning()
        },
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         2000    1      200      100        ok        60     10        latency
         3000    1      180      100        ok        36     10        latency",
    );
}

// 210 is 1.05 × 200 exactly, so the cuts still begin at 100, and the question is
// put at 57.
#[test]
fn a_latency_that_rises_by_no_more_than_a_twentieth_is_no_new_onset() {
    check_after_a_normal_window(
        relearning(),
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         2000    1      200      100        ok        90     10        latency
         3000    1      210      100        ok        81     10        latency
         4000    1      200      100        ok        72     10        latency
         5000    1      200      100        ok        64     10        latency
         6000    1      200      100        ok        57     10        latency
         7000    1      200      100        ok        100    200       relearned",
    );
}

// The second time the cuts for latency begin at 81. Asked at 45, the first at
// or below 48.6.
#[test]
fn what_was_relearned_is_forgotten_as_a_beginning() {
    check_after_five_cuts(
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         7000    1      200      100        ok        100    200       relearned
         8000    1      0        100        overload  90     200       overload
         9000    1      0        100        overload  81     200       overload
         10000   1      500      100        ok        72     200       latency
         11000   1      500      100        ok        64     200       latency
         12000   1      500      100        ok        57     200       latency
         13000   1      500      100        ok        51     200       latency
         14000   1      500      100        ok        45     200       latency
         15000   1      500      100        ok        81     500       relearned",
    );
}

// At 57 a latency of 178 is below 178.5: the cuts helped, and the question is
// put again from there. At 32, the first at or below 34.2, 160 is above
// 178 × (1 − 0.25 × 25/57) = 158.5.
#[test]
fn cuts_that_helped_go_on_from_where_they_are() {
    check_after_five_cuts(
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         7000    1      178      100        ok        51     10        latency
         8000    1      165      100        ok        45     10        latency
         9000    1      165      100        ok        40     10        latency
         10000   1      165      100        ok        36     10        latency
         11000   1      165      100        ok        32     10        latency
         12000   1      160      100        ok        57     160       relearned",
    );
}

// 53 is above 1.05 × 50 while nine tenths of the limit are left: the onset
// still rises, and the cuts count from 90. Asked at 51, at or below 54.
#[test]
fn a_latency_that_still_rises_moves_the_beginning() {
    check_after_a_normal_window(
        relearning(),
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         2000    1      50       100        ok        90     10        latency
         3000    1      53       100        ok        81     10        latency
         4000    1      53       100        ok        72     10        latency
         5000    1      53       100        ok        64     10        latency
         6000    1      53       100        ok        57     10        latency
         7000    1      53       100        ok        51     10        latency
         8000    1      53       100        ok        90     53        relearned",
    );
}

// 52 is no rise, and 200 comes too late.
#[test]
fn a_rise_after_the_onset_does_not() {
    check_after_a_normal_window(
        relearning(),
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         2000    1      50       100        ok        90     10        latency
         3000    1      52       100        ok        81     10        latency
         4000    1      200      100        ok        72     10        latency
         5000    1      200      100        ok        64     10        latency
         6000    1      200      100        ok        57     10        latency
         7000    1      200      100        ok        100    200       relearned",
    );
}

// 100 is above 100 × (1 − 0.25 × 1/6) = 95.8.
#[test]
fn at_the_minimum_the_question_is_put_however_little_was_cut() {
    check(
        AimdOptions {
            min_limit: 5,
            initial_limit: 6,
            ..relearning()
        },
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       1      10       2          ok        6      -         .
         1000    1      10       2          ok        6      10        hold
         2000    1      100      6          ok        5      10        latency
         3000    1      100      6          ok        6      100       relearned",
    );
}

#[test]
fn a_limit_that_was_never_above_the_minimum_has_nothing_to_go_back_to() {
    check(
        AimdOptions {
            min_limit: 5,
            initial_limit: 5,
            ..relearning()
        },
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       1      10       2          ok        5      -         .
         1000    1      10       2          ok        5      10        hold
         2000    1      100      5          ok        5      10        latency
         3000    1      104      5          ok        5      10        latency
         4000    1      104      5          ok        5      10        latency",
    );
}

// Asked at 51, the first at or below 0.6 × 91.
#[test]
fn a_healthy_window_forgets_where_the_cuts_began() {
    check_after_a_normal_window(
        relearning(),
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         2000    1      200      100        ok        90     10        latency
         3000    1      15       100        ok        91     10        growth
         4000    1      200      100        ok        81     10        latency
         5000    1      200      100        ok        72     10        latency
         6000    1      200      100        ok        64     10        latency
         7000    1      200      100        ok        57     10        latency
         8000    1      200      100        ok        51     10        latency
         9000    1      200      100        ok        91     200       relearned",
    );
}

#[test]
fn a_window_congested_by_failures_alone_does_not_forget() {
    check_after_a_normal_window(
        relearning(),
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         2000    1      200      100        ok        90     10        latency
         3000    1      0        100        overload  81     10        overload
         4000    1      200      100        ok        72     10        latency
         5000    1      200      100        ok        64     10        latency
         6000    1      200      100        ok        57     10        latency
         7000    1      200      100        ok        100    200       relearned",
    );
}

/// Goes on with the table once a latency of 10 is normal.
#[track_caller]
fn check_after_a_normal_window(options: AimdOptions, table: &str) {
    let normal = "
         0       1      10       100        ok        100    -         .
         1000    1      10       100        ok        100    10        hold";
    check(options, &format!("{normal}\n{table}"));
}

/// Goes on with the table once a latency of 200 has cut from 100 to 57.
#[track_caller]
fn check_after_five_cuts(table: &str) {
    let cuts = "
         2000    1      200      100        ok        90     10        latency
         3000    1      200      100        ok        81     10        latency
         4000    1      200      100        ok        72     10        latency
         5000    1      200      100        ok        64     10        latency
         6000    1      200      100        ok        57     10        latency";
    check_after_a_normal_window(relearning(), &format!("{cuts}\n{table}"));
}
