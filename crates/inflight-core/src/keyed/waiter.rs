use std::fmt;
use std::task::Waker;

use super::host::{KeyedHost, now};
use super::line::Answer;
use super::permit::KeyedPermit;
use crate::Refusal;
use crate::ticket::NO_DEADLINE;

/// A place in the line of a key, or the answer that came of it.
///
/// # Cancel safety
///
/// Dropping it frees the place. If it was granted meanwhile, the permit goes to
/// whoever is next, of whichever key, who is woken.
#[must_use = "dropping a `KeyedWaiter` gives up its place in the line"]
pub struct KeyedWaiter<H: KeyedHost> {
    /// Moved into the permit when it was admitted.
    host: Option<H>,
    waiter: u32,
    progress: Progress,
}

/// What a waiter finds when it is polled.
#[must_use = "dropping a permit gives it back at once"]
pub enum KeyedWait<H: KeyedHost> {
    /// It may run.
    Admitted {
        /// The right to run.
        permit: KeyedPermit<H>,
        /// When it joined the line, on the scale of [`KeyedHost::now`]; `None`
        /// if the wait was not measured.
        since: Option<u64>,
    },
    /// It may not run.
    Refused(Refusal),
    /// Its waker will be woken when that has changed. Nothing wakes it at its
    /// deadline: it has to be polled then, at or after it.
    Pending {
        /// On the scale of [`KeyedHost::now`].
        deadline: Option<u64>,
    },
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Progress {
    New,
    Polled,
    Answered,
}

impl<H: KeyedHost> KeyedWaiter<H> {
    pub(super) fn new(host: H, waiter: u32) -> Self {
        Self {
            host: Some(host),
            waiter,
            progress: Progress::New,
        }
    }

    /// Asks for the answer; only the last waker is woken. A grant made before
    /// the deadline stands, however late it is fetched.
    ///
    /// # Panics
    ///
    /// If it has had its answer.
    pub fn poll(&mut self, waker: &Waker) -> KeyedWait<H> {
        assert!(
            self.progress != Progress::Answered,
            "a waiter has one answer"
        );
        match self.ask(waker) {
            Answer::Granted {
                home,
                weight,
                since,
            } => {
                self.progress = Progress::Answered;
                let host = self.host.take().expect("it was there to be asked");
                let permit = KeyedPermit::new(host, home, weight);
                let since = since.get();
                KeyedWait::Admitted { permit, since }
            }
            Answer::Refused(refusal) => {
                self.progress = Progress::Answered;
                KeyedWait::Refused(refusal)
            }
            Answer::Pending { deadline } => KeyedWait::Pending {
                deadline: (deadline != NO_DEADLINE).then_some(deadline),
            },
        }
    }

    fn ask(&mut self, waker: &Waker) -> Answer {
        let host = self.host.as_ref().expect("a waiter has one answer");
        let gate = host.gate();
        let first = self.progress == Progress::New;
        self.progress = Progress::Polled;
        let answer = gate.poll(self.waiter, waker, first);
        match answer {
            Answer::Pending { deadline } if deadline != NO_DEADLINE => {
                let now = now(host);
                if now < deadline {
                    return answer;
                }
                gate.expire(self.waiter, now);
                // Its answer, whoever was faster.
                gate.poll(self.waiter, waker, false)
            }
            answer => answer,
        }
    }

    /// Whose line it is; `None` once it was admitted, for the permit has it then.
    pub fn host(&self) -> Option<&H> {
        self.host.as_ref()
    }
}

impl<H: KeyedHost> Drop for KeyedWaiter<H> {
    fn drop(&mut self) {
        if self.progress != Progress::Answered {
            if let Some(host) = &self.host {
                host.gate().cancel(host, self.waiter);
            }
        }
    }
}

impl<H: KeyedHost> fmt::Debug for KeyedWaiter<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyedWaiter")
            .field("waiter", &self.waiter)
            .field("progress", &self.progress)
            .finish_non_exhaustive()
    }
}

impl<H: KeyedHost> fmt::Debug for KeyedWait<H> {
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
