use std::fmt;
use std::time::Duration;

use crate::Reason;
use crate::word::Word;

/// The facts of a refusal, as they were at the moment of it.
///
/// Three whole words and no destructor: a refused call moves one of these and
/// nothing else. How many may wait is the gate's to say, since it never
/// changes: [`Gate::queue_limit`](crate::Gate::queue_limit).
#[derive(Clone, Copy)]
pub struct Refusal {
    word: Word,
    waited: u64,
    /// `queued` above bit 32, the reason below, [`OF_KEY`] between.
    tag: u64,
}

impl Refusal {
    #[inline]
    pub(crate) fn new(reason: Reason, word: Word, queued: u32) -> Self {
        Self {
            word,
            waited: 0,
            tag: tag(reason, queued),
        }
    }

    /// Says that the numbers are those of a key.
    pub(crate) fn of_key(self) -> Self {
        let tag = self.tag | OF_KEY;
        Self { tag, ..self }
    }

    pub(crate) fn after(self, waited: u64) -> Self {
        Self { waited, ..self }
    }

    /// The same in two words, if the call was refused on arrival.
    #[inline]
    pub fn pack(&self) -> Option<PackedRefusal> {
        let Self { word, waited, tag } = *self;
        (waited == 0).then_some(PackedRefusal { word, tag })
    }

    /// Why.
    #[inline]
    pub fn reason(&self) -> Reason {
        Reason::from_code(self.tag)
    }

    /// Whether it was a key's own bound that refused, so that the numbers are
    /// the key's; never where there are no keys.
    #[inline]
    pub fn is_of_key(&self) -> bool {
        self.tag & OF_KEY != 0
    }

    /// How much might have been in flight, in units of weight.
    pub fn limit(&self) -> usize {
        to_usize(self.word.limit())
    }

    /// How much was in flight, in units of weight.
    pub fn in_flight(&self) -> usize {
        to_usize(self.word.in_flight())
    }

    /// How many waited, the refused one not among them.
    pub fn queued(&self) -> usize {
        to_usize(self.tag >> 32)
    }

    /// How long it had waited; zero if it was refused on arrival, or if its
    /// wait was not measured.
    pub fn waited(&self) -> Duration {
        Duration::from_nanos(self.waited)
    }
}

impl Eq for Refusal {}

/// By what they say: the word also tells how the gate came to refuse.
impl PartialEq for Refusal {
    fn eq(&self, other: &Self) -> bool {
        let numbers = |refusal: &Self| (refusal.word.limit(), refusal.word.in_flight());
        numbers(self) == numbers(other) && (self.waited, self.tag) == (other.waited, other.tag)
    }
}

impl fmt::Debug for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Refusal")
            .field("reason", &self.reason())
            .field("limit", &self.limit())
            .field("in_flight", &self.in_flight())
            .field("queued", &self.queued())
            .field("waited", &self.waited())
            .finish()
    }
}

/// A [`Refusal`] on arrival: it has waited for nothing, and tells so in two words.
#[derive(Clone, Copy)]
pub struct PackedRefusal {
    word: Word,
    tag: u64,
}

impl PackedRefusal {
    #[inline]
    pub(crate) fn new(word: Word, tag: u64) -> Self {
        Self { word, tag }
    }

    /// The refusal that it was.
    #[inline]
    pub fn unpack(self) -> Refusal {
        let Self { word, tag } = self;
        Refusal {
            word,
            waited: 0,
            tag,
        }
    }
}

impl fmt::Debug for PackedRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.unpack().fmt(f)
    }
}

/// Everything that a refusal says besides the word and the wait.
#[inline]
pub(crate) fn tag(reason: Reason, queued: u32) -> u64 {
    u64::from(queued) << 32 | reason as u64
}

const OF_KEY: u64 = 1 << 8;

fn to_usize(value: u64) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}
