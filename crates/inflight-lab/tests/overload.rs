//! The program from outside: options, files, and what adds up in them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

#[test]
fn a_tiny_run_accounts_for_every_request() {
    let folder = tempfile::tempdir().unwrap();
    let json = folder.path().join("records.json");
    let output = overload(folder.path(), &["--json", json.to_str().unwrap()]);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );

    let records: Vec<Value> = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
    assert_eq!(names(&records), expected_names());
    for record in &records {
        let rejected = record["rejected"]
            .as_object()
            .unwrap()
            .values()
            .map(count)
            .sum::<u64>();
        let others =
            ["answered_in_deadline", "missed", "failed"].map(|field| count(&record[field]));
        assert_eq!(
            count(&record["offered"]),
            others.iter().sum::<u64>() + rejected,
            "{record}"
        );
        assert_eq!(count(&record["failed"]), 0, "{record}");
    }
    for (phase, offered) in offered_by_phase(&records) {
        assert!(
            offered.windows(2).all(|pair| pair[0] == pair[1]),
            "{phase}: {offered:?}"
        );
    }

    let page = fs::read_to_string(folder.path().join("overload.html")).unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    for contender in CONTENDERS {
        assert!(
            page.contains(&format!("</i>{contender}</h3>")),
            "{contender} is not on the page"
        );
        assert!(
            printed.contains(contender),
            "{contender} is not in the table"
        );
    }
    assert!(
        !page.contains("http://") && !page.contains("https://"),
        "the page needs nothing else"
    );
    assert!(printed.contains("overload.html"), "the path is printed");
}

#[test]
fn a_bad_value_is_told_with_option_requirement_and_value() {
    let folder = tempfile::tempdir().unwrap();
    let output = overload(folder.path(), &["--queue-timeout", "NaNms"]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    for part in [
        "--queue-timeout",
        "OverloadOptions.queue_timeout must be between 1ms and",
        "NaNms",
    ] {
        assert!(told.contains(part), "{told}");
    }
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        0,
        "nothing was begun"
    );
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("gone").join("records.json");
    let output = overload(folder.path(), &["--json", nowhere.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("records.json")
    );
}

fn overload(folder: &Path, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_inflight-lab"))
        .args([
            "overload",
            "--phase=50ms",
            "--rate=100",
            "--rows=1000",
            "--deadline=5s",
        ])
        .args(["--folder", folder.to_str().expect("a plain path")])
        .args(more)
        .output()
        .expect("the program starts")
}

fn names(records: &[Value]) -> Vec<(&str, &str)> {
    records
        .iter()
        .map(|record| {
            (
                record["contender"].as_str().expect("a name"),
                record["phase"].as_str().expect("a name"),
            )
        })
        .collect()
}

fn expected_names() -> Vec<(&'static str, &'static str)> {
    CONTENDERS
        .iter()
        .flat_map(|contender| PHASES.map(|phase| (*contender, phase)))
        .collect()
}

fn offered_by_phase(records: &[Value]) -> Vec<(&'static str, Vec<u64>)> {
    let offered = |phase| {
        let mine = records.iter().filter(|record| record["phase"] == phase);
        mine.map(|record| count(&record["offered"])).collect()
    };
    PHASES
        .iter()
        .map(|phase| (*phase, offered(*phase)))
        .collect()
}

fn count(value: &Value) -> u64 {
    value.as_u64().expect("a count")
}

const CONTENDERS: [&str; 6] = [
    "no limit",
    "stock limit",
    "stock limit + LoadShed",
    "ConcurrencyLimitLayer",
    "PriorityQueueLayer",
    "AdaptiveAimdLayer",
];

const PHASES: [&str; 6] = [
    "0.5x",
    "1x",
    "3x",
    "0.5x after",
    "slow database",
    "recovered",
];
