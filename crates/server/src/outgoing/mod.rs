//! Requests of this server to other servers, over HTTP/1.1. Users choose some of their URLs, so the
//! server connects only to public addresses and to the networks that the operator has allowed. It
//! checks the addresses after it has resolved the name of a host, and connects to one of these. It
//! follows no redirects, and it limits the time and the size of a response.

mod guard;
mod target;
mod tls;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::client::conn::http1;
use hyper::header::{CONNECTION, HOST, HeaderMap, HeaderValue, USER_AGENT};
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::config::OutgoingConfig;
use guard::AddressGuard;
pub use target::{Target, TargetError};
use tls::TrustedTls;

/// The time within which a request must be answered completely.
const DEADLINE: Duration = Duration::from_secs(10);

/// The time within which a connection to one address must be made.
const CONNECT_DEADLINE: Duration = Duration::from_secs(4);

/// The largest number of addresses of a host that are tried.
const MAX_ADDRESSES: usize = 3;

/// The largest body of a response, in bytes.
const MAX_BODY: usize = 256 * 1024;

/// The value of the header `User-Agent`.
const AGENT: &str = concat!("Quadrex/", env!("CARGO_PKG_VERSION"));

/// A client for requests to other servers. Cheap to clone.
#[derive(Clone, Debug)]
pub struct OutgoingHttp(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    guard: AddressGuard,
    tls: TrustedTls,
}

/// A request to another server.
#[derive(Clone, Debug)]
pub struct OutgoingRequest {
    /// The method.
    pub method: Method,
    /// The URL.
    pub target: Target,
    /// The headers, without `Host`, `User-Agent` and `Connection`, which the client adds.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

/// The response of another server.
#[derive(Clone, Debug)]
pub struct OutgoingResponse {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

/// The reason for which a request was not answered.
#[derive(Debug, thiserror::Error)]
pub enum OutgoingError {
    /// The host has no address, or the name server does not answer.
    #[error("the host was not found")]
    NotFound(#[source] io::Error),
    /// The host has only addresses that the server must not connect to.
    #[error("this server does not connect to private addresses")]
    Private,
    /// No address of the host accepts connections.
    #[error("no connection: {0}")]
    Connect(#[source] io::Error),
    /// The server does not speak HTTP, or the connection broke.
    #[error("no valid response: {0}")]
    Http(#[from] hyper::Error),
    /// The response is too large.
    #[error("the response is larger than {MAX_BODY} bytes")]
    TooLarge,
    /// The response came too late.
    #[error("no response within {} s", DEADLINE.as_secs())]
    Timeout,
}

impl OutgoingHttp {
    /// Returns a client with these settings.
    #[must_use]
    pub fn new(config: &OutgoingConfig) -> Self {
        let guard = AddressGuard::new(config.networks.clone());
        Self(Arc::new(Shared { guard, tls: TrustedTls::default() }))
    }

    /// Parses and checks the URL of a request.
    ///
    /// # Errors
    /// Returns [`TargetError`] if the server sends no requests to this URL.
    pub fn target(&self, url: &str) -> Result<Target, TargetError> {
        Target::parse(url, &self.0.guard)
    }

    /// Sends a request and returns the response, whatever its status is.
    ///
    /// # Errors
    /// Returns [`OutgoingError`] if there is no complete response in time.
    pub async fn send(&self, request: OutgoingRequest) -> Result<OutgoingResponse, OutgoingError> {
        timeout(DEADLINE, self.try_to_send(request)).await.unwrap_or(Err(OutgoingError::Timeout))
    }

    async fn try_to_send(&self, request: OutgoingRequest) -> Result<OutgoingResponse, OutgoingError> {
        let OutgoingRequest { method, target, headers, body } = request;
        let stream = self.connect(&target).await?;
        let mut sent = Request::new(Full::new(body));
        *sent.method_mut() = method;
        *sent.uri_mut() = target.path_and_query().parse().expect("the path of a URL is valid in a request");
        *sent.headers_mut() = headers;
        let authority = HeaderValue::from_str(&target.authority()).expect("the host of a URL is ASCII");
        sent.headers_mut().insert(HOST, authority);
        sent.headers_mut().insert(USER_AGENT, HeaderValue::from_static(AGENT));
        sent.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        if target.is_https() {
            let stream = self.0.tls.connect(&target.host(), stream).await.map_err(OutgoingError::Connect)?;
            exchange(stream, sent).await
        } else {
            exchange(stream, sent).await
        }
    }

    /// Connects to the first address of a host that accepts connections.
    async fn connect(&self, target: &Target) -> Result<TcpStream, OutgoingError> {
        let addresses = target.resolve(&self.0.guard).await.map_err(OutgoingError::NotFound)?;
        let mut error = None;
        for address in addresses.into_iter().take(MAX_ADDRESSES) {
            match timeout(CONNECT_DEADLINE, TcpStream::connect(address)).await {
                Ok(Ok(stream)) => return Ok(stream),
                Ok(Err(refused)) => error = Some(refused),
                Err(_) => error = Some(io::ErrorKind::TimedOut.into()),
            }
        }
        Err(error.map_or(OutgoingError::Private, OutgoingError::Connect))
    }
}

/// Sends a request over a new connection and reads the response.
async fn exchange(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    request: Request<Full<Bytes>>,
) -> Result<OutgoingResponse, OutgoingError> {
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    let response = async {
        let (head, body) = sender.send_request(request).await?.into_parts();
        let body = Limited::new(body, MAX_BODY).collect().await.map_err(body_error)?.to_bytes();
        Ok(OutgoingResponse { status: head.status, headers: head.headers, body })
    };
    let mut connection = std::pin::pin!(connection);
    let mut response = std::pin::pin!(response);
    tokio::select! {
        response = &mut response => response,
        ended = &mut connection => {
            ended?;
            // The response is complete, or the sender reports that the connection was closed.
            response.await
        }
    }
}

fn body_error(error: Box<dyn std::error::Error + Send + Sync>) -> OutgoingError {
    match error.downcast::<hyper::Error>() {
        Ok(error) => OutgoingError::Http(*error),
        Err(error) if error.is::<LengthLimitError>() => OutgoingError::TooLarge,
        Err(error) => OutgoingError::Connect(io::Error::other(error)),
    }
}

#[cfg(test)]
mod tests;
