use std::fmt;
use std::hash::Hash;

use inflight_core::{Algorithm, ConfigError, Fairness, KeyOverflow, KeyPlan, KeyedGate};

use super::calls::Calls;
use super::handle::KeyedHandle;
use super::total::{AdaptiveTotal, FixedTotal};
use super::{KeyedLimitLayer, KeyedLimitOptions, KeyedLimiter};
use crate::LimitChange;
use crate::adaptive::{Controller, News, Rule};
use crate::builder::{Settings, call_setters, line_setters};
use crate::desk::Desk;
use crate::hold::UntilResponse;
use crate::reports::Reasons;
use crate::sign::Sign;
use crate::ticketing::Prioritized;

/// Builds a [`KeyedLimitLayer`], or a [`KeyedLimiter`] alone; start with
/// [`KeyedLimitLayer::builder`].
#[must_use = "a builder does nothing until `build`"]
pub struct KeyedLimitBuilder<K, R = (), T = (), H = UntilResponse, M = FixedTotal> {
    limits: Limits<K>,
    calls: Calls<R, T, H, M>,
}

/// What does not depend on requests.
struct Limits<K> {
    settings: Settings<KeyedLimitOptions>,
    plan: Option<Box<Plan<K>>>,
    rule: Option<Rule>,
    news: News,
}

type Plan<K> = dyn Fn(&K) -> KeyPlan + Send + Sync;

impl<K, R> KeyedLimitBuilder<K, R> {
    pub(super) fn new(key: R) -> Self {
        Self {
            limits: Limits {
                settings: Settings::default(),
                plan: None,
                rule: None,
                news: News::default(),
            },
            calls: Calls::new(key),
        }
    }
}

impl<K, R, T, H, M> KeyedLimitBuilder<K, R, T, H, M> {
    /// Replaces all the settings that have an option.
    pub fn options(mut self, options: KeyedLimitOptions) -> Self {
        self.limits.settings.options = options;
        self
    }

    /// Sets how much may run at once, of all keys together, in units of
    /// weight; by default 100.
    pub fn max_concurrency(mut self, max_concurrency: usize) -> Self {
        self.limits.settings.options.max_concurrency = max_concurrency;
        self
    }

    /// Sets how much may run at once of each key, in units of weight; by
    /// default 10.
    pub fn key_max_concurrency(mut self, key_max_concurrency: usize) -> Self {
        self.limits.settings.options.key_max_concurrency = key_max_concurrency;
        self
    }

    /// Gives each key a limit and a share of its own, for example by what it
    /// pays for.
    ///
    /// `plan` is asked outside every lock by each call that finds its key
    /// unknown, also where it is then rejected, and again when the key appears
    /// once more after it was forgotten. So it should be cheap, and not go to a
    /// database for keys that callers invent. If it panics, the call does, and
    /// nothing is lost. It replaces
    /// [`key_max_concurrency`](Self::key_max_concurrency).
    pub fn key_plan(mut self, plan: impl Fn(&K) -> KeyPlan + Send + Sync + 'static) -> Self {
        self.limits.plan = Some(Box::new(plan));
        self
    }

    /// Sets how many callers of one key may wait; by default 0. It has to be
    /// set together with [`queue_limit`](Self::queue_limit).
    pub fn key_queue_limit(mut self, key_queue_limit: usize) -> Self {
        self.limits.settings.options.key_queue_limit = key_queue_limit;
        self
    }

    /// Sets which key is next for a free slot of the total; by default
    /// [`Fairness::Arrival`].
    pub fn fairness(mut self, fairness: Fairness) -> Self {
        self.limits.settings.options.fairness = fairness;
        self
    }

    /// Sets how many keys there may be at once; by default 10,000.
    pub fn max_keys(mut self, max_keys: usize) -> Self {
        self.limits.settings.options.max_keys = max_keys;
        self
    }

    /// Sets what becomes of a call under one key more; by default it is
    /// refused.
    pub fn overflow(mut self, overflow: KeyOverflow) -> Self {
        self.limits.settings.options.overflow = overflow;
        self
    }

    line_setters!(limits.settings);

    /// Lets the line of each key go by `priority`, a `Fn(&Request) -> i32`:
    /// higher first, and where the line is full a higher arrival evicts the
    /// newest of the lowest **of its own key**. Between keys priorities do not
    /// count.
    pub fn priority<P>(mut self, priority: P) -> KeyedLimitBuilder<K, R, Prioritized<P, T>, H, M> {
        self.limits.settings.options.use_priority_queue = true;
        self.asking(|rest| Prioritized::new(priority, rest))
    }

    call_setters!(KeyedLimitBuilder<K, R> M: weight, max_wait, exempt, hold);

    /// Lets `algorithm` move the total limit by how the calls end; the limits
    /// of the keys stay.
    ///
    /// Each error counts as an overload, unless
    /// [`classify`](KeyedLimitBuilder::classify) says otherwise.
    pub fn adaptive(
        mut self,
        algorithm: impl Algorithm + Send + 'static,
    ) -> KeyedLimitBuilder<K, R, T, H, AdaptiveTotal> {
        self.limits.rule = Some(Rule::new(algorithm));
        KeyedLimitBuilder {
            limits: self.limits,
            calls: self.calls.totalling(AdaptiveTotal(())),
        }
    }

    /// Builds the layer, and with it the limiter that all its services share.
    ///
    /// # Errors
    ///
    /// Names the first setting that cannot be used.
    pub fn build(self) -> Result<KeyedLimitLayer<K, R, T, H, M>, ConfigError>
    where
        K: Eq + Hash + Send + Sync + 'static,
    {
        let limiter = self.limits.build()?;
        Ok(KeyedLimitLayer::with_parts(limiter, self.calls))
    }

    fn asking<U>(self, change: impl FnOnce(T) -> U) -> KeyedLimitBuilder<K, R, U, H, M> {
        KeyedLimitBuilder {
            limits: self.limits,
            calls: self.calls.asking(change),
        }
    }

    fn holding<N>(self, hold: N) -> KeyedLimitBuilder<K, R, T, N, M> {
        KeyedLimitBuilder {
            limits: self.limits,
            calls: self.calls.holding(hold),
        }
    }
}

impl<K: Eq + Hash + Send + Sync + 'static> KeyedLimitBuilder<K> {
    /// Builds a limiter without a layer.
    ///
    /// # Errors
    ///
    /// Names the first setting that cannot be used.
    pub fn build_limiter(self) -> Result<KeyedLimiter<K>, ConfigError> {
        self.limits.build()
    }
}

impl<K, R, T, H, C> KeyedLimitBuilder<K, R, T, H, AdaptiveTotal<C>> {
    /// Decides by `classify`, a `Fn(&Result<Response, Error>) -> Outcome`,
    /// what the end of a call says about the load.
    pub fn classify<D>(self, classify: D) -> KeyedLimitBuilder<K, R, T, H, AdaptiveTotal<D>> {
        KeyedLimitBuilder {
            limits: self.limits,
            calls: self.calls.totalling(AdaptiveTotal(classify)),
        }
    }

    /// Calls `hook` with each change of the total limit, after it has been
    /// made, outside every lock.
    pub fn on_limit_change(mut self, hook: impl Fn(&LimitChange) + Send + Sync + 'static) -> Self {
        self.limits.news.set_hook(hook);
        self
    }
}

impl<K: Eq + Hash + Send + Sync + 'static> Limits<K> {
    fn build(self) -> Result<KeyedLimiter<K>, ConfigError> {
        let mut options = self.settings.options;
        if let Some(rule) = &self.rule {
            let rule = rule.lock();
            options.algorithm = Some(rule.describe());
            options.max_concurrency = rule.limit().get();
        }
        let checked = options.validate()?;
        let gate = match self.plan {
            Some(plan) => KeyedGate::with_plans(&checked, plan),
            None => KeyedGate::new(&checked),
        };
        let sign = Sign::keyed(
            self.settings.name.as_deref(),
            options.queue_limit,
            options.key_queue_limit,
        );
        let desk = Desk::new(sign, self.settings.hook, Reasons::Keyed);
        let news = self.news;
        let controller = self.rule.map(|rule| Controller::new(rule, news, true));
        let handle = KeyedHandle::new(gate, options, desk, controller);
        Ok(KeyedLimiter::from_handle(handle))
    }
}

impl<K, R, T, H, M> fmt::Debug for KeyedLimitBuilder<K, R, T, H, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyedLimitBuilder")
            .field("settings", &self.limits.settings)
            .field("news", &self.limits.news)
            .finish_non_exhaustive()
    }
}
