/// Writes the setters of what is read from a request and of how long a permit
/// lives, the same for each layer and each builder; each changes a type.
macro_rules! call_setters {
    ($Type:ident<$($before:ident),*> $($after:ident),*: $weight:ident, $max_wait:ident, $exempt:ident, $hold:ident) => {
        /// Lets each request take as many units of the limit as `weight`, a
        /// `Fn(&Request) -> u32`, says; by default each takes one.
        ///
        /// 0 counts as 1. One that is heavier than a fixed limit is rejected;
        /// one that is heavier than an adaptive limit, but not than the most
        /// that it may become, runs alone. Name the request type in the
        /// closure; without it the compiler cannot tell for which requests it
        /// is meant: `|export: &Export| export.rows / 1_000`.
        pub fn $weight<F>(
            self,
            weight: F,
        ) -> $Type<$($before,)* crate::ticketing::Weighed<F, T>, H $(, $after)*> {
            self.asking(|rest| crate::ticketing::Weighed::new(weight, rest))
        }

        /// Lets each request wait no longer than `max_wait`, a
        /// `Fn(&Request) -> Option<Duration>`, says: what is left of its
        /// deadline, for instance, so that no call is admitted after its
        /// caller has given up.
        ///
        /// The smaller of it and the queue timeout counts. Nothing is left at
        /// zero: such a call is rejected as
        /// [`QueueTimeout`](crate::Reason::QueueTimeout) even where there is
        /// room. A wait then needs tokio's timer, and so has to be polled
        /// inside a tokio runtime.
        pub fn $max_wait<F>(
            self,
            max_wait: F,
        ) -> $Type<$($before,)* crate::ticketing::Patient<F, T>, H $(, $after)*> {
            self.asking(|rest| crate::ticketing::Patient::new(max_wait, rest))
        }

        /// Lets those requests pass at once for which `exempt`, a
        /// `Fn(&Request) -> bool`, says so: health checks, for instance, which
        /// have to be answered under the heaviest load.
        ///
        /// They take nothing of the limit, are not in flight, wait for nobody
        /// and are not turned away by [`close`](crate::Limiter::close), nor
        /// does [`drained`](crate::Limiter::drained) wait for them; an adaptive
        /// limit learns nothing from them. Whatever a client can ask for, it
        /// can ask for without limit: exempt what is cheap.
        pub fn $exempt<F>(
            self,
            exempt: F,
        ) -> $Type<$($before,)* crate::ticketing::Exempting<F, T>, H $(, $after)*> {
            self.asking(|rest| crate::ticketing::Exempting::new(exempt, rest))
        }

        /// Lets each call hold its permit for as long as `hold` says; by
        /// default [`UntilResponse`](crate::UntilResponse).
        pub fn $hold<N>(self, hold: N) -> $Type<$($before,)* T, N $(, $after)*> {
            self.holding(hold)
        }
    };
}

pub(crate) use call_setters;
