use std::io::{self, Write};

use inflight_benches::Samples;

/// Starts a table, in Markdown.
pub(crate) fn open(out: &mut impl Write) -> io::Result<()> {
    let question = "nanoseconds";
    writeln!(
        out,
        "| {question:49} | ours |  map | DashMap | ours/map | ours/DashMap |"
    )?;
    writeln!(
        out,
        "|:{:-<49}-|-----:|-----:|--------:|---------:|-------------:|",
        ""
    )
}

/// Adds an answer.
pub(crate) fn row(out: &mut impl Write, question: &str, samples: &Samples) -> io::Result<()> {
    let [ours, map, dash] = [0, 1, 2].map(|contender| samples.nanoseconds(contender));
    let [to_map, to_dash] = [1, 2].map(|other| samples.ratio(0, other));
    writeln!(
        out,
        "| {question:49} | {ours:4.0} | {map:4.0} | {dash:7.0} | {to_map:8.2} | {to_dash:12.2} |"
    )
}
