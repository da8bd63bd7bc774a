//! The signals that stop the program.

use tokio::signal::unix::{Signal, SignalKind, signal};

/// A receiver of the signals that stop the program.
pub(crate) struct StopSignals {
    interrupt: Signal,
    terminate: Signal,
    /// The number of requests to stop so far.
    count: u32,
}

impl StopSignals {
    pub(crate) fn new() -> std::io::Result<Self> {
        let (interrupt, terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        Ok(Self { interrupt, terminate, count: 0 })
    }

    /// Waits for the next signal and returns the number of requests to stop so far. SIGTERM counts
    /// as two requests, because its sender does not wait for the end of a match.
    pub(crate) async fn next_request(&mut self) -> u32 {
        let added_count = tokio::select! {
            _ = self.interrupt.recv() => 1,
            _ = self.terminate.recv() => 2,
        };
        self.count += added_count;
        self.count
    }
}
