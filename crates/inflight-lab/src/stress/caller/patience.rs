use std::future::{pending, poll_fn};
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{Rng, RngExt};
use tokio::runtime::Handle;
use tokio::task;
use tokio::time;

use crate::stress::call::{Call, Ended};

/// How long a caller stays with a call.
#[derive(Clone, Debug)]
pub(crate) enum Patience {
    Endless,
    /// Until it has looked so often; never to look is to drop it at once.
    Looks(u8),
    /// After one look it goes on in another runtime.
    MovesTo(Handle),
    Time(Duration),
}

impl Patience {
    /// `least` is how often it looks at least, if it counts.
    pub(crate) fn random(random: &mut StdRng, runtimes: &[Handle], least: u8) -> Self {
        match random.next_u32() % 16 {
            0..2 => Self::Looks(random.random_range(least..4)),
            2 => Self::Time(Duration::from_micros(random.random_range(0..1500))),
            3..5 => Self::MovesTo(runtimes[random.random_range(0..runtimes.len())].clone()),
            _ => Self::Endless,
        }
    }

    /// Stays with `call` so long.
    pub(crate) async fn with(self, mut call: Call) -> Ended {
        match self {
            Self::Endless => call.await,
            Self::Looks(looks) => {
                for _ in 0..looks {
                    if let Poll::Ready(ended) = look(&mut call).await {
                        return ended;
                    }
                    task::yield_now().await;
                }
                call.give_up()
            }
            Self::MovesTo(runtime) => match look(&mut call).await {
                Poll::Ready(ended) => ended,
                Poll::Pending => go_on(call, &runtime).await,
            },
            Self::Time(time) => match time::timeout(time, &mut call).await {
                Ok(ended) => ended,
                Err(_) => call.give_up(),
            },
        }
    }
}

/// Polls `call` once.
async fn look(call: &mut Call) -> Poll<Ended> {
    poll_fn(|cx| Poll::Ready(Pin::new(&mut *call).poll(cx))).await
}

async fn go_on(mut call: Call, runtime: &Handle) -> Ended {
    call.moves();
    match runtime.spawn(call).await {
        Ok(ended) => ended,
        // A call catches its panics, so that runtime has ended, because some
        // caller hangs; this one need not say that it does not.
        Err(_) => pending().await,
    }
}
