use std::fmt;
use std::task::Waker;

use crate::gate::now;
use crate::line::Key;
use crate::state::{Answer, NeedsWaker};
use crate::ticket::NO_DEADLINE;
use crate::wake::discard;
use crate::{Host, Permit, Refusal};

/// A place in the line, or the answer that came of it.
///
/// # Cancel safety
///
/// Dropping it frees the place. If it was granted meanwhile, the permit goes to
/// whoever is next, who is woken.
#[must_use = "dropping a `Waiter` gives up its place in the line"]
pub struct Waiter<H: Host> {
    /// Taken when the answer was fetched.
    host: Option<H>,
    /// The key below bit 32, the flags above: one whole word, since a waiter
    /// is moved right after it was made.
    place: u64,
}

/// What a waiter finds when it is polled.
#[must_use = "dropping a permit gives it back at once"]
pub enum Wait<H: Host> {
    /// It may run. It arrived at `since`, in nanoseconds on the host's clock.
    Admitted {
        /// The right to run.
        permit: Permit<H>,
        /// When it joined the line, on the scale of [`Host::now`].
        since: u64,
    },
    /// It may not run.
    Refused(Refusal),
    /// Its waker will be woken when that has changed. Nothing wakes it at its
    /// deadline: it has to be polled then, at or after it.
    Pending {
        /// On the scale of [`Host::now`].
        deadline: Option<u64>,
    },
}

impl<H: Host> Waiter<H> {
    #[inline]
    pub(crate) fn new(host: H, key: Key, timed: bool) -> Self {
        Self {
            host: Some(host),
            place: u64::from(key.code()) | if timed { TIMED } else { 0 },
        }
    }

    /// Asks for the answer; only the last waker is woken. A grant made before
    /// the deadline stands, however late it is fetched.
    ///
    /// # Panics
    ///
    /// If it has had its answer.
    pub fn poll(&mut self, waker: &Waker) -> Wait<H> {
        let key = self.key();
        let host = self.host.as_ref().expect("a waiter has one answer");
        let gate = host.gate();
        let mut spare = (self.place & POLLED == 0).then(|| waker.clone());
        let mut time = None;
        let (answer, old) = loop {
            let found = gate.lock().poll(key, waker, &mut spare);
            match found {
                Err(NeedsWaker) => {}
                Ok((Answer::Pending { deadline }, old)) if self.is_late(&mut time, deadline) => {
                    discard(old);
                    let now = time.expect("it was read to tell");
                    discard(gate.turn(host, time, |state, _| Ok(state.expire(key, now))));
                    continue;
                }
                Ok(found) => break found,
            }
            spare = Some(waker.clone());
        };
        discard(old);
        discard(spare);
        self.place |= POLLED;
        match answer {
            Answer::Granted { weight, since } => Wait::Admitted {
                permit: Permit::granted(self.take_host(), weight),
                since,
            },
            Answer::Refused(refusal) => {
                drop(self.take_host());
                Wait::Refused(refusal)
            }
            Answer::Pending { deadline } => Wait::Pending {
                deadline: (deadline != NO_DEADLINE).then_some(deadline),
            },
        }
    }

    fn is_late(&self, time: &mut Option<u64>, deadline: u64) -> bool {
        let Some(host) = self.host.as_ref().filter(|_| self.place & TIMED != 0) else {
            return false;
        };
        *time.get_or_insert_with(|| now(host)) >= deadline
    }

    fn take_host(&mut self) -> H {
        self.host.take().expect("a waiter has one answer")
    }

    #[expect(clippy::cast_possible_truncation, reason = "the key is the lower half")]
    fn key(&self) -> Key {
        Key::from_code(self.place as u32)
    }
}

impl<H: Host> Drop for Waiter<H> {
    fn drop(&mut self) {
        if let Some(host) = self.host.take() {
            let key = self.key();
            let waker = host
                .gate()
                .turn(&host, None, |state, now| state.cancel(key, now));
            discard(waker);
        }
    }
}

impl<H: Host> fmt::Debug for Waiter<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Waiter")
            .field("place", &self.key())
            .finish_non_exhaustive()
    }
}

impl<H: Host> fmt::Debug for Wait<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Admitted { permit, since } => f
                .debug_struct("Admitted")
                .field("permit", permit)
                .field("since", since)
                .finish(),
            Self::Refused(refusal) => f.debug_tuple("Refused").field(refusal).finish(),
            Self::Pending { deadline } => f
                .debug_struct("Pending")
                .field("deadline", deadline)
                .finish(),
        }
    }
}

const TIMED: u64 = 1 << 32;
const POLLED: u64 = 1 << 33;
