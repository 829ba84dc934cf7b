use std::fmt;

use crate::claim::Claim;
use crate::{Host, Ticket};

/// The right to run; dropping it hands it to whoever is next.
#[must_use = "dropping a `Permit` gives it back at once"]
pub struct Permit<H: Host> {
    host: H,
    claim: Claim,
}

impl<H: Host> Permit<H> {
    #[inline]
    pub(crate) fn new(host: H, ticket: Ticket) -> Self {
        Self::granted(host, Claim::new(ticket.weight()))
    }

    #[inline]
    pub(crate) fn granted(host: H, claim: Claim) -> Self {
        Self { host, claim }
    }

    /// How many units of the limit it holds; 0 if it was exempt.
    #[expect(clippy::cast_possible_truncation, reason = "it was a ticket's `u32`")]
    pub fn weight(&self) -> u32 {
        self.claim.weight() as u32
    }

    /// Whose permit it is.
    pub fn host(&self) -> &H {
        &self.host
    }
}

impl<H: Host> Drop for Permit<H> {
    #[inline]
    fn drop(&mut self) {
        if !self.claim.is_nothing() {
            self.host.gate().release(&self.host, self.claim);
        }
    }
}

impl<H: Host> fmt::Debug for Permit<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Permit")
            .field("weight", &self.weight())
            .finish_non_exhaustive()
    }
}
