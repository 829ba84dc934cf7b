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
        let host = self.host.as_ref().expect(ONE_ANSWER);
        let fetched = match self.place & !KEY {
            POLLED => host.gate().fetch(self.key()),
            _ => None,
        };
        match fetched {
            Some(weight) => self.kept(weight),
            None => self.ask(waker),
        }
    }

    /// Admitted with its node, which comes back with the permit.
    #[inline]
    fn kept(&mut self, weight: u32) -> Wait<H> {
        let claim = Claim::with_node(weight, self.key());
        self.admitted(claim, None)
    }

    #[inline]
    fn admitted(&mut self, claim: Claim, since: Option<u64>) -> Wait<H> {
        let host = self.host.take().expect(ONE_ANSWER);
        let permit = Permit::granted(host, claim);
        Wait::Admitted { permit, since }
    }

    #[inline(never)]
    fn ask(&mut self, waker: &Waker) -> Wait<H> {
        assert!(self.place & ANSWERED == 0, "{ONE_ANSWER}");
        match self.answer(waker) {
            Answer::Granted { weight, since } => self.admitted(Claim::new(weight), Some(since)),
            Answer::Kept { weight } => self.kept(weight),
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
    fn answer(&mut self, waker: &Waker) -> Answer {
        let host = self.host.as_ref().expect(ONE_ANSWER);
        let (gate, key) = (host.gate(), self.key());
        let first = self.place & POLLED == 0;
        self.place |= POLLED;
        let kept = first.then(|| gate.keep_waker(key, waker)).flatten();
        let answer = match kept {
            Some(deadline) => Answer::Pending { deadline },
            None => gate.poll(key, waker),
        };
        match answer {
            Answer::Pending { deadline } if deadline != NO_DEADLINE => {
                let now = now(host);
                if now < deadline {
                    return answer;
                }
                gate.expire(key, now);
                // Its answer, whoever was faster.
                gate.poll(key, waker)
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
    #[inline]
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

const ONE_ANSWER: &str = "a waiter has one answer";

const KEY: u64 = u32::MAX as u64;
const POLLED: u64 = 1 << 32;
const ANSWERED: u64 = 1 << 33;
