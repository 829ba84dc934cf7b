use std::env;
use std::error::Error;
use std::process::{Command, Stdio};

use inflight_benches::Outcome;

/// What the program `counts` finds: promises about allocations and bytes.
pub(crate) fn outcomes(smoke: bool) -> Result<Vec<Outcome>, Box<dyn Error>> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut counts = Command::new(cargo);
    counts.args([
        "run",
        "--quiet",
        "--package",
        env!("CARGO_PKG_NAME"),
        "--bin",
        "counts",
    ]);
    if !cfg!(debug_assertions) {
        counts.arg("--release");
    }
    if smoke {
        counts.args(["--", "--smoke"]);
    }
    let output = counts.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("`counts` ended with {}", output.status).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}
