//! Work that ends on command.

mod counts;
mod handle;
mod job;
mod state;

pub use self::counts::WorkCounts;
pub use self::handle::Work;
pub use self::job::Job;
