use std::io::{self, Write};

use inflight_benches::{Bar, Breakdown, Outcome, Unit};

/// What the machine does, in Markdown.
pub(crate) fn primitives(
    out: &mut impl Write,
    primitives: &[(String, &'static str, f64)],
) -> io::Result<()> {
    let (part, what) = ("part", "what it is");
    writeln!(out, "| {part:16} | {what:72} | it takes |")?;
    writeln!(out, "|:{:-<16}-|:{:-<72}-|---------:|", "", "")?;
    for (part, what, nanoseconds) in primitives {
        let nanoseconds = Unit::Nanoseconds.of(*nanoseconds);
        writeln!(out, "| {part:16} | {what:72} | {nanoseconds:>8} |")?;
    }
    writeln!(out)
}

/// Starts the table of the questions, in Markdown.
pub(crate) fn open(out: &mut impl Write) -> io::Result<()> {
    let question = "question";
    writeln!(
        out,
        "| {question:46} |    floor |     ours | the rest |      bar | bar over floor | ok  |"
    )?;
    writeln!(
        out,
        "|:{:-<46}-|---------:|---------:|---------:|---------:|---------------:|-----|",
        ""
    )
}

/// Adds a question.
pub(crate) fn row(
    out: &mut impl Write,
    outcome: &Outcome,
    breakdown: &Breakdown,
) -> io::Result<()> {
    let question = &outcome.question;
    let (Bar::AtMost(bar) | Bar::AtLeast(bar)) = outcome.bar;
    let bar = bar * outcome.theirs.unwrap_or(1.0);
    let floor = breakdown.total();
    let rest = outcome.ours - floor;
    let over = bar - floor;
    let ok = if outcome.ok { "yes" } else { "NO" };
    let [floor, ours, rest, bar, over] =
        [floor, outcome.ours, rest, bar, over].map(|value| Unit::Nanoseconds.of(value));
    writeln!(
        out,
        "| {question:46} | {floor:>8} | {ours:>8} | {rest:>8} | {bar:>8} | {over:>14} | {ok:3} |"
    )
}

/// Says what the floors are made of.
pub(crate) fn breakdowns(
    out: &mut impl Write,
    breakdowns: &[(&'static str, Breakdown)],
) -> io::Result<()> {
    writeln!(out, "\nWhat the floors are made of, in nanoseconds:\n")?;
    for (question, breakdown) in breakdowns {
        writeln!(out, "- {question}: {breakdown}")?;
    }
    Ok(())
}
