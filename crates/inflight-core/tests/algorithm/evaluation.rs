use std::time::Duration;

use inflight_core::{Aimd, AimdOptions, Algorithm, Outcome, Sample, Verdict};

/// What an operator is shown must be what was decided on.
#[test]
fn an_evaluation_tells_what_its_window_held() {
    let mut aimd = Aimd::new(AimdOptions::default()).unwrap();
    let calls = [
        (0, 10, 3, Outcome::Success),
        (1, 20, 7, Outcome::Success),
        (2, 90, 4, Outcome::Overload),
        (1_000, 60, 2, Outcome::Success),
    ];
    for (at, latency, in_flight, outcome) in calls {
        aimd.observe(&Sample {
            now: at * 1_000_000,
            latency: latency * 1_000_000,
            in_flight,
            outcome,
        });
    }
    let last = aimd.last_evaluation().unwrap();
    assert_eq!(last.verdict, Verdict::Overload);
    assert_eq!((last.window.successes, last.window.overloads), (3, 1));
    assert_eq!(last.window.mean_latency, Some(Duration::from_millis(30)));
    assert_eq!(last.window.peak, 7);
    assert_eq!(last.baseline, Some(Duration::from_millis(30)));
}

#[test]
fn a_verdict_is_shown_by_its_stable_name() {
    let verdicts = [
        (Verdict::Growth, "growth"),
        (Verdict::Hold, "hold"),
        (Verdict::Latency, "latency"),
        (Verdict::Overload, "overload"),
        (Verdict::Relearned, "relearned"),
    ];
    for (verdict, name) in verdicts {
        assert_eq!(verdict.to_string(), name);
        assert_eq!(verdict.as_str(), name);
    }
}
