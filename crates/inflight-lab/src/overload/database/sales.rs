use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rusqlite::{Connection, params};

use crate::overload::progress::Progress;
use crate::stop::Stop;

/// The database file: what some stores have sold, in the order of the sales.
#[derive(Clone, Debug)]
pub(crate) struct Sales {
    path: PathBuf,
}

impl Sales {
    /// Finds the database of `rows` rows in `folder`, or builds it.
    ///
    /// It is filled under another name, so a file of the right name is whole.
    pub(crate) fn open(
        folder: &Path,
        rows: u32,
        progress: &Progress,
        stop: &Stop,
    ) -> anyhow::Result<Self> {
        let path = folder.join(format!("sales-{LAYOUT}-{rows}.sqlite"));
        if !path.exists() {
            let unfinished = folder.join(format!("sales-{}.unfinished", std::process::id()));
            let built = build(&unfinished, rows, progress, stop)
                .and_then(|()| Ok(fs::rename(&unfinished, &path)?));
            if built.is_err() {
                // The first error is the one to tell.
                let _ = fs::remove_file(&unfinished);
            }
            built.with_context(|| format!("cannot build the database {}", path.display()))?;
        }
        Ok(Self { path })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

fn build(path: &Path, rows: u32, progress: &Progress, stop: &Stop) -> anyhow::Result<()> {
    progress.begin("filling the database", rows.into());
    let mut connection = Connection::open(path)?;
    // Nobody reads the file before it is whole, so it needs no journal.
    connection.pragma_update(None, "journal_mode", "OFF")?;
    connection.pragma_update(None, "synchronous", "OFF")?;
    connection.execute_batch(SCHEMA)?;
    let filling = connection.transaction()?;
    let mut random = StdRng::seed_from_u64(1);
    {
        let mut insert = filling.prepare("INSERT INTO sale VALUES (?1, ?2, ?3, ?4)")?;
        for row in 0..rows {
            if row % BATCH == 0 {
                progress.at(row.into());
                if stop.is_requested() {
                    bail!("stopped");
                }
            }
            let store = random.random_range(0..STORES);
            let product = random.random_range(0..PRODUCTS);
            let quantity = random.random_range(1..10);
            let cents = random.random_range(100..10_000);
            insert.execute(params![store, product, quantity, cents])?;
        }
    }
    filling.execute_batch("CREATE INDEX sale_by_store ON sale (store)")?;
    Ok(filling.commit()?)
}

/// How many stores there are; a report reads the sales of one.
pub(crate) const STORES: u32 = 25;

const PRODUCTS: u32 = 500;

const SCHEMA: &str = "CREATE TABLE sale (
    store INTEGER NOT NULL,
    product INTEGER NOT NULL,
    quantity INTEGER NOT NULL,
    cents INTEGER NOT NULL
)";

/// Counts up when what is in the file changes, so that no old one is used.
const LAYOUT: &str = "v1";

/// Rows between two looks at the progress.
const BATCH: u32 = 5_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_is_built_once_and_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let progress = Progress::hidden();
        let first = Sales::open(folder.path(), 1000, &progress, &Stop::never()).unwrap();
        let built = fs::metadata(first.path()).unwrap().modified().unwrap();
        let second = Sales::open(folder.path(), 1000, &progress, &Stop::never()).unwrap();
        assert_eq!(
            fs::metadata(second.path()).unwrap().modified().unwrap(),
            built
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error_that_names_the_file() {
        let folder = tempfile::tempdir().unwrap().path().join("gone");
        let refused = Sales::open(&folder, 1000, &Progress::hidden(), &Stop::never());
        assert!(
            refused
                .unwrap_err()
                .to_string()
                .contains("sales-v1-1000.sqlite")
        );
    }
}
