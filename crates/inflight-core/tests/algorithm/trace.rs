use inflight_core::{Aimd, AimdOptions, Algorithm, Evaluation, Outcome, Sample};

/// Feeds a table of samples to the rule, and compares what follows.
///
/// The columns are: the time in ms; how many calls end then; their latency in
/// ms; how many are in flight, themselves included; `ok`, `overload` or
/// `dropped`; the limit afterwards; the baseline in ms, or `-`; the verdict,
/// or `.` where nothing must be evaluated. Lines without numbers are comments.
#[track_caller]
pub(crate) fn check(options: AimdOptions, table: &str) {
    follow(&mut Aimd::new(options).expect("valid options"), table);
}

#[track_caller]
pub(crate) fn follow(algorithm: &mut dyn Algorithm, table: &str) {
    let mut rows = 0;
    for line in table.lines().map(str::trim) {
        if line.starts_with(|first: char| first.is_ascii_digit()) {
            step(algorithm, line);
            rows += 1;
        }
    }
    assert!(rows > 0, "no table");
}

#[track_caller]
fn step(algorithm: &mut dyn Algorithm, line: &str) {
    let columns: Vec<&str> = line.split_whitespace().collect();
    let [
        at,
        calls,
        latency,
        in_flight,
        outcome,
        limit,
        baseline,
        verdict,
    ] = columns[..]
    else {
        panic!("not eight columns: {line}");
    };
    let before = number(algorithm);
    for _ in 0..calls.parse().expect("calls") {
        let returned = algorithm.observe(&Sample {
            now: nanos(at),
            latency: nanos(latency),
            in_flight: in_flight.parse().expect("in flight"),
            outcome: parse_outcome(outcome),
        });
        assert_eq!(returned, algorithm.limit(), "{line}");
    }
    let evaluations = number(algorithm) - before;
    let last = algorithm.last_evaluation();
    let seen = match evaluations {
        0 => ".",
        _ => last.expect("evaluated").verdict.as_str(),
    };
    assert!(evaluations <= 1, "evaluated {evaluations} times: {line}");
    assert_eq!(seen, verdict, "verdict: {line}");
    assert_eq!(algorithm.limit().to_string(), limit, "limit: {line}");
    assert_eq!(shown_baseline(last), baseline, "baseline: {line}");
}

fn parse_outcome(outcome: &str) -> Outcome {
    match outcome {
        "dropped" => Outcome::Ignore,
        "ok" => Outcome::Success,
        "overload" => Outcome::Overload,
        _ => panic!("no outcome: {outcome}"),
    }
}

fn number(algorithm: &dyn Algorithm) -> u64 {
    algorithm.last_evaluation().map_or(0, |last| last.number)
}

/// In milliseconds, without the zeros at the end.
fn shown_baseline(last: Option<Evaluation>) -> String {
    let Some(baseline) = last.and_then(|last| last.baseline) else {
        return "-".to_owned();
    };
    let nanos = baseline.as_nanos();
    let shown = format!("{}.{:06}", nanos / 1_000_000, nanos % 1_000_000);
    shown.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A decimal number of milliseconds.
fn nanos(millis: &str) -> u64 {
    let (whole, fraction) = millis.split_once('.').unwrap_or((millis, ""));
    format!("{whole}{fraction:0<6}")
        .parse()
        .expect("milliseconds")
}
