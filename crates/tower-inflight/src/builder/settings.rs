use inflight_core::Gate;

use crate::desk::Desk;
use crate::handle::Handle;
use crate::hooks::Hook;
use crate::reports::Reasons;
use crate::sign::Sign;
use crate::{ConcurrencyLimitOptions, ConfigError, Limiter, LimiterOptions};

/// What every builder collects.
#[derive(Debug, Default)]
pub(crate) struct Settings<O = ConcurrencyLimitOptions> {
    pub(crate) options: O,
    pub(crate) name: Option<String>,
    pub(crate) hook: Hook,
}

impl Settings {
    pub(crate) fn build(self) -> Result<Limiter, ConfigError> {
        let gate = Gate::new(&self.options.validate()?);
        let sign = Sign::of(self.name.as_deref(), self.options.queue_limit);
        let options = LimiterOptions::Fixed(self.options);
        let desk = Desk::new(sign, self.hook, Reasons::Plain);
        let handle = Handle::new(gate, options, desk, None);
        Ok(Limiter::from_handle(handle))
    }
}

/// Writes the setters of a builder's `settings` for a fixed limit, the same for
/// each such builder.
macro_rules! limiter_setters {
    () => {
        /// Sets how much may run at once, in units of weight; by default 10.
        pub fn max_concurrency(mut self, max_concurrency: usize) -> Self {
            self.settings.options.max_concurrency = max_concurrency;
            self
        }

        /// Replaces all the settings that have an option.
        pub fn options(mut self, options: crate::ConcurrencyLimitOptions) -> Self {
            self.settings.options = options;
            self
        }

        crate::builder::line_setters!(settings);
    };
}

/// Writes the setters that are the same for every kind of limit.
macro_rules! line_setters {
    ($($settings:ident).+) => {
        /// Sets how many callers may wait; by default 0, which rejects at once
        /// what does not fit.
        pub fn queue_limit(mut self, queue_limit: usize) -> Self {
            self.$($settings).+.options.queue_limit = queue_limit;
            self
        }

        /// Sets the longest wait, the work not included; by default none.
        /// Where nobody may wait, it has no effect.
        ///
        /// A wait needs tokio's timer then, and so has to be polled inside a
        /// tokio runtime.
        pub fn queue_timeout(mut self, queue_timeout: std::time::Duration) -> Self {
            self.$($settings).+.options.queue_timeout = Some(queue_timeout);
            self
        }

        /// Names the limiter, for its rejections and whatever reports on it.
        ///
        /// Names are kept for as long as the process lives, each distinct one
        /// once: name a limiter after what it protects, never after a request.
        pub fn name(mut self, name: impl Into<String>) -> Self {
            self.$($settings).+.name = Some(name.into());
            self
        }

        /// Calls `hook` with each rejection, before the caller learns of it.
        ///
        /// It runs outside every lock, perhaps on several threads at once, and
        /// may use the same limiter. If it panics, the panic is counted and
        /// goes no further. A call that is cancelled is not a rejection. This
        /// replaces a hook that was set before.
        pub fn on_rejected(
            mut self,
            hook: impl Fn(&crate::Rejection) + Send + Sync + 'static,
        ) -> Self {
            self.$($settings).+.hook = crate::hooks::Hook::plain(hook);
            self
        }

        /// Awaits `hook` with each rejection, before the caller learns of it.
        ///
        /// The caller who is rejected waits for it, nobody else does; a caller
        /// who goes away drops it. `try_acquire`, which cannot wait, polls it
        /// once and drops it if it is not done, as a failed hook. It costs an
        /// allocation for each rejection. Otherwise all is as with
        /// [`on_rejected`](Self::on_rejected), which it replaces.
        pub fn on_rejected_async<F>(
            mut self,
            hook: impl Fn(crate::Rejection) -> F + Send + Sync + 'static,
        ) -> Self
        where
            F: Future<Output = ()> + Send + 'static,
        {
            self.$($settings).+.hook = crate::hooks::Hook::awaited(hook);
            self
        }
    };
}

pub(crate) use {limiter_setters, line_setters};
