//! The program `floors` answers, and says what it lacks.

use std::process::{Command, Output};

use inflight_benches::{Promise, promises};

fn floors(arguments: &[&str]) -> Command {
    let mut floors = Command::new(env!("CARGO_BIN_EXE_floors"));
    floors.args(arguments);
    floors
}

#[track_caller]
fn output(mut floors: Command) -> Output {
    floors.output().expect("it can be run")
}

#[test]
fn every_question_with_a_floor_is_taken_apart() {
    let output = output(floors(&["--smoke"]));
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("| compare-exchange |"));
    let mut with_a_floor = promises().filter(Promise::has_floor).peekable();
    assert!(with_a_floor.peek().is_some());
    for Promise { question, .. } in with_a_floor {
        assert!(
            text.contains(&format!("\n| {question:46} | ")),
            "{question}"
        );
        assert!(text.contains(&format!("\n- {question}: ")), "{question}");
    }
}

#[test]
fn a_question_that_there_is_not_is_an_error() {
    let output = output(floors(&["--smoke", "--only", "nonsense"]));
    assert!(!output.status.success());
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        text.contains("no question with a floor contains `nonsense`"),
        "{text}"
    );
}

#[test]
fn one_question_can_be_asked_alone() {
    let output = output(floors(&["--smoke", "--only", "dropped shuffled"]));
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        text.lines().filter(|line| line.starts_with("- ")).count(),
        1
    );
}

#[test]
fn without_valgrind_nothing_is_counted_and_it_says_why() {
    let mut floors = floors(&["count", "rejected, no line, reused"]);
    floors.env("PATH", "");
    let output = output(floors);
    assert!(!output.status.success());
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("valgrind, which is not here"), "{text}");
}

#[test]
fn a_question_that_nobody_asks_is_named() {
    let output = output(floors(&["count", "why"]));
    assert!(!output.status.success());
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("does not ask `why`"), "{text}");
}
