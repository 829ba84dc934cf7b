//! A gate of the engine under a test's control.

mod keyed_queued;
mod queued;
mod test_gate;
mod test_keyed_gate;

pub use self::keyed_queued::KeyedQueued;
pub use self::queued::Queued;
pub use self::test_gate::TestGate;
pub use self::test_keyed_gate::TestKeyedGate;
