use std::fs::{self, File};
use std::path::Path;

use anyhow::Context;
use tokio::runtime;

use crate::overload::laboratory::Laboratory;
use crate::overload::options::Options;
use crate::overload::report;
use crate::overload::setting::Setting;

/// Runs the whole demonstration and reports it.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let setting = Setting::from(options);
    // Before the work, so that a wrong path is told at once.
    let json = options.json.as_deref().map(create).transpose()?;
    let folder = setting.folder.display();
    fs::create_dir_all(&setting.folder).with_context(|| format!("cannot create {folder}"))?;
    // Each request that waits holds a connection, which is two open files here.
    // Where this is refused, requests fail and the report says so.
    let _ = rlimit::increase_nofile_limit(OPEN_FILES);
    let runtime = runtime::Builder::new_multi_thread().enable_all().build()?;
    let Some(study) = runtime.block_on(Laboratory::study(setting))? else {
        eprintln!("stopped before anything was measured");
        return Ok(());
    };
    report::publish(&study, json)
}

fn create(path: &Path) -> anyhow::Result<File> {
    File::create(path).with_context(|| format!("cannot write {}", path.display()))
}

/// Enough for the greatest rate with the longest default phase.
const OPEN_FILES: u64 = 20_000;
