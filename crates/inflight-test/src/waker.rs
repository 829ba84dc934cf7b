//! Wakers that count, and wakers that misbehave.

mod counting;
mod hooked;
mod panicking;

pub use self::counting::CountingWaker;
pub use self::hooked::{waker_on_drop, waker_on_wake};
pub use self::panicking::panicking_waker;
