//! A local HTTP server that receives the requests of a Quadrex server: a webhook or a push service.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, ensure};
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use serde::de::DeserializeOwned;
use tokio::net::TcpListener;
use tokio::sync::{Notify, watch};
use tokio::task::AbortHandle;
use tokio::time::timeout;

use crate::PATIENCE;

/// The setting that lets a server send requests to this machine.
pub const ALLOW_LOCAL: (&str, &str) = ("QUADREX_OUTGOING__NETWORKS", "127.0.0.0/8");

/// A received request.
#[derive(Clone, Debug)]
pub struct ReceivedRequest {
    /// The path.
    pub path: String,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Vec<u8>,
}

impl ReceivedRequest {
    /// Returns the body, which must be JSON.
    ///
    /// # Errors
    /// If the body is different.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T> {
        serde_json::from_slice(&self.body).with_context(|| String::from_utf8_lossy(&self.body).into_owned())
    }

    /// Returns a header, which must be text.
    ///
    /// # Errors
    /// If there is no such header.
    pub fn header(&self, name: &str) -> Result<&str> {
        Ok(self.headers.get(name).with_context(|| format!("no header {name}"))?.to_str()?)
    }
}

/// The server. It stops when it is dropped.
#[derive(Debug)]
pub struct Receiver {
    address: SocketAddr,
    shared: Arc<Shared>,
    task: AbortHandle,
}

#[derive(Debug)]
struct Shared {
    requests: Mutex<Vec<ReceivedRequest>>,
    status: Mutex<StatusCode>,
    is_held: watch::Sender<bool>,
    arrived: Notify,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Receiver {
    /// Starts the server. It answers all requests with 201.
    ///
    /// # Errors
    /// If it cannot listen.
    pub async fn start() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            requests: Mutex::default(),
            status: Mutex::new(StatusCode::CREATED),
            is_held: watch::Sender::new(false),
            arrived: Notify::new(),
        });
        let router = Router::new().fallback(receive).with_state(Arc::clone(&shared));
        let task = tokio::spawn(async move { axum::serve(listener, router).await }).abort_handle();
        Ok(Self { address, shared, task })
    }

    /// Returns the URL of a path, which begins with a slash.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Returns the origin of the URLs.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Answers all later requests with this status.
    pub fn answer_with(&self, status: u16) {
        *lock(&self.shared.status) = StatusCode::from_u16(status).expect("a valid status");
    }

    /// Answers no request until this is called with false.
    pub fn hold(&self, is_held: bool) {
        self.shared.is_held.send_replace(is_held);
    }

    /// Returns the requests that were received so far.
    pub fn requests(&self) -> Vec<ReceivedRequest> {
        lock(&self.shared.requests).clone()
    }

    /// Waits until this number of requests was received, and returns them.
    ///
    /// # Errors
    /// If they are not received in time, or there are more.
    pub async fn until_received(&self, count: usize) -> Result<Vec<ReceivedRequest>> {
        let waiting = async {
            loop {
                let arrived = self.shared.arrived.notified();
                if lock(&self.shared.requests).len() >= count {
                    return;
                }
                arrived.await;
            }
        };
        let waited = timeout(2 * PATIENCE, waiting).await;
        let requests = self.requests();
        waited.with_context(|| format!("{} requests were received, not {count}", requests.len()))?;
        ensure!(requests.len() == count, "more requests than {count} were received: {requests:?}");
        Ok(requests)
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn receive(State(shared): State<Arc<Shared>>, uri: Uri, headers: HeaderMap, body: Bytes) -> StatusCode {
    let request = ReceivedRequest { path: uri.path().to_owned(), headers, body: body.to_vec() };
    lock(&shared.requests).push(request);
    shared.arrived.notify_waiters();
    // An error means that the receiver was dropped.
    shared.is_held.subscribe().wait_for(|is_held| !is_held).await.ok();
    *lock(&shared.status)
}
