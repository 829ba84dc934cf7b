use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::model::{KeyOf, Model};
use super::setup::starts;
use super::step::Step;
use super::world::World;

/// Holds the generators to what they are for: each situation is met now and
/// then, those of every gate and the `others` of this one.
pub(crate) fn expect_situations<M: Model>(
    options: impl Strategy<Value = M::Options>,
    steps: impl Strategy<Value = Step<KeyOf<M>>>,
    others: &[&str],
) {
    const CASES: usize = 256;
    let strategy = (options, starts(), vec(steps, 150));
    let mut runner = TestRunner::deterministic();
    let mut seen = Vec::new();
    for _ in 0..CASES {
        let case = strategy.new_tree(&mut runner).expect("nothing is filtered");
        let (options, start, steps) = case.current();
        seen.extend(World::<M>::run(&options, start, steps));
    }
    let times = |situation: &str| seen.iter().filter(|seen| *seen == situation).count();
    let missed: Vec<_> = OF_EVERY_GATE
        .iter()
        .chain(others)
        .filter(|situation| times(situation) < 3)
        .collect();
    assert!(
        missed.is_empty(),
        "reached fewer than three times: {missed:?}"
    );
}

const OF_EVERY_GATE: &[&str] = &[
    "Closed in the line",
    "QueueEvicted in the line",
    "QueueTimeout in the line",
    "QueueTimeout on arrival",
    "TooHeavy on arrival",
    "a grant is dropped",
    "a grant is fetched late",
    "a permit is dropped by a panic",
    "a refusal is dropped",
    "late ones make place for an arrival",
    "late ones make room for an arrival",
    "one is admitted past the line",
    "one that is late asks",
    "one that leaves lets others in",
    "one waits who would fit",
    "several are granted at once",
    "the later of two wakers is woken",
    "the limit is below what is in flight",
    "those who watch see it drained",
];
