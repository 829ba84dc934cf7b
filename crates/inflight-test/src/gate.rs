//! A gate of the engine under a test's control.

mod queued;
mod test_gate;

pub use self::queued::Queued;
pub use self::test_gate::TestGate;
