use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// What every rejection of a limiter says of it, kept as long as the process
/// lives.
///
/// One word that is copied freely, so that a rejection can carry it. The table
/// grows with the number of *distinct* names and queue limits, never with that
/// of limiters.
#[derive(Clone, Copy)]
#[expect(unnameable_types, reason = "only what is sealed speaks of it")]
pub struct Sign(&'static Text);

struct Text {
    name: Option<&'static str>,
    places: Places,
}

/// How many callers may wait: of all, and of one key where there are keys.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct Places {
    pub(crate) queue_limit: usize,
    pub(crate) key_queue_limit: usize,
}

impl Sign {
    pub(crate) fn of(name: Option<&str>, queue_limit: usize) -> Self {
        Self::keyed(name, queue_limit, 0)
    }

    pub(crate) fn keyed(name: Option<&str>, queue_limit: usize, key_queue_limit: usize) -> Self {
        let places = Places {
            queue_limit,
            key_queue_limit,
        };
        // An insertion happens whole or not at all, so a panic elsewhere
        // cannot have left the table broken.
        let mut signs = SIGNS.lock().unwrap_or_else(PoisonError::into_inner);
        let same_name = signs.entry(name.map(String::from)).or_default();
        if let Some(&sign) = same_name.get(&places) {
            return sign;
        }
        let known = same_name.values().next().and_then(|sign| sign.name());
        let name = known.or_else(|| name.map(|name| &*Box::leak(name.into())));
        let sign = Self(Box::leak(Box::new(Text { name, places })));
        same_name.insert(places, sign);
        sign
    }

    pub(crate) fn name(self) -> Option<&'static str> {
        self.0.name
    }

    pub(crate) fn places(self) -> Places {
        self.0.places
    }
}

impl fmt::Debug for Sign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sign")
            .field("name", &self.name())
            .field("places", &self.places())
            .finish()
    }
}

type Signs = BTreeMap<Option<String>, BTreeMap<Places, Sign>>;

static SIGNS: Mutex<Signs> = Mutex::new(BTreeMap::new());

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_signs_share_one_entry() {
        let first = Sign::of(Some("sign::equal"), 3);
        let second = Sign::of(Some(&String::from("sign::equal")), 3);
        assert!(std::ptr::eq(first.0, second.0));
        assert_eq!(second.name(), Some("sign::equal"));
        assert_eq!(second.places().queue_limit, 3);
    }

    #[test]
    fn one_name_is_kept_once_whatever_the_queue_limits() {
        let [first, second] = [1, 2].map(|queue_limit| Sign::of(Some("sign::once"), queue_limit));
        let limits = [first, second].map(|sign| sign.places().queue_limit);
        assert_eq!(limits, [1, 2]);
        let (first, second) = (first.name().unwrap(), second.name().unwrap());
        assert!(std::ptr::eq(first, second));
    }

    #[test]
    fn distinct_names_stay_apart() {
        assert_ne!(
            Sign::of(Some("sign::a"), 0).name(),
            Sign::of(Some("sign::b"), 0).name()
        );
        assert_eq!(Sign::of(None, 0).name(), None);
    }
}
