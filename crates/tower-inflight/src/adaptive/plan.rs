use std::fmt;

use inflight_core::{AimdOptions, ConfigError, Gate};

use super::calls::Calls;
use super::controller::Controller;
use super::layer::AdaptiveLayer;
use super::news::News;
use super::rule::Rule;
use crate::builder::Settings;
use crate::desk::Desk;
use crate::handle::Handle;
use crate::hold::UntilResponse;
use crate::options::LineOptions;
use crate::reports::Reasons;
use crate::sign::Sign;
use crate::{AdaptiveLimitOptions, Limiter, LimiterOptions};

/// What the builders of adaptive limits collect, but for the algorithm.
pub(super) struct Plan<C, T, H> {
    pub(super) settings: Settings<LineOptions>,
    pub(super) news: News,
    pub(super) calls: Calls<C, T, H>,
}

impl Plan<(), (), UntilResponse> {
    pub(super) fn new() -> Self {
        Self {
            settings: Settings::default(),
            news: News::default(),
            calls: Calls::default(),
        }
    }
}

impl<C, T, H> Plan<C, T, H> {
    pub(super) fn calls<D, U, N>(
        self,
        change: impl FnOnce(Calls<C, T, H>) -> Calls<D, U, N>,
    ) -> Plan<D, U, N> {
        Plan {
            settings: self.settings,
            news: self.news,
            calls: change(self.calls),
        }
    }

    pub(super) fn build(
        self,
        rule: Rule,
        monitor_only: bool,
        aimd: Option<AimdOptions>,
    ) -> Result<AdaptiveLayer<C, T, H>, ConfigError> {
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
        let desk = Desk::new(sign, self.settings.hook, Reasons::Plain);
        let handle = Handle::new(gate, options, desk, Some(controller));
        let limiter = Limiter::from_handle(handle);
        Ok(AdaptiveLayer::with_parts(limiter, self.calls))
    }
}

impl<C, T, H> fmt::Debug for Plan<C, T, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan")
            .field("settings", &self.settings)
            .field("news", &self.news)
            .finish_non_exhaustive()
    }
}
