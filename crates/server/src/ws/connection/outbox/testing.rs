//! An outbox on a real connection, for tests, with the client's end of the connection.

use futures_util::StreamExt;
use quadrex_runtime::Socket;
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::Role;

use super::*;

/// The time after which a test gives up waiting. Nothing in these tests takes this long.
const PATIENCE: Duration = Duration::from_secs(20);

/// The client's end of a connection.
pub(in crate::ws::connection) struct Peer {
    socket: WebSocketStream<TcpStream>,
}

impl Peer {
    /// Returns the text of the next frame.
    pub(in crate::ws::connection) async fn next(&mut self) -> String {
        let next = timeout(PATIENCE, self.socket.next()).await.expect("it comes in time");
        match next {
            Some(Ok(Message::Text(text))) => text.as_str().to_owned(),
            other => panic!("{other:?} instead of a text frame"),
        }
    }

    /// Returns the texts of all frames until the connection ends.
    pub(in crate::ws::connection) async fn rest(&mut self) -> Vec<String> {
        let mut rest = Vec::new();
        while let Some(Ok(Message::Text(text))) = self.socket.next().await {
            rest.push(text.as_str().to_owned());
        }
        rest
    }
}

pub(in crate::ws::connection) async fn outbox() -> (Arc<Outbox>, Peer) {
    with_capacity(QueueSize { frames: 64, bytes: 1 << 20 }).await
}

/// Returns an outbox of this capacity, and the client's end. The connection buffers only a few
/// kilobytes.
pub(super) async fn with_capacity(capacity: QueueSize) -> (Arc<Outbox>, Peer) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (client, accepted) =
        tokio::join!(TcpStream::connect(listener.local_addr().unwrap()), listener.accept());
    let (client, server) = (client.unwrap(), accepted.unwrap().0);
    let server = Socket::from(server);
    server.set_send_buffer_size(4 * 1024).unwrap();
    let (reading, writing) = server.into_split();
    // The outbox would queue every frame until the socket is known to be writable.
    writing.writable().await.unwrap();
    // The connection would stay open as long as the reading half exists.
    drop(reading);
    (
        Outbox::new(writing, capacity, Lease::unlimited()),
        Peer { socket: WebSocketStream::from_raw_socket(client, Role::Client, None).await },
    )
}
