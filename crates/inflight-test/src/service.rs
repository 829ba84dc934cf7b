//! A Tower service that does what a script says.

mod counts;
mod readiness;
mod script;
mod scripted;

pub use self::counts::ReadinessCounts;
pub use self::script::Script;
pub use self::scripted::ScriptedService;
