/// A short run of entries in the order of their keys: a value each, or a block
/// below, to which everything from this key up to the next belongs.
#[derive(Clone, Copy)]
pub(super) struct Block {
    /// The greatest there is behind the last.
    keys: [i32; FULL],
    len: u32,
    below: [u32; FULL],
}

impl Block {
    /// What the halves of a full block have at least.
    pub(super) const HALF: usize = FULL / 2;

    pub(super) fn of(entries: &[(i32, u32)]) -> Self {
        let mut block = Self {
            keys: [i32::MAX; FULL],
            len: 0,
            below: [0; FULL],
        };
        for (at, &(key, below)) in entries.iter().enumerate() {
            block.insert(at, key, below);
        }
        block
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len as usize
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.len() == FULL
    }

    /// How many keys are not above `key`.
    #[inline]
    pub(super) fn rank(&self, key: i32) -> usize {
        // All are compared: to stop early is a branch that nobody foresees.
        let ranks = self.keys.iter().map(|&other| u32::from(other <= key));
        ranks.sum::<u32>().min(self.len) as usize
    }

    /// What `key` leads to, if it is the one before `rank`.
    #[inline]
    pub(super) fn before(&mut self, rank: usize, key: i32) -> Option<&mut u32> {
        let at = rank.checked_sub(1)?;
        (self.keys[at] == key).then_some(&mut self.below[at])
    }

    /// The block below to which `key` belongs.
    #[inline]
    pub(super) fn towards(&self, key: i32) -> u32 {
        self.below[self.rank(key).saturating_sub(1)]
    }

    #[inline]
    pub(super) fn first(&self) -> (i32, u32) {
        (self.keys[0], self.below[0])
    }

    #[inline]
    pub(super) fn last(&self) -> (i32, u32) {
        let at = self.len() - 1;
        (self.keys[at], self.below[at])
    }

    /// Puts what is below in order where the first of it has grown downwards.
    pub(super) fn begin_at(&mut self, key: i32) {
        self.keys[0] = self.keys[0].min(key);
    }

    #[inline]
    pub(super) fn insert(&mut self, at: usize, key: i32, below: u32) {
        let len = self.len();
        for at in (at..len).rev() {
            self.keys[at + 1] = self.keys[at];
            self.below[at + 1] = self.below[at];
        }
        self.keys[at] = key;
        self.below[at] = below;
        self.len += 1;
    }

    #[inline]
    pub(super) fn remove(&mut self, at: usize) {
        let last = self.len() - 1;
        for at in at..last {
            self.keys[at] = self.keys[at + 1];
            self.below[at] = self.below[at + 1];
        }
        self.keys[last] = i32::MAX;
        self.len -= 1;
    }

    /// Keeps the lower half, and returns the upper one.
    pub(super) fn split(&mut self) -> Self {
        let mut upper = Self::of(&[]);
        for (at, from) in (Self::HALF..self.len()).enumerate() {
            upper.insert(at, self.keys[from], self.below[from]);
        }
        while self.len() > Self::HALF {
            self.remove(self.len() - 1);
        }
        upper
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = (i32, u32)> {
        let entries = self.keys.into_iter().zip(self.below);
        entries.take(self.len())
    }
}

const FULL: usize = 15;
