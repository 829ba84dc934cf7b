use crate::KeyPlan;

/// What becomes of a call under a new key while the gate keeps as many keys as
/// it may.
///
/// Keys that something runs or waits under are never dropped to make place.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum KeyOverflow {
    /// It is refused: [`TooManyKeys`](crate::Reason::TooManyKeys).
    #[default]
    Refuse,
    /// It comes under one key that all such calls share, on this plan, until
    /// there is place for its own.
    Share(KeyPlan),
}
