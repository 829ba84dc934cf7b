use std::collections::BTreeMap;
use std::fmt;
use std::mem::take;
use std::sync::{Arc, Mutex, MutexGuard};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::{DefaultGuard, set_default};
use tracing::{Event, Level, Metadata, Subscriber};

/// Keeps what is said on this thread for as long as it lives.
pub(crate) struct Log {
    entries: Entries,
    _listening: DefaultGuard,
}

#[derive(Debug, Eq, PartialEq)]
pub(crate) struct Entry {
    pub(crate) level: Level,
    pub(crate) fields: BTreeMap<&'static str, String>,
}

impl Log {
    pub(crate) fn new() -> Self {
        Self::up_to(Level::TRACE)
    }

    /// Keeps only what is at least as urgent as `level`.
    pub(crate) fn up_to(level: Level) -> Self {
        let entries = Entries {
            level,
            said: Arc::default(),
        };
        Self {
            _listening: set_default(entries.clone()),
            entries,
        }
    }

    /// What was said since the last time.
    pub(crate) fn take(&self) -> Vec<Entry> {
        take(&mut *self.entries.lock())
    }

    /// The only thing that was said at `level` since the last time.
    #[track_caller]
    pub(crate) fn take_one(&self, level: Level) -> Entry {
        let mut entries = self.take();
        entries.retain(|entry| entry.level == level);
        assert_eq!(entries.len(), 1, "{entries:?}");
        entries.remove(0)
    }
}

impl Entry {
    #[track_caller]
    pub(crate) fn assert_says(&self, fields: &[(&'static str, &str)]) {
        let expected = fields.iter().map(|&(name, text)| (name, text.into()));
        assert_eq!(self.fields, expected.collect());
    }
}

impl Visit for Entry {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.fields.insert(field.name(), value.into());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.fields.insert(field.name(), format!("{value:?}"));
    }
}

/// Keeps events, and knows no spans.
#[derive(Clone)]
struct Entries {
    level: Level,
    said: Arc<Mutex<Vec<Entry>>>,
}

impl Entries {
    fn lock(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.said.lock().expect("no entry panics")
    }
}

impl Subscriber for Entries {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= self.level
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut entry = Entry {
            level: *event.metadata().level(),
            fields: BTreeMap::new(),
        };
        event.record(&mut entry);
        self.lock().push(entry);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}
