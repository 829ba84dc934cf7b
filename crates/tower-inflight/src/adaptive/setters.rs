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
        pub fn classify<D>(self, classify: D) -> $Builder<D, P, W> {
            let plan = self.plan.reading(|reading| reading.with_classify(classify));
            $Builder { $($own: self.$own,)* plan }
        }

        /// Lets the line go by `priority`, a `Fn(&Request) -> i32`: higher
        /// first, and a higher arrival evicts the newest of the lowest from a
        /// full line. By default it is first come, first served.
        ///
        /// It needs a [`queue_limit`](Self::queue_limit) to matter.
        pub fn priority<Q>(mut self, priority: Q) -> $Builder<C, Q, W> {
            self.plan.settings.options.use_priority_queue = true;
            let plan = self.plan.reading(|reading| reading.with_priority(priority));
            $Builder { $($own: self.$own,)* plan }
        }

        /// Lets each request take as many units of the limit as `weight`, a
        /// `Fn(&Request) -> u32`, says; by default each takes one.
        ///
        /// 0 counts as 1. One that is heavier than the limit, but not than the
        /// most that it may become, runs alone.
        pub fn weight<V>(self, weight: V) -> $Builder<C, P, V> {
            let plan = self.plan.reading(|reading| reading.with_weight(weight));
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
        pub fn on_limit_change<H>(mut self, hook: H) -> Self
        where
            H: Fn(&crate::LimitChange) + Send + Sync + 'static,
        {
            self.plan.news.set_hook(hook);
            self
        }

        crate::builder::line_setters!(plan.settings);
    };
}

pub(super) use adaptive_setters;
