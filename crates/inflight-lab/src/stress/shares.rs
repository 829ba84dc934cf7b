/// Divides calls into parts, none of which has more than one more than another.
#[derive(Debug)]
pub(crate) struct Shares {
    calls: u64,
    parts: u64,
}

impl Shares {
    pub(crate) fn new(calls: u64, parts: usize) -> Self {
        let parts = parts as u64;
        Self { calls, parts }
    }

    /// The next part.
    ///
    /// # Panics
    ///
    /// If all parts have been given.
    pub(crate) fn next_share(&mut self) -> u64 {
        let share = self.calls / self.parts;
        self.calls -= share;
        self.parts -= 1;
        share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_even_and_nothing_is_left() {
        let mut shares = Shares::new(11, 4);
        let all: Vec<_> = (0..4).map(|_| shares.next_share()).collect();
        assert_eq!(all, [2, 3, 3, 3]);
    }
}
