use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::invariant::Invariant;

/// What did not hold, with the first case of each.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    first: Mutex<BTreeMap<Invariant, String>>,
}

impl Faults {
    /// Keeps `case`, unless there is one of the kind already.
    pub(crate) fn report(&self, invariant: Invariant, case: impl FnOnce() -> String) {
        self.lock().entry(invariant).or_insert_with(case);
    }

    pub(crate) fn any(&self) -> bool {
        !self.lock().is_empty()
    }

    /// The first case in which `invariant` did not hold.
    pub(crate) fn of(&self, invariant: Invariant) -> Option<String> {
        self.lock().get(&invariant).cloned()
    }

    /// A case is written before it is put in, so what is in is whole.
    fn lock(&self) -> MutexGuard<'_, BTreeMap<Invariant, String>> {
        self.first.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
