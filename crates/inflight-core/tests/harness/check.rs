use super::gate::Gate;
use super::model::Model;
use super::world::World;

impl<M: Model> World<M> {
    /// Compares all that can be seen of the gate and of its model.
    pub(crate) fn check(&mut self) {
        self.note_answers();
        self.check_wakes();
        self.check_numbers();
        self.check_room();
        self.check_tally();
        M::check(self);
        self.note_line();
    }

    /// Who was answered was woken, once, with the last waker, in that order;
    /// then those who watched; and nobody else.
    fn check_wakes(&mut self) {
        let callers = self.answered_callers();
        let mut watchers = self.answered_watchers();
        let mut woken = self.wakes.take();
        let mut woken_last = woken.split_off(callers.len().min(woken.len()));
        if !M::Gate::WATCHERS_IN_ORDER {
            watchers.sort_unstable();
            woken_last.sort_unstable();
        }
        assert_eq!((woken, woken_last), (callers, watchers), "who is woken");
    }

    fn answered_callers(&mut self) -> Vec<usize> {
        let mut wakers = Vec::new();
        for (caller, answer) in std::mem::take(&mut self.model.books_mut().answers) {
            let mut waiters = self.waiters.iter_mut();
            let waiting = waiters.find(|waiting| waiting.caller.id == caller.id);
            let waiting = waiting.expect("only those are answered who wait");
            assert_eq!(waiting.answer.replace(answer), None, "answered twice");
            let (first, last) = (waiting.wakers.first(), waiting.wakers.last());
            wakers.extend(last.map(|waker| waker.number));
            if first.map(|waker| waker.number) != last.map(|waker| waker.number) {
                self.note("the later of two wakers is woken");
            }
        }
        wakers
    }

    fn answered_watchers(&mut self) -> Vec<usize> {
        let mut wakers = Vec::new();
        if self.model.books().is_drained() {
            for watching in &mut self.watchers {
                if !watching.is_over {
                    watching.is_over = true;
                    wakers.push(watching.waker.number);
                }
            }
        }
        if !wakers.is_empty() {
            self.note("those who watch see it drained");
        }
        wakers
    }

    fn check_numbers(&self) {
        let (books, snapshot) = (self.model.books(), self.gate.snapshot());
        let limit = books.options.limit.get();
        assert_eq!(snapshot.limit, limit);
        assert_eq!(snapshot.max_limit, books.max_limit().get());
        assert_eq!(snapshot.in_flight, books.in_flight);
        assert_eq!(snapshot.available, limit.saturating_sub(books.in_flight));
        assert_eq!(snapshot.queued, books.line.len());
        assert_eq!(self.gate.is_closed(), books.closed);
    }

    /// While anybody watches, all take the lock, and there is no telling.
    fn check_room(&self) {
        let books = self.model.books();
        let has_room = books.in_flight < books.options.limit.get()
            && !self.model.is_waited_for()
            && !books.closed
            && self.watchers.iter().all(|watching| watching.is_over);
        assert_eq!(self.gate.has_room(), has_room);
    }

    fn check_tally(&self) {
        let waiters = self.waiters.iter();
        let untold = waiters.filter(|waiting| waiting.answer.is_some()).count();
        let waiting = self.gate.snapshot().queued + untold;
        assert_eq!(self.tally.arrived, self.tally.told() + waiting);
    }
}
