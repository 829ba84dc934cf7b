//! Rules 1, 2 and 6: what is a sample, and when a window ends.

use std::time::Duration;

use inflight_core::AimdOptions;

use crate::trace::check;

// K95
#[test]
fn a_window_ends_at_exactly_its_length_after_the_first_completion() {
    check(
        AimdOptions::default(),
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       1      1        1          overload  10     -         .
         999     1      1        1          overload  10     -         .
         1000    1      1        1          overload  9      -         overload
         1999.9  1      1        1          overload  9      -         .
         2000    1      1        1          overload  8      -         overload",
    );
}

#[test]
fn the_next_window_starts_at_the_completion_that_ended_the_last() {
    check(
        AimdOptions::default(),
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       1      1        5          ok        10     -         .
         1700    1      1        5          ok        11     1         growth
         2699    1      1        6          ok        11     1         .
         2700    1      1        6          ok        12     1         growth",
    );
}

#[test]
fn the_completion_that_ends_a_window_counts_in_it_alone() {
    check(
        AimdOptions::default(),
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       1      1        1          ok        10     -         .
         1000    1      1        1          overload  9      1         overload
         2000    1      1        1          ok        9      1         hold",
    );
}

// F73
#[test]
fn an_hour_without_calls_is_one_window() {
    check(
        AimdOptions::default(),
        "at        calls  latency  in flight  outcome   limit  baseline  verdict
         0         1      1        10         ok        10     -         .
         3600000   1      1        10         ok        11     1         growth
         3600001   9      1        10         ok        11     1         .
         32400001  1      1        10         overload  9      1         overload
         32400002  1      1        10         overload  9      1         .",
    );
}

// F77
#[test]
fn a_window_longer_than_the_clock_has_run_just_stays_open() {
    check(
        AimdOptions {
            sampling_window: Duration::from_secs(3600),
            ..AimdOptions::default()
        },
        "at        calls  latency  in flight  outcome   limit  baseline  verdict
         0         1      1        10         ok        10     -         .
         3599999   1      1        10         ok        10     -         .
         3600000   1      1        10         ok        11     1         growth",
    );
}

// K109, K113 (the outer timeout)
#[test]
fn a_dropped_call_neither_opens_nor_ends_a_window() {
    check(
        AimdOptions::default(),
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       3      1        10         dropped   10     -         .
         5000    1      1        1          overload  10     -         .
         15000   1      9999     1          dropped   10     -         .
         15001   1      1        1          ok        9      1         overload",
    );
}

#[test]
fn a_dropped_call_does_not_move_the_time_either() {
    check(
        AimdOptions::default(),
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       1      1        1          overload  10     -         .
         10000   1      1        1          dropped   10     -         .
         500     1      1        1          overload  10     -         .
         1000    1      1        1          overload  9      -         overload",
    );
}

#[test]
fn a_dropped_call_leaves_how_much_was_in_flight_to_an_open_window() {
    check(
        AimdOptions::default(),
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       1      1        9          dropped   10     -         .
         0       1      1        1          ok        10     -         .
         1000    1      1        1          ok        10     1         hold
         1500    1      1        9          dropped   10     1         .
         2000    1      1        1          ok        11     1         growth",
    );
}

// K115
#[test]
fn a_clock_that_goes_backwards_stands_still() {
    check(
        AimdOptions::default(),
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         20000   1      1        1          overload  10     -         .
         20900   1      1        1          overload  10     -         .
         10900   1      0        1          overload  10     -         .
         11900   1      0        1          overload  10     -         .
         20999   1      1        1          overload  10     -         .
         21000   1      1        1          overload  9      -         overload
         11000   1      1        1          overload  9      -         .
         22000   1      1        1          overload  8      -         overload",
    );
}

// K91 is about two clocks that feed one limiter. Here there is one; what
// remains of the case is the jump.
#[test]
fn a_clock_that_jumps_thirty_years_ends_one_window() {
    check(
        AimdOptions {
            initial_limit: 2,
            max_limit: 2,
            ..AimdOptions::default()
        },
        "at            calls  latency  in flight  outcome   limit  baseline  verdict
         0             1      1        2          ok        2      -         .
         946684800000  1      1        2          ok        2      1         hold
         946684800999  1      1        2          overload  2      1         .
         946684801000  1      1        2          overload  1      1         overload",
    );
}
