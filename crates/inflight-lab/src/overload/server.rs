//! The service under load: one route, one query, and whatever bounds it.

mod occupancy;
mod reports;
mod running;

pub(crate) use self::occupancy::Occupancy;
pub(crate) use self::reports::reports;
pub(crate) use self::running::Server;
