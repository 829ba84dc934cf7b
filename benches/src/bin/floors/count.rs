use std::env;
use std::error::Error;
use std::io::{self, ErrorKind, Write};
use std::process::{Command, Stdio};

use clap::ValueEnum;
use inflight_benches::Promise;

use crate::contender::Contender;
use crate::profile::Profile;

/// Counts the instructions of one operation: ours, the peer's, and those of the service or the
/// list that the floor is made on.
pub(crate) fn count(out: &mut impl Write, promise: &Promise) -> Result<(), Box<dyn Error>> {
    for &contender in Contender::value_variants() {
        if contender == Contender::Floor && !promise.has_floor() {
            continue;
        }
        // What is there once, such as the first growth of a line, cancels out.
        let once = run(promise, contender, OPERATIONS)?;
        let twice = run(promise, contender, 2 * OPERATIONS)?;
        report(out, contender.name(promise), &twice.minus(&once))?;
    }
    Ok(())
}

/// Has callgrind run it, and count only what is timed.
fn run(promise: &Promise, contender: Contender, times: i64) -> Result<Profile, Box<dyn Error>> {
    let output = Command::new("valgrind")
        .args([
            "--tool=callgrind",
            "--quiet",
            "--collect-atstart=no",
            "--toggle-collect=*clock*span*",
            "--compress-strings=no",
            "--compress-pos=no",
            "--callgrind-out-file=/dev/stdout",
        ])
        .arg(env::current_exe()?)
        .args([
            "run",
            contender.argument(),
            promise.question,
            &times.to_string(),
        ])
        .stderr(Stdio::inherit())
        .output()
        .map_err(explained)?;
    if !output.status.success() {
        return Err(format!("valgrind ended with {}", output.status).into());
    }
    Ok(Profile::parse(&String::from_utf8(output.stdout)?))
}

fn explained(error: io::Error) -> Box<dyn Error> {
    match error.kind() {
        ErrorKind::NotFound => "instructions are counted by valgrind, which is not here".into(),
        _ => error.into(),
    }
}

fn report(out: &mut impl Write, name: &str, profile: &Profile) -> io::Result<()> {
    let total = profile.total() / OPERATIONS;
    writeln!(out, "{name}: {total} instructions for each, of which")?;
    for (function, instructions) in profile.top(10) {
        writeln!(out, "{:8}  {function}", instructions / OPERATIONS)?;
    }
    writeln!(out)
}

/// As many as leave a line of 100,000 at once; no question is asked with more.
const OPERATIONS: i64 = 100_000;
