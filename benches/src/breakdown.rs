use std::fmt;

use crate::base::Base;
use crate::floor::Need;

/// What our way to answer a question needs at least, in nanoseconds.
#[derive(Clone, Debug)]
pub struct Breakdown {
    /// What is around it.
    pub base: (Base, f64),
    /// What it needs, and what each of that takes once.
    pub needs: Vec<(&'static Need, f64)>,
}

impl Breakdown {
    /// All of it, one after the other.
    pub fn total(&self) -> f64 {
        let needs = self.needs.iter();
        let (_, base) = self.base;
        base + needs
            .map(|(need, each)| f64::from(need.times) * each)
            .sum::<f64>()
    }
}

impl fmt::Display for Breakdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (base, nanoseconds) = self.base;
        write!(f, "{base} {nanoseconds:.1}")?;
        for (need, each) in &self.needs {
            let (times, primitive, reason) = (need.times, need.primitive, need.reason);
            write!(f, "; {times} × {primitive} {each:.1} ({reason})")?;
        }
        Ok(())
    }
}
