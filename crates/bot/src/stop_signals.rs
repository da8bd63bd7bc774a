//! The signals that stop the program.

use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that stop the program.
pub(crate) struct StopSignals {
    interrupt: Signal,
    terminate: Signal,
    /// The number of requests to stop.
    count: u32,
}

impl StopSignals {
    pub(crate) fn new() -> std::io::Result<Self> {
        let (interrupt, terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        Ok(Self { interrupt, terminate, count: 0 })
    }

    /// Waits for a request to stop and returns the number so far. SIGTERM counts twice, because it
    /// leaves no time for a match.
    pub(crate) async fn requested(&mut self) -> u32 {
        let more = tokio::select! {
            _ = self.interrupt.recv() => 1,
            _ = self.terminate.recv() => 2,
        };
        self.count += more;
        self.count
    }
}
