//! Rule 5: by how much the limit moves.

use inflight_core::{Aimd, AimdOptions, Algorithm, Outcome, Sample};

use crate::trace::check;

// K97: the product is rounded down as it is, and 100 × 0.57 is 56.99….
#[test]
fn a_cut_rounds_the_product_of_two_floats_down() {
    for (factor, expected) in [(0.57, 56), (0.29, 28), (0.5, 50), (0.999, 99), (1e-9, 1)] {
        let mut aimd = Aimd::new(AimdOptions {
            initial_limit: 100,
            decrease_factor: factor,
            ..AimdOptions::default()
        })
        .expect("valid options");
        for now in [0, 1_000_000_000] {
            aimd.observe(&Sample {
                now,
                latency: 0,
                in_flight: 1,
                outcome: Outcome::Overload,
            });
        }
        assert_eq!(aimd.limit().get(), expected, "factor {factor}");
    }
}

// K106
#[test]
fn a_cut_stops_at_the_minimum() {
    check(
        AimdOptions {
            min_limit: 4,
            initial_limit: 5,
            decrease_factor: 0.5,
            ..AimdOptions::default()
        },
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       1      1        1          overload  5      -         .
         1000    1      1        1          overload  4      -         overload
         2000    1      1        1          overload  4      -         overload",
    );
}

// F127
#[test]
fn half_of_six_is_five_where_that_is_the_minimum() {
    check(
        AimdOptions {
            min_limit: 5,
            initial_limit: 6,
            decrease_factor: 0.5,
            ..AimdOptions::default()
        },
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       1      1        1          overload  6      -         .
         1000    1      1        1          overload  5      -         overload",
    );
}

// K103
#[test]
fn half_of_three_takes_two_in_flight() {
    check(
        AimdOptions {
            initial_limit: 3,
            ..AimdOptions::default()
        },
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       1      1        1          ok        3      -         .
         1000    1      1        1          ok        3      1         hold
         1500    1      1        2          ok        3      1         .
         2000    1      1        1          ok        4      1         growth",
    );
}

// K104
#[test]
fn calls_one_by_one_raise_the_limit_to_three_and_no_further() {
    check(
        AimdOptions {
            initial_limit: 1,
            max_limit: 5,
            ..AimdOptions::default()
        },
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       1      1        1          ok        1      -         .
         1000    1      1        1          ok        2      1         growth
         2000    1      1        1          ok        3      1         growth
         3000    1      1        1          ok        3      1         hold",
    );
}

// F133
#[test]
fn the_peak_of_the_window_decides_and_empty_time_adds_nothing() {
    check(
        AimdOptions::default(),
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       1      1        4          ok        10     -         .
         1000    1      1        3          ok        10     1         hold
         1500    1      1        5          ok        10     1         .
         2000    1      1        1          ok        11     1         growth
         32000   1      1        5          ok        11     1         hold
         33000   1      1        6          ok        12     1         growth",
    );
}

#[test]
fn growth_stops_at_the_maximum() {
    check(
        AimdOptions {
            initial_limit: 9,
            max_limit: 10,
            ..AimdOptions::default()
        },
        "at      calls  latency  in flight  outcome   limit  baseline  verdict
         0       1      1        9          ok        9      -         .
         1000    1      1        9          ok        10     1         growth
         2000    1      1        10         ok        10     1         hold",
    );
}
