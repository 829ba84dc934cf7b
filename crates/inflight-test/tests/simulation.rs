//! The simulation against what queueing theory says of the same server.

use std::time::Duration;

use inflight_core::Limit;
use inflight_test::simulation::{Fixed, Phase, PhaseReport, Scenario, ServiceTime};

const SERVICE: Duration = Duration::from_millis(20);

const FOUR_WORKERS: Phase = Phase {
    length: Duration::from_secs(2000),
    rate: 100.0,
    workers: 4,
    delay: Duration::ZERO,
};

fn scenario(phases: Vec<Phase>) -> Scenario {
    Scenario {
        seed: 7,
        service_time: ServiceTime::exponential(SERVICE),
        contention: 0.0,
        deadline: Duration::from_millis(100),
        phases,
    }
}

fn run(scenario: &Scenario, limit: usize) -> Vec<PhaseReport> {
    scenario.run(&mut Fixed(Limit::new(limit).expect("in range")))
}

fn share_refused(report: &PhaseReport) -> f64 {
    count(report.refused()) / count(report.offered)
}

fn count(calls: u64) -> f64 {
    f64::from(u32::try_from(calls).expect("not that many"))
}

#[track_caller]
fn near(value: f64, expected: f64, tolerance: f64) {
    assert!(
        (value - expected).abs() <= tolerance,
        "{value} is not {expected} ± {tolerance}"
    );
}

// Two workers' worth of work for four workers and no line: 9.5 % are refused,
// whatever the shape of the service time.
#[test]
fn refusals_without_a_line_follow_erlang() {
    let expected = (16.0 / 24.0) / (1.0 + 2.0 + 2.0 + 8.0 / 6.0 + 16.0 / 24.0);
    let exponential = scenario(vec![FOUR_WORKERS]);
    let log_normal = Scenario {
        service_time: ServiceTime::log_normal(SERVICE, 1.5),
        ..exponential.clone()
    };
    for scenario in [exponential, log_normal] {
        near(share_refused(&run(&scenario, 4)[0]), expected, 0.004);
    }
}

// Without a limit the time in an M/M/1 queue at half load is exponential with
// mean 40 ms.
#[test]
fn latency_behind_one_worker_is_exponential() {
    let phase = Phase {
        rate: 25.0,
        workers: 1,
        length: Duration::from_secs(8000),
        ..FOUR_WORKERS
    };
    let report = &run(&scenario(vec![phase]), 1000)[0];
    assert_eq!(report.refused(), 0);
    for quantile in [0.5_f64, 0.9, 0.99] {
        let expected = -0.04 * (1.0 - quantile).ln();
        let seen = report.quantile(quantile).expect("there were calls");
        near(seen.as_secs_f64() / expected, 1.0, 0.04);
    }
    near(report.goodput(), 1.0 - (-2.5_f64).exp(), 0.005);
}

#[test]
fn a_delay_adds_to_every_latency_and_takes_no_worker() {
    let delay = Duration::from_millis(180);
    let [without, with] = [Duration::ZERO, delay].map(|delay| {
        let phase = Phase {
            delay,
            ..FOUR_WORKERS
        };
        run(&scenario(vec![phase]), 1000).remove(0)
    });
    for quantile in [0.0, 0.5, 0.99, 1.0] {
        let without = without.quantile(quantile).expect("there were calls");
        assert_eq!(with.quantile(quantile), Some(without + delay));
    }
}

// With one call in flight nothing is shared. Each one present above the one
// worker makes a call take half as long again.
#[test]
fn contention_takes_capacity_only_above_the_workers() {
    let crowded = Phase {
        rate: 500.0,
        workers: 1,
        length: Duration::from_secs(100),
        ..FOUR_WORKERS
    };
    let free = scenario(vec![crowded]);
    let contended = Scenario {
        contention: 0.5,
        ..free.clone()
    };
    let admitted = |scenario, limit| {
        let report = &run(scenario, limit)[0];
        count(report.offered - report.refused())
    };
    near(admitted(&free, 1), admitted(&contended, 1), 0.0);
    // Whenever one of three ends, two are present as the next one starts.
    let [free, contended] = [&free, &contended].map(|scenario| admitted(scenario, 3));
    near(free / contended, 1.5, 0.03);
}

#[test]
fn every_limit_meets_the_same_calls() {
    let phases = vec![
        FOUR_WORKERS,
        Phase {
            rate: 300.0,
            ..FOUR_WORKERS
        },
    ];
    let scenario = scenario(phases);
    let [few, many] = [4, 50].map(|limit| run(&scenario, limit));
    for (few, many, rate) in [(&few[0], &many[0], 100.0), (&few[1], &many[1], 300.0)] {
        assert_eq!(few.offered, many.offered);
        near(count(few.offered) / (rate * 2000.0), 1.0, 0.01);
    }
    let other = Scenario {
        seed: 8,
        ..scenario
    };
    assert_ne!(run(&other, 4)[0].offered, few[0].offered);
}

#[test]
fn the_same_run_twice_is_the_same() {
    let scenario = scenario(vec![FOUR_WORKERS]);
    let [one, two] = [(); 2].map(|()| run(&scenario, 6).remove(0));
    assert_eq!((one.offered, one.good), (two.offered, two.good));
    assert_eq!(one.quantile(0.5), two.quantile(0.5));
}

// Eight run when six workers leave; nobody new starts until only two are left.
#[test]
fn workers_that_leave_finish_what_they_began() {
    let full = Phase {
        rate: 1000.0,
        workers: 8,
        length: Duration::from_secs(100),
        ..FOUR_WORKERS
    };
    let scenario = scenario(vec![full, Phase { workers: 2, ..full }]);
    let reports = run(&scenario, 16);
    let admitted = |report: &PhaseReport| count(report.offered - report.refused());
    near(admitted(&reports[0]) / (8.0 / 0.02 * 100.0), 1.0, 0.02);
    near(admitted(&reports[1]) / (2.0 / 0.02 * 100.0), 1.0, 0.03);
}
