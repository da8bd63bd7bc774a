//! Connections: accepted within limits, spoken HTTP to within deadlines, ended with the server.

mod timed;

use std::convert::Infallible;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::pin::pin;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Request, Response};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tower::Service;

use super::state::App;
use crate::limits::Descriptors;

pub(crate) use timed::Timed;

/// The longest time for the head of a request, from the moment the connection is open or its last answer was sent: so
/// also the longest time an idle connection stays.
const HEAD_DEADLINE: Duration = Duration::from_secs(5);

/// The most bytes of a request's head; a longer one is refused with 431.
const HEAD_BYTES: usize = 16 * 1024;

/// The longest time for requests under way once the server stops: shorter than the server waits for all connections, so
/// that a request that does not end is cut here and the stop goes on in form.
const DRAIN: Duration = Duration::from_secs(3);

/// The pause after the system had no descriptor for a connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(200);

/// The answer to a connection over a limit; its request is not read.
const TOO_MANY: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\nRetry-After: 5\r\n\r\n";

/// Accepts connections until the server stops.
pub(crate) async fn serve(listener: TcpListener, app: App, router: Router, closing: watch::Receiver<bool>) {
    let acceptor = Acceptor::new(app);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_DEADLINE).max_buf_size(HEAD_BYTES);
    let mut stop = closing.clone();
    let mut stopped = pin!(stops(&mut stop));
    loop {
        let accepted = tokio::select! {
            biased;
            () = &mut stopped => return,
            accepted = listener.accept() => accepted,
        };
        let Some((stream, peer)) = acceptor.admit(accepted).await else { continue };
        tokio::spawn(serve_connection(http.clone(), stream, peer, router.clone(), closing.clone()));
    }
}

/// Decides which connections are taken.
struct Acceptor {
    app: App,
    descriptors: Descriptors,
    /// Limits what is logged of connections that are not taken.
    log: DefaultDirectRateLimiter,
}

impl Acceptor {
    fn new(app: App) -> Self {
        let log = RateLimiter::direct(Quota::per_minute(NonZeroU32::MIN));
        Self { app, descriptors: Descriptors::of_process(), log }
    }

    /// Takes a connection if the limits let it in.
    async fn admit(&self, accepted: io::Result<(TcpStream, SocketAddr)>) -> Option<(Timed, SocketAddr)> {
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                self.rest_after(&error).await;
                return None;
            }
        };
        if !self.descriptors.have_room_for(&stream) {
            if self.log.check().is_ok() {
                let most = self.descriptors.most();
                tracing::warn!(most, "connections are refused: too many descriptors are open");
            }
            refuse(&stream);
            return None;
        }
        let address = peer.ip().to_canonical();
        // A proxy brings the connections of many; they are counted by whom it names.
        let permit = if self.app.visitors.is_proxy(address) {
            None
        } else if let Some(permit) = self.app.connections.admit(address) {
            Some(permit)
        } else {
            tracing::debug!(%address, "a connection is refused: its address has too many");
            refuse(&stream);
            return None;
        };
        // Frames are small and each is wanted at once: they do not wait for the acknowledgement of the one before.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!("a connection without TCP_NODELAY: {error}");
        }
        Some((Timed::new(stream, permit), peer))
    }

    /// Waits a moment, unless only the one connection broke while it waited to be taken.
    async fn rest_after(&self, error: &io::Error) {
        let broke = [ErrorKind::ConnectionAborted, ErrorKind::ConnectionReset, ErrorKind::ConnectionRefused];
        if broke.contains(&error.kind()) {
            return;
        }
        if self.log.check().is_ok() {
            tracing::warn!("a connection cannot be accepted: {error}");
        }
        sleep(ACCEPT_PAUSE).await;
    }
}

/// Says that there are too many connections, if that can be sent at once.
fn refuse(stream: &TcpStream) {
    // An error says that the client has gone.
    SockRef::from(stream).send(TOO_MANY).ok();
}

/// Answers the requests of one connection, to its end or until it becomes a WebSocket.
async fn serve_connection(
    http: http1::Builder,
    stream: Timed,
    peer: SocketAddr,
    router: Router,
    mut closing: watch::Receiver<bool>,
) {
    let service = service_fn(|request: Request<Incoming>| answer(router.clone(), peer, request));
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), service).with_upgrades());
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stops(&mut closing) => {
            connection.as_mut().graceful_shutdown();
            match timeout(DRAIN, connection).await {
                Ok(ended) => ended,
                Err(_) => return tracing::debug!(%peer, "a connection is cut: its request did not end"),
            }
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%peer, "a connection broke: {}", quadrex_store::error_chain::chain(&error));
    }
}

async fn answer(
    mut router: Router,
    peer: SocketAddr,
    request: Request<Incoming>,
) -> Result<Response<Body>, Infallible> {
    let mut request = request.map(Body::new);
    request.extensions_mut().insert(ConnectInfo(peer));
    router.call(request).await
}

/// Waits until the server is about to stop.
async fn stops(closing: &mut watch::Receiver<bool>) {
    // An error says that whoever could have said so has gone.
    closing.wait_for(|closing| *closing).await.ok();
}
