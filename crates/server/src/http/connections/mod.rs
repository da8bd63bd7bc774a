//! The connections of the HTTP server. They are accepted within limits, served within deadlines,
//! and closed when the server stops.

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
use governor::Quota;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use quadrex_runtime::{Listener, Socket};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tower::Service;

use super::state::AppState;
use super::tls::Tls;
use crate::limits::{DescriptorLimit, DirectLimiter, direct_limiter};
use crate::stop::{self, StopStage};
use crate::telemetry::metrics::METRICS;

pub(crate) use timed::TimedStream;

/// The time within which the head of a request must arrive. The time begins when the connection is
/// opened, and again after each response. An idle connection is therefore closed after this time.
const HEAD_DEADLINE: Duration = Duration::from_secs(5);

/// The largest size of the head of a request, in bytes. A request with a larger head is refused
/// with the status 431.
const HEAD_BYTES: usize = 16 * 1024;

/// The time for which a server that stops still handles its requests. This time is shorter than the
/// time for which the server waits for all connections. A request that does not end therefore
/// cannot delay the stop.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(3);

/// The pause after a connection could not be accepted because no file descriptor was free.
const ACCEPT_PAUSE: Duration = Duration::from_millis(200);

/// The response on a connection that exceeds a limit. The request is not read.
const TOO_MANY: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\nRetry-After: 5\r\n\r\n";

/// Accepts connections until the server closes them. With TLS, they begin with its handshake.
pub(crate) async fn serve(
    mut listener: Listener,
    state: AppState,
    router: Router,
    tls: Option<Tls>,
    stop_stage: watch::Receiver<StopStage>,
) {
    let acceptor = Acceptor::new(state);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_DEADLINE).max_buf_size(HEAD_BYTES);
    let mut stages = stop_stage.clone();
    let mut stopped = pin!(stop::closing(&mut stages));
    loop {
        let accepted = tokio::select! {
            biased;
            () = &mut stopped => return,
            accepted = listener.accept() => accepted,
        };
        let Some((stream, peer)) = acceptor.admit(accepted).await else { continue };
        let (http, router, stop_stage) = (http.clone(), router.clone(), stop_stage.clone());
        match tls.clone() {
            None => drop(quadrex_runtime::spawn(serve_connection(http, stream, peer, router, stop_stage))),
            Some(tls) => drop(quadrex_runtime::spawn(async move {
                if let Some((stream, relay)) = tls.accept(stream).await {
                    quadrex_runtime::spawn(relay);
                    serve_connection(http, stream, peer, router, stop_stage).await;
                }
            })),
        }
    }
}

/// The part that decides which connections are accepted.
struct Acceptor {
    state: AppState,
    descriptors: DescriptorLimit,
    /// The rate limit of the log entries about connections that are not accepted.
    log: DirectLimiter,
}

impl Acceptor {
    fn new(state: AppState) -> Self {
        let log = direct_limiter(Quota::per_minute(NonZeroU32::MIN));
        Self { state, descriptors: DescriptorLimit::of_process(), log }
    }

    /// Returns the accepted connection if it is within the limits. Otherwise refuses it and returns
    /// `None`.
    async fn admit(&self, accepted: io::Result<(Socket, SocketAddr)>) -> Option<(TimedStream, SocketAddr)> {
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                self.pause_after(&error).await;
                return None;
            }
        };
        if !self.descriptors.allows(&stream) {
            if self.log.check().is_ok() {
                let limit = self.descriptors.limit();
                tracing::warn!(most = limit, "connections are refused: too many file descriptors are open");
            }
            METRICS.connections.refused.inc("descriptors");
            refuse(&stream);
            return None;
        }
        let address = peer.ip().to_canonical();
        // The connections of many clients come from a proxy. They are counted later, by the
        // addresses that the proxy names.
        let permit = if self.state.proxies.contains(address) {
            None
        } else if let Some(permit) = self.state.admission.admit(address) {
            Some(permit)
        } else {
            tracing::debug!(%address, "a connection is refused: its address has too many");
            METRICS.connections.refused.inc("address_limit");
            refuse(&stream);
            return None;
        };
        // Frames are small and urgent, so a frame must not wait until the previous frame is
        // acknowledged.
        if let Err(error) = stream.set_nodelay() {
            tracing::debug!("a connection without TCP_NODELAY: {error}");
        }
        Some((TimedStream::new(stream, permit), peer))
    }

    /// Waits a moment after an error, unless the error concerns only one connection.
    async fn pause_after(&self, error: &io::Error) {
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

/// Sends the answer that there are too many connections, if it can be sent without waiting.
fn refuse(stream: &Socket) {
    // An error means that the client has disconnected.
    stream.send_now(TOO_MANY).ok();
}

/// Serves the requests of one connection until it ends or becomes a WebSocket.
async fn serve_connection(
    http: http1::Builder,
    stream: TimedStream,
    peer: SocketAddr,
    router: Router,
    mut stop_stage: watch::Receiver<StopStage>,
) {
    let service = service_fn(|request: Request<Incoming>| answer(router.clone(), peer, request));
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), service).with_upgrades());
    let result = tokio::select! {
        result = connection.as_mut() => result,
        () = stop::closing(&mut stop_stage) => {
            connection.as_mut().graceful_shutdown();
            match timeout(DRAIN_TIMEOUT, connection).await {
                Ok(result) => result,
                Err(_) => return tracing::debug!(%peer, "a connection is cut: its request did not end"),
            }
        }
    };
    if let Err(error) = result {
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
