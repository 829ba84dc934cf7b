//! The scarce resource: sales in `SQLite`, behind a pool of few connections.

mod pool;
mod query;
mod sales;

pub(crate) use self::pool::{Connections, Pool};
pub(crate) use self::query::Report;
pub(crate) use self::sales::{STORES, Sales};
