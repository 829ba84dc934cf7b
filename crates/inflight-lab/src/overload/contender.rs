//! The six ways to meet an overload.

mod bounds;
mod guard;
mod name;

pub(crate) use self::bounds::Bounds;
pub(crate) use self::guard::{Guarded, REJECTED};
pub(crate) use self::name::Contender;
