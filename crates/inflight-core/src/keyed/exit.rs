use std::task::Waker;

use super::entry::Standing;
use super::gate::KeyedGate;
use super::home::Home;
use super::host::KeyedHost;
use super::line::Answer;
use crate::wake::discard;
use crate::word::State as Mark;

/// What becomes of permits and of places in the line.
impl<K> KeyedGate<K> {
    pub(super) fn release(&self, host: &impl KeyedHost<Key = K>, home: Home, weight: u32) {
        if let Err(seen) = self.try_release(home, weight) {
            let (mut turn, now) = self.begin_timely(host);
            let gone = turn.release(home, seen, weight, now);
            turn.end();
            discard(gone);
        }
    }

    /// Gives back without the line's lock, if nobody there could use it; else
    /// says which tenant the key is, if that was seen.
    fn try_release(&self, home: Home, weight: u32) -> Result<(), Option<u32>> {
        if self.word.load().state() != Mark::Free {
            return Err(None);
        }
        let mut shard = self.shards.lock(home.shard);
        let account = match &mut shard.entry_mut(home.slot).standing {
            Standing::Alone(account) => account,
            Standing::Lined(id) => return Err(Some(*id)),
        };
        if !self.word.try_release(weight.into()) {
            return Err(None);
        }
        account.give_back(weight);
        let gone = self.shards.forget(&mut shard, home);
        drop(shard);
        discard(gone);
        Ok(())
    }

    /// Looks for a waiter's answer, without a turn: it changes nobody else's.
    pub(super) fn poll(&self, waiter: u32, waker: &Waker, first: bool) -> Answer {
        let mut new = first.then(|| waker.clone());
        loop {
            let mut old = None;
            let mut state = self.lock();
            let answer = state.line.poll(waiter, waker, &mut new, &mut old);
            drop(state);
            discard(old);
            if let Some(answer) = answer {
                discard(new);
                return answer;
            }
            new = Some(waker.clone());
        }
    }

    pub(super) fn expire(&self, waiter: u32, now: u64) {
        let mut turn = self.begin();
        let waker = turn.expire(waiter, now);
        turn.end();
        discard(waker);
    }

    /// Gives a waiter's place up, or passes on what it was granted.
    pub(super) fn cancel(&self, host: &impl KeyedHost<Key = K>, waiter: u32) {
        let (mut turn, now) = self.begin_timely(host);
        let (grant, waker) = turn.withdraw(waiter, now);
        let gone = grant.and_then(|(home, weight)| turn.release(home, None, weight, now));
        turn.end();
        discard(gone);
        discard(waker);
    }
}
