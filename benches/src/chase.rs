//! Loads of which each has to wait for the one before.

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;

use crate::subject::Subject;

/// Goes through so many pieces of memory in one circle at random; an operation is one load.
pub(crate) fn through(pieces: usize) -> Subject {
    let mut order: Vec<_> = (0..pieces).collect();
    order.shuffle(&mut SmallRng::seed_from_u64(SEED));
    let mut pieces = vec![Piece { next: 0 }; order.len()];
    let successors = order.iter().cycle().skip(1);
    for (&place, &next) in order.iter().zip(successors) {
        pieces[place].next = next;
    }
    let mut place = 0;
    Subject::repeated(move || {
        place = pieces[place].next;
        place
    })
}

/// What the processor loads together: a line of its cache and the next.
#[derive(Clone, Copy)]
#[repr(align(128))]
struct Piece {
    next: usize,
}

/// 256 MiB of pieces.
pub(crate) const BEYOND_ALL_CACHES: usize = (256 << 20) / size_of::<Piece>();

/// Any number.
const SEED: u64 = 0xca5e;
