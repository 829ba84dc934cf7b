use std::io::{self, Write};

use inflight_benches::Outcome;

/// Starts a table, in Markdown.
pub(crate) fn open(out: &mut impl Write) -> io::Result<()> {
    let (question, peer) = ("question", "peer");
    writeln!(
        out,
        "| {question:46} | {peer:18} |        ours |     peer | ratio |    bar | ok  |"
    )?;
    writeln!(
        out,
        "|:{:-<46}-|:{:-<18}-|------------:|---------:|------:|-------:|-----|",
        "", ""
    )
}

/// Adds an answer.
pub(crate) fn row(out: &mut impl Write, outcome: &Outcome) -> io::Result<()> {
    let question = &outcome.question;
    let value = |value| outcome.unit.of(value);
    let ours = value(outcome.ours);
    let theirs = outcome.theirs.map_or_else(|| NOTHING.to_owned(), value);
    let ratio = match outcome.theirs {
        Some(_) => format!("{:.3}", outcome.ratio),
        None => NOTHING.to_owned(),
    };
    let peer = outcome.peer.as_deref().unwrap_or(NOTHING);
    let (bar, ok) = (
        outcome.bar.to_string(),
        if outcome.ok { "yes" } else { "NO" },
    );
    writeln!(
        out,
        "| {question:46} | {peer:18} | {ours:>11} | {theirs:>8} | {ratio:>5} | {bar:>6} | {ok:3} |"
    )
}

/// Says how many promises were kept.
pub(crate) fn close(out: &mut impl Write, asked: usize, missed: usize) -> io::Result<()> {
    writeln!(out, "\n{} of {asked} promises kept", asked - missed)
}

/// What stands where there is no peer.
const NOTHING: &str = "–";
