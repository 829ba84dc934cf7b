//! Sees what one step of a call leads to.
//!
//! The limiter tells of a rejection, and the work comes in, inside the very
//! `call` or `poll` that leads to it. So what is noted on a thread during a
//! step belongs to the call that the step is of.

use std::cell::Cell;
use std::ops::AddAssign;
use std::panic;
use std::panic::AssertUnwindSafe;
use std::thread;

use tower_inflight::Reason;

/// What was seen of a call so far.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Notes {
    /// How often its work came in.
    pub(crate) entered: u32,
    /// How often the limiter told its hook of a rejection.
    pub(crate) told: u32,
    /// The reason that it gave.
    pub(crate) reason: Option<Reason>,
}

/// Takes one step of a call; a panic ends here.
pub(crate) fn during<T>(step: impl FnOnce() -> T) -> (thread::Result<T>, Notes) {
    let before = NOTES.take();
    // Nobody looks at a call again that has panicked.
    let outcome = panic::catch_unwind(AssertUnwindSafe(step));
    (outcome, NOTES.replace(before))
}

pub(crate) fn note_entry() {
    note(Notes {
        entered: 1,
        ..Notes::default()
    });
}

pub(crate) fn note_rejection(reason: Reason) {
    note(Notes {
        told: 1,
        reason: Some(reason),
        ..Notes::default()
    });
}

fn note(new: Notes) {
    let mut notes = NOTES.get();
    notes += new;
    NOTES.set(notes);
}

impl AddAssign for Notes {
    fn add_assign(&mut self, more: Self) {
        self.entered += more.entered;
        self.told += more.told;
        self.reason = more.reason.or(self.reason);
    }
}

thread_local! {
    static NOTES: Cell<Notes> = Cell::default();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_sees_what_was_noted_in_it_and_nothing_else() {
        note_entry();
        let (_, notes) = during(|| note_rejection(Reason::QueueFull));
        assert_eq!((notes.entered, notes.told), (0, 1));
        assert_eq!(notes.reason, Some(Reason::QueueFull));
    }

    #[test]
    fn a_panic_ends_with_its_step_and_what_was_noted_before_it_counts() {
        let (outcome, notes) = during(|| {
            note_entry();
            panic::resume_unwind(Box::new(()))
        });
        assert!(outcome.is_err());
        assert_eq!(notes.entered, 1);
    }
}
