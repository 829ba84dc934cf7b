use std::io;
use std::io::Write;

use indicatif::HumanCount;

use super::counts;
use crate::stress::findings::Findings;
use crate::stress::invariant::Invariant;
use crate::stress::options::Options;

/// Prints the counts, and each invariant with whether it held.
pub(crate) fn print(options: &Options, findings: &Findings) -> io::Result<()> {
    match write(&mut io::stdout().lock(), options, findings) {
        // Whoever reads may have seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

fn write(out: &mut impl Write, options: &Options, findings: &Findings) -> io::Result<()> {
    let rounds: u64 = findings.standings.iter().map(|s| s.rounds).sum();
    let calls = findings.calls();
    writeln!(
        out,
        "{} calls in {rounds} rounds on {} threads, seed {}: {:.1} s, {} calls a second\n{}\n",
        HumanCount(calls),
        options.threads,
        options.seed,
        findings.elapsed.as_secs_f64(),
        HumanCount(a_second(calls, findings)),
        counts::table(&findings.standings),
    )?;
    if findings.interrupted {
        writeln!(out, "Stopped early: what was completed is counted.\n")?;
    }
    writeln!(out, "Checked:")?;
    for invariant in Invariant::ALL {
        let mark = match findings.faults.of(invariant) {
            None => "held  ",
            Some(_) => "BROKEN",
        };
        writeln!(out, "  {mark}  {}", invariant.text())?;
    }
    Ok(())
}

fn a_second(calls: u64, findings: &Findings) -> u64 {
    let milliseconds = findings.elapsed.as_millis().max(1);
    u64::try_from(u128::from(calls) * 1000 / milliseconds).unwrap_or(u64::MAX)
}
