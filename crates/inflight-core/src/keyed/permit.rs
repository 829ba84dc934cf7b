use std::fmt;

use super::home::Home;
use super::host::KeyedHost;

/// The right to run under a key; dropping it hands it to whoever is next.
#[must_use = "dropping a `KeyedPermit` gives it back at once"]
pub struct KeyedPermit<H: KeyedHost> {
    host: H,
    home: Home,
    weight: u32,
}

impl<H: KeyedHost> KeyedPermit<H> {
    pub(super) fn new(host: H, home: Home, weight: u32) -> Self {
        Self { host, home, weight }
    }

    pub(super) fn exempt(host: H) -> Self {
        Self::new(host, Home::NOWHERE, 0)
    }

    /// How many units of both limits it holds; 0 if it was exempt.
    pub fn weight(&self) -> u32 {
        self.weight
    }

    /// Whose permit it is.
    pub fn host(&self) -> &H {
        &self.host
    }
}

impl<H: KeyedHost> Drop for KeyedPermit<H> {
    fn drop(&mut self) {
        if self.weight != 0 {
            self.host.gate().release(&self.host, self.home, self.weight);
        }
    }
}

impl<H: KeyedHost> fmt::Debug for KeyedPermit<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyedPermit")
            .field("weight", &self.weight)
            .finish_non_exhaustive()
    }
}
