use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use super::tally::Tally;

/// Why a round has no end.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Loss {
    /// Nobody has made a step for half a minute.
    Hangs,
    /// A caller is gone and has sent nothing.
    Panicked,
}

/// Waits for the tallies of all `callers`; `look` says from time to time how
/// many calls have been made.
///
/// # Errors
///
/// The [`Loss`], if they do not all come.
pub(crate) fn gather(
    tallies: &Receiver<Tally>,
    callers: usize,
    mut look: impl FnMut() -> u64,
) -> Result<Tally, Loss> {
    let mut sum = Tally::default();
    let (mut reports, mut quiet, mut before) = (0, 0, 0);
    while quiet < LONGEST_QUIET {
        match tallies.recv_timeout(INTERVAL) {
            Ok(tally) => {
                sum += tally;
                reports += 1;
                quiet = 0;
            }
            Err(RecvTimeoutError::Timeout) => {
                let calls = look();
                quiet = if calls == before { quiet + 1 } else { 0 };
                before = calls;
            }
            Err(RecvTimeoutError::Disconnected) if reports == callers => {
                look();
                return Ok(sum);
            }
            Err(RecvTimeoutError::Disconnected) => return Err(Loss::Panicked),
        }
    }
    Err(Loss::Hangs)
}

const INTERVAL: Duration = Duration::from_millis(100);

/// Half a minute, in intervals. A call takes some microseconds.
const LONGEST_QUIET: u32 = 300;

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    fn tally() -> Tally {
        Tally {
            admitted: 2,
            ..Tally::default()
        }
    }

    #[test]
    fn the_tallies_of_all_callers_are_added_up() {
        let (sender, tallies) = mpsc::channel();
        (0..3).for_each(|_| sender.send(tally()).unwrap());
        drop(sender);
        assert_eq!(gather(&tallies, 3, || 6).unwrap().admitted, 6);
    }

    #[test]
    fn a_caller_who_sends_nothing_is_missed() {
        let (sender, tallies) = mpsc::channel();
        sender.send(tally()).unwrap();
        drop(sender);
        assert_eq!(gather(&tallies, 2, || 6), Err(Loss::Panicked));
    }
}
