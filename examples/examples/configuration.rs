//! How does a limit come from a file, and follow the file when it changes?
//!
//! The options deserialize; the layer is built from them. A fixed limit then
//! follows the file through the limiter's handle. The rest (the line, its
//! timeout) is fixed when the layer is built, so a change of it is reported and
//! waits for the next start. A file that is wrong changes nothing.
#![expect(clippy::print_stdout, reason = "an example prints what it shows")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::time::{interval, sleep};
use tower::BoxError;
use tower_inflight::{ConcurrencyLimitLayer, ConcurrencyLimitOptions, Limiter};

/// Time is paused, so that nobody has to wait for the file to be looked at.
#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() -> Result<(), BoxError> {
    for line in show().await? {
        println!("{line}");
    }
    Ok(())
}

/// The file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    search: ConcurrencyLimitOptions,
}

fn read(path: &Path) -> Result<Config, BoxError> {
    Ok(toml::from_str(&fs::read_to_string(path)?)?)
}

/// Looks at the file now and then, and says what has come of each change.
async fn follow(path: PathBuf, limiter: Limiter, log: UnboundedSender<String>) {
    let mut looks = interval(Duration::from_secs(5));
    let mut before = fs::read_to_string(&path).ok();
    loop {
        looks.tick().await;
        let now = fs::read_to_string(&path).ok();
        if now == before {
            continue;
        }
        before = now;
        let line = match reload(&path, &limiter) {
            Ok(line) => line,
            Err(error) => format!("kept as it was: {error}"),
        };
        if log.send(line).is_err() {
            return;
        }
    }
}

fn reload(path: &Path, limiter: &Limiter) -> Result<String, BoxError> {
    let Config { search } = read(path)?;
    limiter.set_limit(search.max_concurrency)?;
    let limit = limiter.snapshot().limit;
    let built = limiter.options().fixed().ok_or("the limit is adaptive")?;
    let rest = ConcurrencyLimitOptions {
        max_concurrency: built.max_concurrency,
        ..search
    };
    if rest == built {
        Ok(format!("the limit is now {limit}"))
    } else {
        Ok(format!(
            "the limit is now {limit}; the rest, {rest}, takes a restart"
        ))
    }
}

/// Starts from a file, and changes it three times.
async fn show() -> Result<Vec<String>, BoxError> {
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("limits.toml");
    let write = |search: &str| fs::write(&path, format!("[search]\n{search}\n"));

    write("max_concurrency = 10\nqueue_limit = 20\nqueue_timeout = \"250ms\"")?;
    let options = read(&path)?.search;
    let layer = ConcurrencyLimitLayer::builder()
        .options(options)
        .name("search")
        .build()?;
    let (log, mut lines) = unbounded_channel();
    let follower = tokio::spawn(follow(path.clone(), layer.limiter(), log));

    let mut shown = vec![format!("from the file: {layer}")];
    for search in [
        "max_concurrency = 40\nqueue_limit = 20\nqueue_timeout = \"250ms\"",
        "max_concurrency = 0",
        "max_concurrency = 5\nqueue_limit = 100",
    ] {
        sleep(Duration::from_secs(10)).await;
        write(search)?;
        shown.extend(lines.recv().await);
    }
    follower.abort();
    Ok(shown)
}

#[cfg(test)]
#[tokio::test(start_paused = true)]
async fn the_limit_follows_the_file_and_nothing_else_does() {
    assert_eq!(
        show().await.unwrap(),
        [
            "from the file: ConcurrencyLimit(10, queue 20/250ms)",
            "the limit is now 40",
            "kept as it was: ConcurrencyLimitOptions.max_concurrency must be positive (was 0)",
            "the limit is now 5; the rest, ConcurrencyLimit(10, queue 100), takes a restart",
        ]
    );
}
