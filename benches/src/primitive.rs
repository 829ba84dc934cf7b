use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Waker;

use tokio::time::Instant;

use crate::chase;
use crate::subject::Subject;

/// Something that the machine does in one piece, as far as a limit is concerned.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Primitive {
    /// A locked instruction.
    CompareExchange,
    /// A lock that nobody else wants.
    Lock,
    /// A reference more, and one less.
    Reference,
    /// A waker more, and one less.
    Waker,
    /// The time.
    Clock,
    /// Something that is in no cache.
    Memory,
}

impl Primitive {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::CompareExchange,
        Self::Lock,
        Self::Reference,
        Self::Waker,
        Self::Clock,
        Self::Memory,
    ];

    /// What is measured, in no more than `most` pieces of memory; what [`nothing`](Self::nothing)
    /// takes is in it.
    pub fn subject(self, most: usize) -> Subject {
        match self {
            Self::CompareExchange => compare_exchange(),
            Self::Lock => lock(),
            Self::Reference => {
                let shared = Arc::new(0_u64);
                Subject::repeated(move || Arc::clone(&shared))
            }
            Self::Waker => {
                let waker = Waker::noop();
                Subject::repeated(move || waker.clone())
            }
            Self::Clock => {
                let start = Instant::now().into_std();
                let since = move || Instant::now().into_std().saturating_duration_since(start);
                Subject::repeated(since)
            }
            Self::Memory => chase::through(chase::BEYOND_ALL_CACHES.min(most)),
        }
    }

    /// What is around a primitive that is measured.
    pub fn nothing() -> Subject {
        Subject::repeated(|| ())
    }

    /// What it is, at some length.
    pub fn describe(self) -> &'static str {
        match self {
            Self::CompareExchange => "a compare-exchange that nobody disturbs",
            Self::Lock => "a `Mutex` that nobody else wants, locked and unlocked",
            Self::Reference => "an `Arc`, cloned and dropped",
            Self::Waker => "a waker of the harness, cloned and dropped",
            Self::Clock => "the time since a moment, by tokio's clock",
            Self::Memory => "a load that waits for the one before, in 256 MiB",
        }
    }
}

impl fmt::Display for Primitive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CompareExchange => "compare-exchange",
            Self::Lock => "lock",
            Self::Reference => "reference",
            Self::Waker => "waker",
            Self::Clock => "clock",
            Self::Memory => "memory",
        })
    }
}

fn compare_exchange() -> Subject {
    let word = AtomicU64::new(0);
    Subject::repeated(move || {
        let seen = word.load(Ordering::Relaxed);
        word.compare_exchange_weak(seen, seen + 1, Ordering::Acquire, Ordering::Relaxed)
    })
}

fn lock() -> Subject {
    let state = Mutex::new(0_u64);
    Subject::repeated(move || {
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        *state += 1;
    })
}
