//! A gate and a model that is too simple to be wrong, to which the same things
//! happen in any order.
//!
//! After every step both give the same answers and show the same numbers, and
//! the gate has woken exactly those that the model answered, in that order.
//! What differs between kinds of gates is behind two traits: how one asks the
//! [`Gate`], and the [`Model`] that predicts it.

pub(crate) mod answer;
pub(crate) mod books;
pub(crate) mod caller;
mod calls;
mod check;
pub(crate) mod gate;
pub(crate) mod model;
mod note;
pub(crate) mod setup;
pub(crate) mod situations;
pub(crate) mod step;
mod tally;
mod waiting;
mod wakes;
mod watchers;
pub(crate) mod world;
