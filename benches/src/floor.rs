use crate::base::Base;
use crate::breakdown::Breakdown;
use crate::effort::Effort;
use crate::primitive::Primitive;

/// What our way to answer a question needs at least: what is around it, and what the machine has to
/// do for it.
#[derive(Clone, Debug)]
pub(crate) struct Floor {
    pub(crate) base: Base,
    needs: &'static [Need],
}

/// A primitive that cannot be done without.
#[derive(Clone, Copy, Debug)]
pub struct Need {
    /// How often.
    pub times: u32,
    /// Which.
    pub primitive: Primitive,
    /// What for.
    pub reason: &'static str,
}

impl Floor {
    pub(crate) const fn new(base: Base, needs: &'static [Need]) -> Self {
        Self { base, needs }
    }

    /// What it comes to beside a line of `waiting`.
    ///
    /// What is summed up takes turns, so that it is measured at the same speed of the machine.
    pub(crate) fn measure(&self, waiting: usize, at_once: u64, effort: &Effort) -> Breakdown {
        let samples = effort.measure(at_once, || {
            let needs = self.needs.iter();
            let needs = needs.map(|need| need.primitive.subject(effort.most));
            let around = [Primitive::nothing(), self.base.subject(waiting)];
            around.into_iter().chain(needs).collect()
        });
        let nothing = samples.nanoseconds(0);
        let net = |place| (samples.nanoseconds(place) - nothing).max(0.0);
        Breakdown {
            base: (self.base, samples.nanoseconds(1)),
            needs: self.needs.iter().zip((2..).map(net)).collect(),
        }
    }
}

impl Need {
    pub(crate) const fn new(times: u32, primitive: Primitive, reason: &'static str) -> Self {
        Self {
            times,
            primitive,
            reason,
        }
    }
}
