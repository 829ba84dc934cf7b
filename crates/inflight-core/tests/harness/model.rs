use std::fmt::Debug;

use inflight_core::{Limit, Ticket};

use super::answer::Answer;
use super::books::Books;
use super::gate::Gate;
use super::world::World;

/// What predicts a gate.
pub(crate) trait Model: Sized {
    type Options;
    type Gate: Gate;
    /// What a call counts under.
    type Name: Copy + Debug + PartialEq;

    /// Both, with nothing in flight.
    fn build(options: &Self::Options) -> (Self::Gate, Self);

    fn books(&self) -> &Books<Self::Name>;

    fn books_mut(&mut self) -> &mut Books<Self::Name>;

    /// What a call with that key would count under now.
    fn name(&self, key: KeyOf<Self>) -> Self::Name;

    /// What a call is told that is known as `id` from now on.
    fn arrive(
        &mut self,
        id: usize,
        key: KeyOf<Self>,
        ticket: Ticket,
        waits: bool,
        now: u64,
    ) -> Answer;

    fn release(&mut self, name: Self::Name, weight: usize, now: u64);

    /// The one at that place of the line leaves it.
    fn leave(&mut self, at: usize, now: u64);

    /// The one at that place of the line asks after its deadline.
    fn expire(&mut self, at: usize, now: u64);

    /// Of one key or of all; whether there is such a key.
    fn set_limit(&mut self, of: Option<KeyOf<Self>>, limit: Limit, now: u64) -> bool;

    fn close(&mut self, now: u64);

    /// Whether somebody waits whom only the limit of all keeps out.
    fn is_waited_for(&self) -> bool;

    /// Compares what only this kind of gate shows.
    fn check(world: &mut World<Self>);
}

/// What a call of that model's gate says beside its ticket.
pub(crate) type KeyOf<M> = <<M as Model>::Gate as Gate>::Key;
