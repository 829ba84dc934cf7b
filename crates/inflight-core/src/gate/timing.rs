use crate::Host;
use crate::state::NeedsClock;
use crate::ticket::NO_DEADLINE;

/// Asks again with the time where it turns out to matter.
#[inline]
pub(super) fn timely<R>(
    host: &impl Host,
    mut time: Option<u64>,
    mut ask: impl FnMut(Option<u64>) -> Result<R, NeedsClock>,
) -> R {
    loop {
        match ask(time) {
            Ok(answer) => return answer,
            Err(NeedsClock) => time = Some(now(host)),
        }
    }
}

#[inline(never)]
pub(super) fn is_before(host: &impl Host, moment: u64) -> bool {
    now(host) < moment
}

/// The host's time, below the one that stands for "no deadline".
pub(crate) fn now(host: &impl Host) -> u64 {
    host.now().min(NO_DEADLINE - 1)
}
