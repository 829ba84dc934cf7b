use anyhow::bail;

use super::campaign::Campaign;
use super::options::Options;
use super::report;

/// Runs the whole campaign and reports it.
///
/// # Errors
///
/// What did not hold.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let findings = Campaign::new(options)?.run()?;
    report::print(options, &findings)?;
    if let Some((invariant, case)) = findings.broken().first() {
        bail!("this did not hold: {} ({case})", invariant.text());
    }
    Ok(())
}
