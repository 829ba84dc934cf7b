use std::error::Error;
use std::fmt;
use std::time::Duration;

use inflight_core::{Reason, Refusal};

use crate::duration::Short;
use crate::sign::Sign;

/// Says why a call was turned away, with the numbers of that moment.
///
/// It is small and `Copy`, and owns nothing: keep it, send it, throw it away.
/// Its text is for people and may change; match on [`reason`](Self::reason).
///
/// ```
/// use tower_inflight::{Limiter, Reason, Rejection};
///
/// let limiter = Limiter::builder().max_concurrency(1).name("search").build().unwrap();
/// let held = limiter.try_acquire()?;
///
/// let rejection = limiter.try_acquire().unwrap_err();
/// assert_eq!(rejection.reason(), Reason::LimitReached);
/// assert_eq!(rejection.name(), Some("search"));
/// assert_eq!(
///     rejection.to_string(),
///     "concurrency limit `search` rejected the call: limit reached (1 of 1 running)",
/// );
/// # drop(held);
/// # Ok::<(), Rejection>(())
/// ```
#[derive(Clone, Copy)]
pub struct Rejection {
    refusal: Refusal,
    sign: Sign,
}

impl Rejection {
    #[inline]
    pub(crate) fn new(refusal: Refusal, sign: Sign) -> Self {
        Self { refusal, sign }
    }

    /// Why.
    pub fn reason(&self) -> Reason {
        self.refusal.reason()
    }

    /// How much might have been in flight at that moment, in units of weight.
    pub fn limit(&self) -> usize {
        self.refusal.limit()
    }

    /// How many callers might have waited.
    pub fn queue_limit(&self) -> usize {
        let places = self.sign.places();
        if self.is_of_key() {
            places.key_queue_limit
        } else {
            places.queue_limit
        }
    }

    /// Whether it was the bound of the call's own key that refused it; the
    /// numbers are the key's then. It never is of a limiter without keys.
    ///
    /// It tells a caller who asks too much (429) from a service that is at its
    /// limit (503).
    pub fn is_of_key(&self) -> bool {
        self.refusal.is_of_key()
    }

    /// How much was in flight, in units of weight.
    pub fn in_flight(&self) -> usize {
        self.refusal.in_flight()
    }

    /// How many callers waited, the rejected one not among them.
    pub fn queued(&self) -> usize {
        self.refusal.queued()
    }

    /// How long the call had waited; zero if it was rejected on arrival.
    ///
    /// A line keeps no times for calls without a deadline, so such a call that is
    /// evicted, or turned away by `close`, reads zero, too.
    pub fn waited(&self) -> Duration {
        self.refusal.waited()
    }

    /// The name of the limiter, if it has one.
    pub fn name(&self) -> Option<&'static str> {
        self.sign.name()
    }
}

impl Error for Rejection {}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("concurrency limit")?;
        if let Some(name) = self.name() {
            write!(f, " `{name}`")?;
        }
        f.write_str(" rejected the call: ")?;
        match self.reason() {
            Reason::Closed => f.write_str("closed"),
            Reason::LimitReached => write!(f, "limit reached ({})", Running(self)),
            Reason::QueueEvicted => {
                write!(
                    f,
                    "evicted from the queue by a higher priority ({})",
                    Load(self)
                )
            }
            Reason::QueueFull => write!(f, "queue full ({})", Load(self)),
            Reason::QueueTimeout => {
                let waited = Short(self.waited());
                write!(f, "queue timeout after {waited} ({})", Load(self))
            }
            Reason::TooHeavy => write!(f, "heavier than the limit of {} can become", self.limit()),
            Reason::KeyLimit => write!(f, "limit of its key reached ({})", Running(self)),
            Reason::KeyQueueFull => write!(f, "queue of its key full ({})", Load(self)),
            Reason::TooManyKeys => write!(
                f,
                "too many keys ({} of {})",
                self.in_flight(),
                self.limit()
            ),
            Reason::TotalLimit => write!(f, "total limit reached ({})", Running(self)),
            Reason::TotalQueueFull => write!(f, "queue of all keys full ({})", Load(self)),
            other => f.write_str(other.as_str()),
        }
    }
}

impl fmt::Debug for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rejection")
            .field("reason", &self.reason())
            .field("limit", &self.limit())
            .field("queue_limit", &self.queue_limit())
            .field("in_flight", &self.in_flight())
            .field("queued", &self.queued())
            .field("waited", &self.waited())
            .field("name", &self.name())
            .finish()
    }
}

struct Running<'a>(&'a Rejection);

impl fmt::Display for Running<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} running", self.0.in_flight(), self.0.limit())
    }
}

struct Load<'a>(&'a Rejection);

impl fmt::Display for Load<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (queued, queue_limit) = (self.0.queued(), self.0.queue_limit());
        write!(f, "{}, {queued} of {queue_limit} queued", Running(self.0))
    }
}
