//! A proxy for a database that closes connections between a request and its answer.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// Relays bytes between its own port and another port. Once a certain request has passed, it
/// returns no more answers.
pub(crate) struct ReplyCutter {
    pub(crate) port: u16,
    state: Arc<Mutex<State>>,
    accepting: JoinHandle<()>,
}

enum State {
    Whole,
    CutsAfter(&'static str),
    Cut,
}

impl ReplyCutter {
    pub(crate) async fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let own = listener.local_addr().unwrap().port();
        let state = Arc::new(Mutex::new(State::Whole));
        let shared = state.clone();
        let accepting = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
                let (from_client, to_client) = client.into_split();
                let (from_server, to_server) = server.into_split();
                tokio::spawn(carry_requests(from_client, to_server, shared.clone()));
                tokio::spawn(carry_replies(from_server, to_client, shared.clone()));
            }
        });
        Self { port: own, state, accepting }
    }

    /// Stops returning answers after a request that contains this text.
    pub(crate) fn cut_after(&self, text: &'static str) {
        *self.state.lock().unwrap() = State::CutsAfter(text);
    }
}

impl Drop for ReplyCutter {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Relays requests. The answers are stopped before the request is passed on, so that its answer
/// cannot arrive earlier.
async fn carry_requests(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, state: Arc<Mutex<State>>) {
    let mut buffer = [0; 16 * 1024];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        let request = &buffer[..count];
        {
            let mut state = state.lock().unwrap();
            if let State::CutsAfter(text) = *state
                && request.windows(text.len()).any(|part| part == text.as_bytes())
            {
                *state = State::Cut;
            }
        }
        if to.write_all(request).await.is_err() {
            break;
        }
    }
    to.shutdown().await.ok();
}

async fn carry_replies(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, state: Arc<Mutex<State>>) {
    let mut buffer = [0; 16 * 1024];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        let is_cut = matches!(*state.lock().unwrap(), State::Cut);
        if is_cut || to.write_all(&buffer[..count]).await.is_err() {
            break;
        }
    }
    to.shutdown().await.ok();
}
