//! The program from outside: a short form of the stress.

use std::process::{Command, Output};

#[test]
fn a_short_run_accounts_for_every_call_and_all_holds() {
    let output = stress(&["--operations=24000", "--threads=6"]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{told}");
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(
        printed.contains("24,000 calls in 12 rounds on 6 threads, seed 1"),
        "{printed}"
    );
    for subject in ["no line", "line", "priority line", "adaptive"] {
        let counts = counts(&printed, subject);
        let [arrived, admitted, rejected, cancelled, ..] = counts[..] else {
            panic!("{printed}");
        };
        assert_eq!(arrived, admitted + rejected + cancelled, "{subject}");
        assert!(admitted > 0 && rejected > 0, "{printed}");
    }
    assert_eq!(printed.matches("  held  ").count(), 8, "{printed}");
    assert!(!printed.contains("BROKEN"), "{printed}");
}

#[test]
fn another_seed_and_the_fewest_threads_hold_too() {
    let output = stress(&["--operations=6000", "--threads=4", "--seed=2"]);
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("on 4 threads, seed 2"), "{printed}");
}

#[test]
fn a_bad_value_is_told_with_option_requirement_and_value() {
    for (option, value, requirement) in [
        (
            "--operations",
            "0",
            "StressOptions.operations must be between 1000 and 1000000000000 (was 0)",
        ),
        (
            "--operations",
            "1e9",
            "StressOptions.operations must be between 1000 and 1000000000000 (was 1e9)",
        ),
        (
            "--threads",
            "3",
            "StressOptions.threads must be between 4 and 256 (was 3)",
        ),
        (
            "--seed",
            "-1",
            "StressOptions.seed must be between 0 and 18446744073709551615 (was -1)",
        ),
    ] {
        let output = stress(&[&format!("{option}={value}")]);
        assert_eq!(output.status.code(), Some(2), "{option}={value}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(
            told.contains(option) && told.contains(requirement),
            "{told}"
        );
    }
}

fn stress(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_inflight-lab"))
        .arg("stress")
        .args(arguments)
        .output()
        .expect("the program starts")
}

/// The numbers in the row of `subject`.
fn counts(printed: &str, subject: &str) -> Vec<u64> {
    let rows = printed.lines().map(|line| line.trim_matches(['│', ' ']));
    let mut mine = rows.filter_map(|row| row.strip_prefix(subject));
    let row = mine.find(|rest| rest.starts_with("  ")).expect("a row");
    let words = row.split_whitespace().map(|word| word.replace(',', ""));
    words.map_while(|word| word.parse().ok()).collect()
}
