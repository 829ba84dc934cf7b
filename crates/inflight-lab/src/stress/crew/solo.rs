use std::io;
use std::thread;

use tokio::runtime;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// A runtime of one thread, which ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Solo {
    handle: Handle,
    /// The thread waits for it to be gone.
    _stop: oneshot::Sender<()>,
}

impl Solo {
    pub(crate) fn start() -> io::Result<Self> {
        let runtime = runtime::Builder::new_current_thread()
            .enable_time()
            .build()?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel();
        thread::Builder::new()
            .name("solo".to_owned())
            // It is over when the other end is gone, which is an error.
            .spawn(move || runtime.block_on(stopped).is_err())?;
        Ok(Self {
            handle,
            _stop: stop,
        })
    }

    pub(crate) fn handle(&self) -> Handle {
        self.handle.clone()
    }
}
