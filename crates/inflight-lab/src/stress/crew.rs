//! The threads that call.

mod callers;
mod solo;

pub(crate) use self::callers::Crew;
