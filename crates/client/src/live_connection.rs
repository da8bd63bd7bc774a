//! An open connection with its timers.

use std::time::Duration;

use quadrex_clock::Clock;
use quadrex_protocol::{ClientFrame, ServerFrame};
use quadrex_rules::Timestamp;
use tokio::time::{Interval, interval};

use crate::connection::{Connection, ConnectionError, MAX_SILENCE, PING_INTERVAL};
use crate::state::ClientState;

/// An open connection with its timers.
#[derive(Debug)]
pub(crate) struct LiveConnection {
    pub(crate) connection: Connection,
    pings: Interval,
    pub(crate) connected_at: Timestamp,
    last_frame_at: Timestamp,
    /// The pause before the next attempt to connect, if the server has requested a pause because
    /// the server is about to stop.
    pub(crate) retry_after: Option<Duration>,
}

impl LiveConnection {
    pub(crate) fn new(connection: Connection, now: Timestamp) -> Self {
        let pings = interval(PING_INTERVAL);
        Self { connection, pings, connected_at: now, last_frame_at: now, retry_after: None }
    }

    /// Sends the queued frames, and then waits for a frame or a timer. Returns the frame, if one has
    /// arrived. Nothing is lost if the future is dropped.
    pub(crate) async fn exchange<P: PartialEq>(
        &mut self,
        state: &mut ClientState<P>,
        ticks: &mut Interval,
        clock: &Clock,
    ) -> Result<Option<ServerFrame>, ConnectionError> {
        if clock.now().since(self.last_frame_at) > MAX_SILENCE {
            return Err(ConnectionError::Silent);
        }
        while let Some(frame) = state.peek_outgoing() {
            self.connection.feed(frame).await?;
            state.pop_outgoing();
        }
        self.connection.flush().await?;
        tokio::select! {
            frame = self.connection.next() => {
                let frame = frame?;
                self.last_frame_at = clock.now();
                return Ok(Some(frame));
            }
            _ = self.pings.tick() => self.connection.feed(&ClientFrame::Ping {}).await?,
            _ = ticks.tick() => state.tick(),
        }
        Ok(None)
    }
}
