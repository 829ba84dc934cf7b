use std::fmt;
use std::hash::Hash;

use inflight_core as core;

use super::KeyedLimiter;
use super::handle::KeyedHandle;
use crate::door::{Door, Held, Pass};
use crate::hold::Keep;

/// The right to run under a key; dropping it hands it to whoever is next, of
/// whichever key.
///
/// Move it to where the work is, into a task or onto a thread for instance, so
/// that it lives exactly as long.
#[must_use = "dropping a `KeyedPermit` gives it back at once"]
pub struct KeyedPermit<K: Eq + Hash>(core::KeyedPermit<KeyedHandle<K>>);

impl<K: Eq + Hash> KeyedPermit<K> {
    /// One that the limiter has granted.
    pub(super) fn admitted(permit: core::KeyedPermit<KeyedHandle<K>>) -> Self {
        permit.host().reports().admitted();
        Self(permit)
    }

    /// One that takes nothing of the limits.
    pub(super) fn exempt(permit: core::KeyedPermit<KeyedHandle<K>>) -> Self {
        permit.host().reports().exempt();
        Self(permit)
    }

    /// How many units of both limits it holds; 0 if it was exempt from them.
    pub fn weight(&self) -> u32 {
        self.0.weight()
    }

    /// The limiter that it came from.
    pub fn limiter(&self) -> KeyedLimiter<K> {
        KeyedLimiter::from_handle(self.0.host().clone())
    }
}

impl<K: Eq + Hash> Held for KeyedPermit<K> {
    type Door = KeyedHandle<K>;

    fn door(&self) -> &KeyedHandle<K> {
        self.0.host()
    }

    fn is_exempt(&self) -> bool {
        self.0.weight() == 0
    }
}

impl<K: Eq + Hash> Pass for KeyedPermit<K> {}

impl<K: Eq + Hash, Response> Keep<Response> for KeyedPermit<K> {
    type Response = Response;

    fn keep(&mut self, response: Response) -> Response {
        response
    }

    fn without(response: Response) -> Response {
        response
    }
}

impl<K: Eq + Hash> fmt::Debug for KeyedPermit<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyedPermit")
            .field("weight", &self.weight())
            .finish_non_exhaustive()
    }
}
