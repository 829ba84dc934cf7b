use std::collections::BinaryHeap;
use std::fmt;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

/// How many different priorities the callers in a line have.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Priorities {
    /// Everybody is equal: first come, first served.
    One,
    /// About ten at any time.
    Ten,
    /// No two callers have the same.
    Distinct,
}

/// Who leaves the line next.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Next {
    /// Whoever is due for a permit.
    OldestOfHighest,
    /// Whoever is evicted by a higher arrival.
    NewestOfLowest,
}

/// The place that is left next, and the priority of the caller who takes it over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) place: usize,
    pub(crate) priority: i32,
}

/// A model of a line that always has the same length.
///
/// Whoever joins has the priority of the one who left, moved by a random step away from that end of
/// the line. This "hold model", by which priority queues are compared, keeps the mixture of
/// priorities in the line as it is.
#[derive(Debug)]
pub(crate) struct Order {
    priorities: Priorities,
    next: Next,
    first: Waiting,
    line: BinaryHeap<Waiting>,
    arrivals: i64,
    chance: SmallRng,
}

impl Priorities {
    /// From the simplest line to the hardest.
    pub const ALL: [Self; 3] = [Self::One, Self::Ten, Self::Distinct];

    /// A rank below `rank` for the caller at `place`, of `length` places.
    fn below(self, rank: i32, place: usize, length: usize, chance: &mut SmallRng) -> i32 {
        let step = match self {
            Self::One => 0,
            Self::Ten => chance.random_range(1..=10),
            Self::Distinct => {
                // Each place keeps to the ranks that leave its number when
                // divided by the length, so no two callers can meet.
                let length = i64::try_from(length).expect("a length fits");
                let place = i64::try_from(place).expect("a place fits");
                let down = chance.random_range(1..=SPREAD) * length;
                down + (i64::from(rank) - place).rem_euclid(length)
            }
        };
        i32::try_from(i64::from(rank) - step).expect("the ranks last for 10^8 steps")
    }
}

impl fmt::Display for Priorities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::One => "one",
            Self::Ten => "ten",
            Self::Distinct => "distinct",
        })
    }
}

impl Order {
    /// Makes the model of `length` callers, and lets `enter` see each of them as it arrives.
    pub(crate) fn new(
        length: usize,
        priorities: Priorities,
        next: Next,
        mut enter: impl FnMut(Step),
    ) -> Self {
        let mut chance = SmallRng::seed_from_u64(SEED);
        let mut line = BinaryHeap::with_capacity(length);
        for (place, arrival) in (0..length).zip(0..) {
            let rank = priorities.below(i32::MAX, place, length, &mut chance);
            let turn = next.turn(arrival);
            let priority = next.priority(rank);
            enter(Step { place, priority });
            line.push(Waiting { rank, turn, place });
        }
        Self {
            priorities,
            next,
            first: line.pop().expect("a line has at least one caller"),
            line,
            arrivals: i64::try_from(length).expect("a length fits"),
            chance,
        }
    }

    /// Lets the first leave, and a new caller arrive.
    pub(crate) fn step(&mut self) -> Step {
        let (place, length) = (self.first.place, self.line.len() + 1);
        let rank = self
            .priorities
            .below(self.first.rank, place, length, &mut self.chance);
        let turn = self.next.turn(self.arrivals);
        self.arrivals += 1;
        let arriving = Waiting { rank, turn, place };
        // A permit is handed on before anybody else can come; who is evicted
        // next is told only by the next arrival.
        let handed_on = match self.next {
            Next::OldestOfHighest => self.line.pop(),
            Next::NewestOfLowest => None,
        };
        self.line.push(arriving);
        let first = handed_on.or_else(|| self.line.pop());
        self.first = first.expect("somebody has just arrived");
        let priority = self.next.priority(rank);
        Step { place, priority }
    }
}

/// A caller; the greatest leaves first.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Waiting {
    rank: i32,
    turn: i64,
    place: usize,
}

impl Next {
    fn priority(self, rank: i32) -> i32 {
        match self {
            Self::OldestOfHighest => rank,
            Self::NewestOfLowest => rank.saturating_neg(),
        }
    }

    fn turn(self, arrival: i64) -> i64 {
        match self {
            Self::OldestOfHighest => -arrival,
            Self::NewestOfLowest => arrival,
        }
    }
}

/// Over how many times its length a line of distinct priorities is spread.
const SPREAD: i64 = 64;

/// Any number; the same one gives every contender the same callers.
const SEED: u64 = 0x5eed;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn mixture(priorities: Priorities, next: Next, steps: usize) -> usize {
        let mut line = vec![0; 100];
        let mut order = Order::new(100, priorities, next, |step| {
            line[step.place] = step.priority;
        });
        for _ in 0..steps {
            let step = order.step();
            line[step.place] = step.priority;
        }
        BTreeSet::from_iter(line).len()
    }

    #[test]
    fn the_mixture_in_the_line_stays_as_it_is() {
        for steps in [0, 1, 99, 10_000] {
            for next in [Next::OldestOfHighest, Next::NewestOfLowest] {
                assert_eq!(mixture(Priorities::One, next, steps), 1);
                assert!((8..=11).contains(&mixture(Priorities::Ten, next, steps)));
                assert_eq!(mixture(Priorities::Distinct, next, steps), 100);
            }
        }
    }

    #[test]
    fn equals_are_served_in_the_order_of_their_arrival() {
        let mut order = Order::new(3, Priorities::One, Next::OldestOfHighest, |_| {});
        let places: Vec<_> = (0..7).map(|_| order.step().place).collect();
        assert_eq!(places, [0, 1, 2, 0, 1, 2, 0]);
    }

    #[test]
    fn the_newest_of_the_lowest_is_evicted_by_someone_higher() {
        let mut line = vec![0; 100];
        let mut arrivals: Vec<_> = (0..100).collect();
        let enter = |step: Step| line[step.place] = step.priority;
        let mut order = Order::new(100, Priorities::Ten, Next::NewestOfLowest, enter);
        for arrival in 100..1_000 {
            let Step { place, priority } = order.step();
            let lowest = line.iter().zip(&arrivals);
            let expected = lowest.min_by_key(|&(priority, &arrival)| (priority, -arrival));
            assert_eq!(expected, Some((&line[place], &arrivals[place])));
            assert!(priority > line[place]);
            line[place] = priority;
            arrivals[place] = arrival;
        }
    }
}
