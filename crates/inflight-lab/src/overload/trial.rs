//! One contender under the whole schedule.

mod requests;
mod running;

pub(crate) use self::running::Trial;
