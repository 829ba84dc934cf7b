use tower_inflight::Reason;

use super::witness::Notes;

/// What became of a call, as the limiter has to account for it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Fate {
    Admitted,
    /// Given up before it came in or was told.
    Cancelled,
    Rejected(Reason),
}

/// How a call ended for whoever made it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Ending {
    /// The work ended, well or with an error.
    Done,
    GivenUp,
    Panicked,
    Rejected(Reason),
}

impl Fate {
    /// The one fate that fits both what the caller got and what was seen.
    ///
    /// # Errors
    ///
    /// What was seen, if there is no such fate. `tells` is whether a rejection
    /// can be seen.
    pub(crate) fn of(ending: &Ending, notes: Notes, tells: bool) -> Result<Self, String> {
        let Notes { entered, told, .. } = notes;
        let fate = match (ending, entered, told) {
            (Ending::Done | Ending::Panicked | Ending::GivenUp, 1, 0) => Some(Self::Admitted),
            (Ending::GivenUp, 0, 0) => Some(Self::Cancelled),
            (Ending::GivenUp, 0, 1) => notes.reason.map(Self::Rejected),
            (Ending::Rejected(reason), 0, told) if told == u32::from(tells) => {
                let same = !tells || notes.reason == Some(*reason);
                same.then_some(Self::Rejected(*reason))
            }
            _ => None,
        };
        fate.ok_or_else(|| {
            let reason = notes.reason.map_or("nothing", Reason::as_str);
            format!(
                "a call ended as {ending:?}, came in {entered} times, and its rejection was told \
                 {told} times ({reason})"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(entered: u32, told: u32, reason: Option<Reason>) -> Notes {
        Notes {
            entered,
            told,
            reason,
        }
    }

    #[test]
    fn each_ending_has_the_fate_that_fits_what_was_seen() {
        let full = Reason::QueueFull;
        for (ending, notes, fate) in [
            (Ending::Done, seen(1, 0, None), Fate::Admitted),
            (Ending::Panicked, seen(1, 0, None), Fate::Admitted),
            (Ending::GivenUp, seen(1, 0, None), Fate::Admitted),
            (Ending::GivenUp, seen(0, 0, None), Fate::Cancelled),
            (
                Ending::GivenUp,
                seen(0, 1, Some(full)),
                Fate::Rejected(full),
            ),
            (
                Ending::Rejected(full),
                seen(0, 1, Some(full)),
                Fate::Rejected(full),
            ),
        ] {
            assert_eq!(Fate::of(&ending, notes, true), Ok(fate), "{ending:?}");
        }
        let untold = Fate::of(&Ending::Rejected(full), Notes::default(), false);
        assert_eq!(untold, Ok(Fate::Rejected(full)));
    }

    #[test]
    fn two_fates_or_none_are_told() {
        let (full, closed) = (Reason::QueueFull, Reason::Closed);
        for (ending, notes) in [
            (Ending::Done, seen(0, 0, None)),
            (Ending::Done, seen(2, 0, None)),
            (Ending::Done, seen(1, 1, Some(full))),
            (Ending::GivenUp, seen(1, 1, Some(full))),
            (Ending::Rejected(full), seen(0, 0, None)),
            (Ending::Rejected(full), seen(0, 2, Some(full))),
            (Ending::Rejected(full), seen(0, 1, Some(closed))),
            (Ending::Rejected(full), seen(1, 1, Some(full))),
        ] {
            assert!(Fate::of(&ending, notes, true).is_err(), "{ending:?}");
        }
    }
}
