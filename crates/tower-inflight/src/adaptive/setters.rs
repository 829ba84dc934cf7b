/// Writes the setters of a builder's `plan`, the same for each builder.
macro_rules! adaptive_setters {
    ($Builder:ident { $($own:ident),* }) => {
        /// Decides by `classify`, a `Fn(&Result<Response, Error>) -> Outcome`,
        /// what the end of a call says about the load; by default each error
        /// is an overload.
        ///
        /// Name both types in the closure; without them the compiler cannot
        /// tell for which services it is meant. A panic in it reaches the
        /// caller, and the call counts as one that was dropped.
        pub fn classify<D>(self, classify: D) -> $Builder<D, T, H> {
            let plan = self.plan.calls(|calls| calls.classifying(classify));
            $Builder { $($own: self.$own,)* plan }
        }

        /// Lets the line go by `priority`, a `Fn(&Request) -> i32`: higher
        /// first, and a higher arrival evicts the newest of the lowest from a
        /// full line. By default it is first come, first served.
        ///
        /// It needs a [`queue_limit`](Self::queue_limit) to matter.
        pub fn priority<F>(
            mut self,
            priority: F,
        ) -> $Builder<C, crate::ticketing::Prioritized<F, T>, H> {
            self.plan.settings.options.use_priority_queue = true;
            self.asking(|rest| crate::ticketing::Prioritized::new(priority, rest))
        }

        crate::builder::call_setters!($Builder<C>: weight, max_wait, exempt, hold);

        fn asking<U>(self, change: impl FnOnce(T) -> U) -> $Builder<C, U, H> {
            let plan = self.plan.calls(|calls| calls.asking(change));
            $Builder { $($own: self.$own,)* plan }
        }

        fn holding<N>(self, hold: N) -> $Builder<C, T, N> {
            let plan = self.plan.calls(|calls| calls.holding(hold));
            $Builder { $($own: self.$own,)* plan }
        }

        /// Calls `hook` with each change of the limit, after it has been made.
        ///
        /// It runs outside every lock, in the call whose end changed the
        /// limit, perhaps on several threads at once, and may use the same
        /// limiter. If it panics, the panic is counted and goes no further.
        /// This replaces a hook that was set before.
        ///
        /// [`Limiter::limit_changes`](crate::Limiter::limit_changes) is for
        /// those who would rather wait for a change.
        pub fn on_limit_change(
            mut self,
            hook: impl Fn(&crate::LimitChange) + Send + Sync + 'static,
        ) -> Self {
            self.plan.news.set_hook(hook);
            self
        }

        crate::builder::line_setters!(plan.settings);
    };
}

pub(super) use adaptive_setters;
