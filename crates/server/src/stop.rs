//! The stages of the stop of a server.

use tokio::sync::watch;

/// A stage of the stop of a server. The stages follow each other in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StopStage {
    /// The server serves clients.
    Serving,
    /// The server accepts no more connections, and closes the open ones.
    Closing,
}

/// Waits until the server closes its connections.
pub(crate) async fn closing(stages: &mut watch::Receiver<StopStage>) {
    // An error means that the server has stopped already.
    stages.wait_for(|stage| *stage == StopStage::Closing).await.ok();
}
