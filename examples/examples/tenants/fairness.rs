use std::iter::zip;

use crate::traffic::{CAPACITY, Fate, LENGTH};

/// What became of everybody's calls, and how fair that is.
pub(crate) struct Judged(pub(crate) Vec<Fate>);

impl Judged {
    pub(crate) fn lines(&self, what: &str) -> Vec<String> {
        let mut lines = vec![format!("{what}: fairness {:.2}", self.fairness())];
        lines.extend(self.0.iter().map(|fate| {
            format!(
                "    {:<5}  asks {:>4.0}/s, gets {:>3.0}/s, p99 {:>4} ms",
                fate.tenant.name,
                fate.tenant.rate,
                answered(fate),
                fate.p99().as_millis(),
            )
        }));
        lines
    }

    /// 1 if each got the same part of what is due to it, 1/n if one of n got
    /// all.
    ///
    /// The index of R. Jain, D. Chiu and W. Hawe, "A Quantitative Measure of
    /// Fairness and Discrimination for Resource Allocation in Shared Computer
    /// Systems", DEC TR-301, 1984: (Σx)² / (n Σx²).
    fn fairness(&self) -> f64 {
        let due = self.due();
        let got: Vec<_> = zip(&self.0, due)
            .map(|(fate, due)| answered(fate) / due)
            .collect();
        let sum: f64 = got.iter().sum();
        let squares: f64 = got.iter().map(|got| got * got).sum();
        sum * sum / (count(got.len()) * squares)
    }

    /// Nobody more than it asks for, and the rest in equal parts.
    fn due(&self) -> Vec<f64> {
        let mut by_rate: Vec<_> = self.0.iter().map(|fate| fate.tenant.rate).collect();
        by_rate.sort_by(f64::total_cmp);
        let (mut left, mut most) = (CAPACITY, 0.0_f64);
        for (served, &rate) in by_rate.iter().enumerate() {
            most = left / count(by_rate.len() - served);
            left -= rate.min(most);
        }
        let rates = self.0.iter().map(|fate| fate.tenant.rate);
        rates.map(|rate| rate.min(most)).collect()
    }
}

/// In a second.
fn answered(fate: &Fate) -> f64 {
    count(fate.latencies.len()) / LENGTH.as_secs_f64()
}

fn count(of: usize) -> f64 {
    f64::from(u32::try_from(of).expect("there are not so many"))
}
