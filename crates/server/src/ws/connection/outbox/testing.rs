//! An outbox on a real connection, and the client's end of it for tests.

use futures_util::StreamExt;
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::Role;

use super::*;

/// Nothing in these tests takes this long.
const PATIENCE: Duration = Duration::from_secs(20);

/// The client's end.
pub(in crate::ws::connection) struct Peer(WebSocketStream<TcpStream>);

impl Peer {
    /// Returns the text of the next frame.
    pub(in crate::ws::connection) async fn next(&mut self) -> String {
        let next = timeout(PATIENCE, self.0.next()).await.expect("it comes in time");
        match next {
            Some(Ok(Message::Text(text))) => text.as_str().to_owned(),
            other => panic!("{other:?} instead of a text frame"),
        }
    }

    /// Returns the texts of all frames until the connection ends.
    pub(in crate::ws::connection) async fn rest(&mut self) -> Vec<String> {
        let mut rest = Vec::new();
        while let Some(Ok(Message::Text(text))) = self.0.next().await {
            rest.push(text.as_str().to_owned());
        }
        rest
    }
}

pub(in crate::ws::connection) async fn outbox() -> (Arc<Outbox>, Peer) {
    with_capacity(Capacity { frames: 64, bytes: 1 << 20 }).await
}

/// Returns an outbox whose connection buffers some kilobytes at most.
pub(super) async fn with_capacity(capacity: Capacity) -> (Arc<Outbox>, Peer) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (client, accepted) =
        tokio::join!(TcpStream::connect(listener.local_addr().unwrap()), listener.accept());
    let (client, server) = (client.unwrap(), accepted.unwrap().0);
    SockRef::from(&server).set_send_buffer_size(4 * 1024).unwrap();
    let (reading, writing) = server.into_split();
    // Before the socket is known to be writable, every frame would be queued.
    writing.writable().await.unwrap();
    // The reading half would only keep the connection open.
    drop(reading);
    (
        Outbox::new(writing, capacity, Lease::unlimited()),
        Peer(WebSocketStream::from_raw_socket(client, Role::Client, None).await),
    )
}
