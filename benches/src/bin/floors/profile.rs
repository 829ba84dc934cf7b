use std::collections::BTreeMap;
use std::mem;

/// How many instructions each function executed by itself, as callgrind writes it down.
#[derive(Debug, Default, Eq, PartialEq)]
pub(crate) struct Profile(BTreeMap<String, i64>);

impl Profile {
    /// Reads what callgrind wrote with names and positions in full.
    pub(crate) fn parse(text: &str) -> Self {
        let mut profile = Self::default();
        let (mut function, mut is_of_callee) = ("", false);
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("fn=") {
                function = name;
            } else if line.starts_with("calls=") {
                is_of_callee = true;
            } else if let Some(cost) = cost(line)
                && !mem::take(&mut is_of_callee)
            {
                *profile.0.entry(short(function)).or_default() += cost;
            }
        }
        profile
    }

    /// Without what `other` has, too.
    pub(crate) fn minus(mut self, other: &Self) -> Self {
        for (function, cost) in &other.0 {
            *self.0.entry(function.clone()).or_default() -= cost;
        }
        self
    }

    /// All instructions.
    pub(crate) fn total(&self) -> i64 {
        self.0.values().sum()
    }

    /// The functions with the most.
    pub(crate) fn top(&self, count: usize) -> Vec<(&str, i64)> {
        let functions = self.0.iter();
        let mut functions: Vec<_> = functions
            .map(|(name, &cost)| (name.as_str(), cost))
            .collect();
        functions.sort_by_key(|&(_, cost)| -cost);
        functions.truncate(count);
        functions
    }
}

/// The instructions in a line that begins with a position.
fn cost(line: &str) -> Option<i64> {
    let (position, cost) = line.split_once(' ')?;
    position.parse::<u64>().ok()?;
    cost.parse().ok()
}

/// Without the hash that makes a name unique.
fn short(function: &str) -> String {
    let plain = function.rsplit_once("::h").filter(|(_, hash)| {
        hash.len() == 16 && hash.bytes().all(|digit| digit.is_ascii_hexdigit())
    });
    plain.map_or(function, |(plain, _)| plain).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRITTEN: &str = "\
positions: line
events: Ir
fl=a.rs
fn=outer::h0123456789abcdef
3 5
cfn=inner
calls=2 9
4 700
fi=b.rs
5 6

fn=inner
9 700

totals: 711
";

    #[test]
    fn a_function_has_what_it_did_by_itself() {
        let profile = Profile::parse(WRITTEN);
        assert_eq!(profile.top(3), [("inner", 700), ("outer", 11)]);
        assert_eq!(profile.total(), 711);
    }

    #[test]
    fn what_both_have_cancels_out() {
        let twice = Profile::parse(&WRITTEN.replace("9 700", "9 900"));
        let once = Profile::parse(WRITTEN);
        assert_eq!(twice.minus(&once).top(1), [("inner", 200)]);
    }
}
