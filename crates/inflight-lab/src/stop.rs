use tokio::signal;
use tokio::sync::watch;

/// Tells whether the user has asked for an early end.
#[derive(Clone, Debug)]
pub(crate) struct Stop {
    requested: watch::Receiver<bool>,
}

impl Stop {
    /// Listens for Ctrl-C from now on.
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime.
    pub(crate) fn on_ctrl_c() -> Self {
        let (request, requested) = watch::channel(false);
        tokio::spawn(async move {
            match signal::ctrl_c().await {
                Ok(()) => _ = request.send(true),
                // No handler was installed, so Ctrl-C still ends the process at once.
                Err(error) => eprintln!("cannot listen for Ctrl-C: {error}"),
            }
        });
        Self { requested }
    }

    pub(crate) fn is_requested(&self) -> bool {
        *self.requested.borrow()
    }

    /// Waits until it is requested, for ever if it never is.
    pub(crate) async fn requested(&self) {
        let mut requested = self.requested.clone();
        if requested.wait_for(|requested| *requested).await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    /// One that nobody will request.
    #[cfg(test)]
    pub(crate) fn never() -> Self {
        Self {
            requested: watch::channel(false).1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_request_is_seen_by_whoever_waits_and_whoever_looks() {
        let (request, requested) = watch::channel(false);
        let stop = Stop { requested };
        let waits = tokio::spawn({
            let stop = stop.clone();
            async move { stop.requested().await }
        });
        assert!(!stop.is_requested());
        request.send(true).unwrap();
        waits.await.unwrap();
        assert!(stop.is_requested());
    }
}
