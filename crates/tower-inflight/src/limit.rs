//! The limiter, as a handle that everybody shares, and what it gives out.

mod acquire;
pub(crate) mod blocking;
mod builder;
mod drained;
mod limiter;
mod measured_permit;
mod permit;
mod run;

pub use self::acquire::Acquire;
pub use self::builder::LimiterBuilder;
pub use self::drained::Drained;
pub use self::limiter::Limiter;
pub use self::measured_permit::MeasuredPermit;
pub use self::permit::Permit;
pub use self::run::Run;
