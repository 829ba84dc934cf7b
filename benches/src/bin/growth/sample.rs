use std::iter;
use std::time::Duration;

use inflight_benches::{Paced, median};

use crate::contender::Contender;

/// One contender's cost: how many wait, and the nanoseconds for each operation.
pub(crate) struct Curve {
    pub(crate) contender: Contender,
    pub(crate) points: Vec<(f64, f64)>,
}

/// Measures all contenders with lines of 10 to `longest`.
pub(crate) fn sample(contenders: &[Contender], longest: usize) -> Vec<Curve> {
    let empty = |&contender| Curve {
        contender,
        points: Vec::new(),
    };
    let mut curves: Vec<_> = contenders.iter().map(empty).collect();
    for waiting in lengths(longest) {
        #[expect(
            clippy::cast_precision_loss,
            reason = "a line has far fewer than 2^52 callers"
        )]
        let length = waiting as f64;
        for (curve, cost) in curves.iter_mut().zip(costs(contenders, waiting)) {
            curve.points.push((length, cost));
        }
    }
    curves
}

/// Three lengths a decade: 10, 20, 50, and so on.
fn lengths(longest: usize) -> impl Iterator<Item = usize> {
    let decades = iter::successors(Some(10_usize), |decade| decade.checked_mul(10));
    let lengths = decades.flat_map(|decade| [decade, decade * 2, decade * 5]);
    lengths.take_while(move |&length| length <= longest)
}

/// The median of each contender's turns, while all lines are there at once.
fn costs(contenders: &[Contender], waiting: usize) -> Vec<f64> {
    let pace = |contender: &Contender| Paced::new((contender.make)(waiting), 1, TURN);
    let mut paced: Vec<_> = contenders.iter().map(pace).collect();
    let mut turns = vec![Vec::new(); contenders.len()];
    for _ in 0..TURNS {
        for (paced, turns) in paced.iter_mut().zip(&mut turns) {
            turns.push(paced.turn());
        }
    }
    turns.into_iter().map(median).collect()
}

const TURN: Duration = Duration::from_millis(5);

const TURNS: usize = 25;
