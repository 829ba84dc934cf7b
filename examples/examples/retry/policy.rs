use std::future::{Ready, ready};
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, Sleep};
use tower::BoxError;
use tower::retry::Policy;
use tower::retry::backoff::{
    Backoff, ExponentialBackoff, ExponentialBackoffMaker, InvalidBackoff, MakeBackoff,
};
use tower::retry::budget::{Budget, TpsBudget};
use tower::util::rng::Rng;
use tower_inflight::Rejection;

/// What a caller asks for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    /// Until when an answer is of use.
    deadline: Instant,
    /// Whether it may happen twice.
    idempotent: bool,
}

impl Call {
    pub(crate) fn idempotent(deadline: Instant) -> Self {
        Self {
            deadline,
            idempotent: true,
        }
    }
}

/// Tries again after a pause, as long as attempts, deadline and budget last.
///
/// It stands outside the limit. A timeout outside of it ends the last attempt.
#[derive(Clone)]
pub(crate) struct Careful<R> {
    left: u32,
    backoff: ExponentialBackoff<R>,
    /// All calls share it: it bounds what they add to the load together.
    budget: Arc<TpsBudget>,
    may_retry: fn(&Rejection) -> bool,
}

impl<R: Rng + Clone> Careful<R> {
    /// Three more attempts, after pauses of 50 to 100, 100 to 200 and 200 to
    /// 400 ms, for a tenth of what succeeds.
    ///
    /// `may_retry` says which rejections of this very process are worth another
    /// attempt: those, say, of one host's limit below a balancer, where the
    /// next attempt may go to another host.
    pub(crate) fn new(
        chance: R,
        may_retry: fn(&Rejection) -> bool,
    ) -> Result<Self, InvalidBackoff> {
        let (first, longest) = (Duration::from_millis(50), Duration::from_secs(1));
        Ok(Self {
            left: 3,
            backoff: ExponentialBackoffMaker::new(first, longest, 1.0, chance)?.make_backoff(),
            // Over ten seconds; and one a second for whoever calls seldom.
            budget: Arc::new(TpsBudget::new(Duration::from_secs(10), 1, 0.1)),
            may_retry,
        })
    }
}

impl<R: Rng, T> Policy<Call, T, BoxError> for Careful<R> {
    type Future = Sleep;

    fn retry(&mut self, call: &mut Call, result: &mut Result<T, BoxError>) -> Option<Sleep> {
        let Err(error) = result else {
            self.budget.deposit();
            return None;
        };
        if let Some(rejection) = error.downcast_ref() {
            (self.may_retry)(rejection).then_some(())?;
        }
        self.left = self.left.checked_sub(1)?;
        let pause = self.backoff.next_backoff();
        // The budget last, for what is withdrawn from it is spent.
        (pause.deadline() < call.deadline && self.budget.withdraw()).then_some(pause)
    }

    /// What must not happen twice has no second copy, and so no second attempt.
    fn clone_request(&mut self, call: &Call) -> Option<Call> {
        call.idempotent.then_some(*call)
    }
}

/// What not to do: it tries again at once, whatever the error.
#[derive(Clone)]
pub(crate) struct Hasty {
    left: u32,
}

impl Hasty {
    pub(crate) fn new(left: u32) -> Self {
        Self { left }
    }
}

impl<T> Policy<Call, T, BoxError> for Hasty {
    type Future = Ready<()>;

    fn retry(&mut self, _: &mut Call, result: &mut Result<T, BoxError>) -> Option<Ready<()>> {
        result.as_ref().err()?;
        self.left = self.left.checked_sub(1)?;
        Some(ready(()))
    }

    fn clone_request(&mut self, call: &Call) -> Option<Call> {
        Some(*call)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use tower::{ServiceBuilder, ServiceExt, service_fn};
    use tower_inflight::{Limiter, Reason};

    use super::*;
    use crate::dice::Dice;

    fn policy() -> Careful<Dice> {
        Careful::new(Dice::new(3), |_| false).unwrap()
    }

    fn within(patience: Duration) -> Call {
        Call::idempotent(Instant::now() + patience)
    }

    fn broken() -> BoxError {
        "broken".into()
    }

    /// The pauses before each further attempt, where all of them fail.
    async fn pauses(policy: Careful<Dice>, call: Call, error: fn() -> BoxError) -> Vec<Duration> {
        let attempts = Mutex::new(Vec::new());
        let service = ServiceBuilder::new().retry(policy).service(service_fn(|_| {
            attempts.lock().unwrap().push(Instant::now());
            async { Err::<(), _>(error()) }
        }));
        service.oneshot(call).await.unwrap_err();
        let attempts = attempts.into_inner().unwrap();
        attempts.windows(2).map(|two| two[1] - two[0]).collect()
    }

    fn rejected() -> BoxError {
        let limiter = Limiter::new(1);
        limiter.close();
        limiter.try_acquire().unwrap_err().into()
    }

    #[tokio::test(start_paused = true)]
    async fn each_pause_is_longer_and_none_is_like_that_of_another_call() {
        let policy = policy();
        let one = pauses(policy.clone(), within(Duration::from_secs(10)), broken).await;
        let other = pauses(policy, within(Duration::from_secs(10)), broken).await;
        assert_eq!(one.len(), 3);
        assert_ne!(one, other);
        for (pause, base) in one.into_iter().chain(other).zip([50, 100, 200].repeat(2)) {
            assert!((base..=2 * base).contains(&pause.as_millis()), "{pause:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn no_pause_outlasts_the_deadline() {
        let call = within(Duration::from_millis(50));
        assert!(pauses(policy(), call, broken).await.is_empty());
        let call = within(Duration::from_millis(101));
        assert_eq!(pauses(policy(), call, broken).await.len(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_rejection_is_an_answer_unless_it_is_said_to_be_worth_another_attempt() {
        let mut policy = policy();
        let call = within(Duration::from_secs(10));
        assert!(pauses(policy.clone(), call, rejected).await.is_empty());
        policy.may_retry = |rejection| rejection.reason() == Reason::Closed;
        assert_eq!(pauses(policy.clone(), call, rejected).await.len(), 3);
        policy.may_retry = |rejection| rejection.reason() == Reason::QueueFull;
        assert!(pauses(policy, call, rejected).await.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn what_must_not_happen_twice_does_not() {
        let call = Call {
            idempotent: false,
            ..within(Duration::from_secs(10))
        };
        assert!(pauses(policy(), call, broken).await.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn all_calls_together_spend_what_a_tenth_of_the_successes_is_worth() {
        let policy = policy();
        for _ in 0..100 {
            let mut call = within(Duration::from_secs(10));
            assert!(policy.clone().retry(&mut call, &mut Ok(())).is_none());
        }
        let mut retries = 0;
        for _ in 0..100 {
            let (mut policy, mut call) = (policy.clone(), within(Duration::from_secs(10)));
            let retry = policy.retry(&mut call, &mut Err::<(), _>(broken()));
            retries += usize::from(retry.is_some());
        }
        // And ten for the ten seconds.
        assert_eq!(retries, 20);
    }
}
