use std::fs;
use std::fs::File;
use std::io;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context;

use super::{page, table, verdict};
use crate::overload::record::Record;
use crate::overload::study::Study;

/// Prints the tables, writes the page, and the records to `json`.
pub(crate) fn publish(study: &Study, json: Option<File>) -> anyhow::Result<()> {
    let records = study.records();
    if let Some(file) = json {
        write_json(file, &records).context("cannot write the records")?;
    }
    let page = study.setting.folder.join("overload.html");
    fs::write(&page, page::html(study, &records))
        .with_context(|| format!("cannot write {}", page.display()))?;
    match print(study, &records, &page) {
        // Whoever reads may have seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        printed => Ok(printed?),
    }
}

fn write_json(file: File, records: &[Record]) -> anyhow::Result<()> {
    let mut file = BufWriter::new(file);
    serde_json::to_writer_pretty(&mut file, records)?;
    writeln!(file)?;
    Ok(file.flush()?)
}

fn print(study: &Study, records: &[Record], page: &Path) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for phase in &study.plan.phases {
        let mine: Vec<_> = records
            .iter()
            .filter(|record| record.phase == phase.name)
            .collect();
        if !mine.is_empty() {
            writeln!(
                out,
                "{}\n{}\n",
                table::title(study, phase),
                table::of(&mine)
            )?;
        }
    }
    if study.interrupted {
        writeln!(
            out,
            "Stopped early: only phases that were completed are shown.\n"
        )?;
    }
    for sentence in verdict::sentences(study, records) {
        writeln!(out, "{sentence}")?;
    }
    writeln!(out, "\n{MISSING}")?;
    writeln!(out, "\nThe plots: {}", page.display())
}

/// Why the layer that many would look for is not in the table.
const MISSING: &str = "The stock limit is tower's GlobalConcurrencyLimitLayer. Its \
    ConcurrencyLimitLayer does not even limit here: on an axum router each request gets a \
    semaphore of its own.";
