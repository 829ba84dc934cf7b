use std::fmt;
use std::task::Waker;

use crate::claim::Claim;
use crate::gate::now;
use crate::line::Key;
use crate::state::Answer;
use crate::ticket::NO_DEADLINE;
use crate::{Host, Permit, Refusal};

/// A place in the line, or the answer that came of it.
///
/// # Cancel safety
///
/// Dropping it frees the place. If it was granted meanwhile, the permit goes to
/// whoever is next, who is woken.
#[must_use = "dropping a `Waiter` gives up its place in the line"]
pub struct Waiter<H: Host> {
    /// Moved into the permit when it was admitted.
    host: Option<H>,
    /// The key below bit 32, two flags above: one whole word, since a waiter
    /// is moved right after it was made.
    place: u64,
}

/// What a waiter finds when it is polled.
#[must_use = "dropping a permit gives it back at once"]
pub enum Wait<H: Host> {
    /// It may run.
    Admitted {
        /// The right to run.
        permit: Permit<H>,
        /// When it joined the line, on the scale of [`Host::now`]; `None` if
        /// the wait was not measured.
        since: Option<u64>,
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
    pub(crate) fn new(host: H, key: Key) -> Self {
        Self {
            host: Some(host),
            place: u64::from(key.code()),
        }
    }

    /// Asks for the answer; only the last waker is woken. A grant made before
    /// the deadline stands, however late it is fetched.
    ///
    /// # Panics
    ///
    /// If it has had its answer.
    #[inline]
    pub fn poll(&mut self, waker: &Waker) -> Wait<H> {
        assert!(self.place & ANSWERED == 0, "a waiter has one answer");
        match self.ask(waker) {
            Answer::Granted { weight, since } => self.admitted(Claim::new(weight), Some(since)),
            Answer::Kept { weight } => {
                let claim = Claim::with_node(weight, self.key());
                self.admitted(claim, None)
            }
            Answer::Refused(refusal) => {
                self.place |= ANSWERED;
                Wait::Refused(refusal)
            }
            Answer::Pending { deadline } => Wait::Pending {
                deadline: (deadline != NO_DEADLINE).then_some(deadline),
            },
        }
    }

    #[inline]
    fn admitted(&mut self, claim: Claim, since: Option<u64>) -> Wait<H> {
        let host = self.host.take().expect("it was there to be asked");
        if !claim.is_light() {
            host.gate().fetched(self.key());
        }
        let permit = Permit::granted(host, claim);
        Wait::Admitted { permit, since }
    }

    fn ask(&mut self, waker: &Waker) -> Answer {
        let host = self.host.as_ref().expect("a waiter has one answer");
        let (gate, key) = (host.gate(), self.key());
        let first = self.place & POLLED == 0;
        if !first {
            if let Some(weight) = gate.granted(key) {
                return Answer::Kept { weight };
            }
        }
        self.place |= POLLED;
        let answer = gate.poll(key, waker, first);
        match answer {
            Answer::Pending { deadline } if deadline != NO_DEADLINE => {
                let now = now(host);
                if now < deadline {
                    return answer;
                }
                gate.expire(key, now);
                // Its answer, whoever was faster.
                gate.poll(key, waker, false)
            }
            answer => answer,
        }
    }

    /// Whose line it is; `None` once it was admitted, for the permit has it then.
    pub fn host(&self) -> Option<&H> {
        self.host.as_ref()
    }

    #[expect(clippy::cast_possible_truncation, reason = "the key is the lower half")]
    fn key(&self) -> Key {
        Key::from_code(self.place as u32)
    }
}

impl<H: Host> Drop for Waiter<H> {
    fn drop(&mut self) {
        if let Some(host) = &self.host {
            if self.place & ANSWERED == 0 {
                host.gate().cancel(host, self.key());
            }
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

const POLLED: u64 = 1 << 32;
const ANSWERED: u64 = 1 << 33;
