use std::fmt;

use inflight_core::{AimdOptions, ConfigError, Gate};

use super::controller::Controller;
use super::layer::AdaptiveLayer;
use super::news::News;
use super::reading::Reading;
use super::rule::Rule;
use crate::builder::Settings;
use crate::handle::Handle;
use crate::options::LineOptions;
use crate::sign::Sign;
use crate::{AdaptiveLimitOptions, Limiter, LimiterOptions};

/// What the builders of adaptive limits collect, but for the algorithm.
pub(super) struct Plan<C, P, W> {
    pub(super) settings: Settings<LineOptions>,
    pub(super) news: News,
    pub(super) reading: Reading<C, P, W>,
}

impl Plan<(), (), ()> {
    pub(super) fn new() -> Self {
        Self {
            settings: Settings::default(),
            news: News::default(),
            reading: Reading::default(),
        }
    }
}

impl<C, P, W> Plan<C, P, W> {
    pub(super) fn reading<D, Q, V>(
        self,
        change: impl FnOnce(Reading<C, P, W>) -> Reading<D, Q, V>,
    ) -> Plan<D, Q, V> {
        Plan {
            settings: self.settings,
            news: self.news,
            reading: change(self.reading),
        }
    }

    pub(super) fn build(
        self,
        rule: Rule,
        monitor_only: bool,
        aimd: Option<AimdOptions>,
    ) -> Result<AdaptiveLayer<C, P, W>, ConfigError> {
        let line = self.settings.options;
        let (algorithm, initial_limit) = {
            let rule = rule.lock();
            (rule.describe(), rule.limit())
        };
        let options = AdaptiveLimitOptions {
            aimd,
            monitor_only,
            ..AdaptiveLimitOptions::new(algorithm, initial_limit, line)
        };
        let gate = Gate::new(&options.validate(initial_limit)?);
        let sign = Sign::of(self.settings.name.as_deref(), line.queue_limit);
        let controller = Controller::new(rule, self.news, !monitor_only);
        let options = LimiterOptions::Adaptive(options);
        let hook = self.settings.hook;
        let handle = Handle::new(gate, options, sign, hook, Some(controller));
        let limiter = Limiter::from_handle(handle);
        Ok(AdaptiveLayer::with_parts(limiter, self.reading))
    }
}

impl<C, P, W> fmt::Debug for Plan<C, P, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan")
            .field("settings", &self.settings)
            .field("news", &self.news)
            .finish_non_exhaustive()
    }
}
