//! Rule 4: what latency is normal.

use inflight_core::{Aimd, AimdOptions, Algorithm, Outcome, Sample};

use crate::trace::check;

fn from_a_hundred() -> AimdOptions {
    AimdOptions {
        initial_limit: 100,
        ..AimdOptions::default()
    }
}

// K98
#[test]
fn a_jump_that_stays_is_cut_seven_times_and_then_normal() {
    check(
        from_a_hundred(),
        "at      calls  latency  in flight  outcome   limit  baseline   verdict
         0       1      1        1          ok        100    -          .
         1000    1      1        1          ok        100    1          hold
         2000    1      20       1          ok        90     2.9        latency
         3000    1      20       1          ok        81     4.61       latency
         4000    1      20       1          ok        72     6.149      latency
         5000    1      20       1          ok        64     7.5341     latency
         6000    1      20       1          ok        57     8.78069    latency
         7000    1      20       1          ok        51     9.902621   latency
         8000    1      20       1          ok        45     10.912359  latency
         9000    1      20       1          ok        45     11.821123  hold",
    );
}

// K100
#[test]
fn the_comparison_uses_the_baseline_before_its_update() {
    let healthy = "
         at      calls  latency  in flight  outcome   limit  baseline   verdict
         0       1      10       1          ok        10     -          .
         1000    1      10       1          ok        10     10         hold
         2000    1      15       1          ok        10     10.5       hold
         3000    1      20.5     1          ok        10     11.5       hold";
    let congested = "
         at      calls  latency  in flight  outcome   limit  baseline   verdict
         0       1      10       1          ok        10     -          .
         1000    1      10       1          ok        10     10         hold
         2000    1      15       1          ok        10     10.5       hold
         3000    1      21.5     1          ok        9      11.6       latency";
    check(AimdOptions::default(), healthy);
    check(AimdOptions::default(), congested);
}

// K101
#[test]
fn failures_set_no_baseline_and_the_first_success_window_cannot_be_slow() {
    check(
        AimdOptions::default(),
        "at      calls  latency  in flight  outcome   limit  baseline   verdict
         0       1      1        1          overload  10     -          .
         1000    1      1        1          overload  9      -          overload
         1500    1      50       1          ok        9      -          .
         2000    1      50       1          ok        9      50         hold
         3000    1      1        1          overload  8      50         overload",
    );
}

#[test]
fn a_congested_window_moves_the_baseline_too() {
    check(
        AimdOptions::default(),
        "at      calls  latency  in flight  outcome   limit  baseline   verdict
         0       1      10       1          ok        10     -          .
         1000    1      10       1          ok        10     10         hold
         1500    1      20       1          ok        10     10         .
         2000    1      1        1          overload  9      11         overload",
    );
}

// K107
#[test]
fn calls_too_quick_for_the_clock_leave_a_floor() {
    let start = "
         at      calls  latency   in flight  outcome   limit  baseline   verdict
         0       1      0         1          ok        10     -          .
         1000    1      0         1          ok        10     0.0001     hold
         2000    1      0         1          ok        10     0.0001     hold";
    let at_two_floors = "
         3000    1      0.000200  1          ok        10     0.00011    hold";
    let at_three = "
         3000    1      0.000300  1          ok        9      0.00012    latency";
    check(AimdOptions::default(), &format!("{start}{at_two_floors}"));
    check(AimdOptions::default(), &format!("{start}{at_three}"));
}

// F135: the half of it that is no option
#[test]
fn a_baseline_of_zero_neither_freezes_nor_pins_the_limit() {
    check(
        from_a_hundred(),
        "at      calls  latency  in flight  outcome   limit  baseline   verdict
         0       1      0        100        ok        100    -          .
         1000    1      0        100        ok        100    0.0001     hold
         2000    1      1        100        ok        90     0.10009    latency
         3000    1      1        100        ok        81     0.190081   latency
         4000    1      1        100        ok        72     0.271073   latency
         5000    1      1        100        ok        64     0.343966   latency
         6000    1      1        100        ok        57     0.409569   latency
         7000    1      1        100        ok        51     0.468612   latency
         8000    1      1        100        ok        45     0.521751   latency
         9000    1      1        100        ok        46     0.569576   growth
         10000   1      1        100        ok        47     0.612618   growth",
    );
}

// F129: calls overlap the windows' edges, which does not show in a sample.
#[test]
fn the_baseline_goes_a_tenth_of_the_way_and_never_jumps() {
    let mut aimd = Aimd::new(AimdOptions::default()).expect("valid options");
    observe(&mut aimd, 0, 1, 1);
    observe(&mut aimd, 1, 1, 1);

    let mut rest = 1.0;
    for window in 2..52 {
        observe(&mut aimd, window, 2, 1);
        rest *= 0.9;
        let baseline = aimd.last_evaluation().expect("evaluated").baseline;
        let millis = baseline.expect("set").as_secs_f64() * 1e3;
        assert!(
            (millis - (2.0 - rest)).abs() < 2e-6,
            "window {window}: {millis}"
        );
        assert_eq!(aimd.limit().get(), 10, "twice the baseline is not above it");
    }
}

// F131: what an operator should know. The rule gets used to an outage that only
// makes calls slow, and raises the limit again; failures still cut.
#[test]
fn an_outage_that_lasts_becomes_normal_but_failures_never_do() {
    let mut aimd = Aimd::new(from_a_hundred()).expect("valid options");
    observe(&mut aimd, 0, 1, 100);
    observe(&mut aimd, 1, 1, 100);

    let limits: Vec<usize> = (2..62).map(|at| observe(&mut aimd, at, 50, 100)).collect();
    assert_eq!(limits[..8], [90, 81, 72, 64, 57, 51, 45, 46]);
    let growing: Vec<usize> = (45..=98).collect();
    assert_eq!(limits[6..], growing);

    aimd.observe(&Sample {
        now: 62_000_000_000,
        latency: 0,
        in_flight: 98,
        outcome: Outcome::Overload,
    });
    assert_eq!(aimd.limit().get(), 88);
}

fn observe(aimd: &mut Aimd, second: u64, millis: u64, in_flight: usize) -> usize {
    let sample = Sample {
        now: second * 1_000_000_000,
        latency: millis * 1_000_000,
        in_flight,
        outcome: Outcome::Success,
    };
    aimd.observe(&sample).get()
}
