use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

/// Counts requests on their way through the server.
///
/// Both counts are for display and for the records. Nothing is decided on
/// them and no other memory is published with them, so `Relaxed` is enough.
#[derive(Debug, Default)]
pub(crate) struct Occupancy {
    arrived: AtomicUsize,
    in_flight: AtomicUsize,
    peak_in_flight: AtomicUsize,
}

impl Occupancy {
    /// Counts a request as arrived until the result is dropped.
    pub(crate) fn arrive(&self) -> Presence<'_> {
        self.arrived.fetch_add(1, Relaxed);
        Presence(&self.arrived)
    }

    /// Counts a request as in flight, past every limit, until the result is dropped.
    pub(crate) fn enter(&self) -> Presence<'_> {
        let now = self.in_flight.fetch_add(1, Relaxed) + 1;
        self.peak_in_flight.fetch_max(now, Relaxed);
        Presence(&self.in_flight)
    }

    pub(crate) fn in_flight(&self) -> usize {
        self.in_flight.load(Relaxed)
    }

    /// Those that have arrived but are not in flight.
    pub(crate) fn queued(&self) -> usize {
        self.arrived.load(Relaxed).saturating_sub(self.in_flight())
    }

    /// The most in flight since this was last asked.
    pub(crate) fn take_peak(&self) -> usize {
        self.peak_in_flight.swap(self.in_flight(), Relaxed)
    }
}

/// One request; it is counted until this is dropped.
#[derive(Debug)]
#[must_use = "dropping it at once counts nothing"]
pub(crate) struct Presence<'a>(&'a AtomicUsize);

impl Drop for Presence<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_arrived_but_not_entered_is_queued() {
        let occupancy = Occupancy::default();
        let _first = occupancy.arrive();
        let second = occupancy.arrive();
        let _entered = occupancy.enter();
        assert_eq!((occupancy.in_flight(), occupancy.queued()), (1, 1));
        drop(second);
        assert_eq!(occupancy.queued(), 0);
    }

    #[test]
    fn a_new_peak_begins_with_who_is_still_there() {
        let occupancy = Occupancy::default();
        let _stays = occupancy.enter();
        drop(occupancy.enter());
        assert_eq!(occupancy.take_peak(), 2);
        assert_eq!(occupancy.take_peak(), 1);
    }
}
