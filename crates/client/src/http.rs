//! An HTTP client for one account on a server.

use std::io;
use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::header::{AUTHORIZATION, CONNECTION, CONTENT_TYPE, HOST};
use hyper::{Method, Request};
use hyper_util::rt::TokioIo;
use quadrex_protocol::RefusalCode;
use quadrex_protocol::http::ErrorBody;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use crate::address::Address;
use crate::stream;

/// The time limit for an answer.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The largest accepted answer, in bytes.
const MAX_BYTES: usize = 4 << 20;

/// The refusal of a request by the server.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The code of the reason.
    pub code: RefusalCode,
    /// The reason in words for people.
    pub message: String,
}

impl Refusal {
    /// Returns true if the same request may succeed later.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        is_transient(self.code)
    }
}

/// Returns true if the refusal is temporary, so that the same request may succeed later.
#[must_use]
pub fn is_transient(code: RefusalCode) -> bool {
    matches!(code, RefusalCode::RateLimited | RefusalCode::Internal | RefusalCode::Closing)
}

/// The failure of a request.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// The server refuses the request.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The server cannot be reached.
    #[error("cannot connect to {0}")]
    Connect(Address, #[source] io::Error),
    /// The server has not answered in time.
    #[error("{0} does not answer in time")]
    Timeout(Address),
    /// The server is no HTTP server.
    #[error("{0} does not speak HTTP")]
    NotHttp(Address, #[source] hyper::Error),
    /// The answer ended too early, or is too long.
    #[error("reading the answer of {0}")]
    Body(Address, #[source] Box<dyn std::error::Error + Send + Sync>),
    /// The answer does not come from a Quadrex server.
    #[error("{address}{path} answers with status {status} and not as a Quadrex server does")]
    NotQuadrex {
        /// The address of the server.
        address: Address,
        /// The path of the request.
        path: String,
        /// The HTTP status of the answer.
        status: u16,
    },
    /// The token contains characters that an HTTP header cannot have.
    #[error("the token contains characters that no token has")]
    Token(#[source] hyper::http::Error),
    /// The body of the request cannot be encoded as JSON.
    #[error("encoding a request")]
    Encode(#[source] serde_json::Error),
}

/// An HTTP client that sends its requests with one token. The type does not implement `Debug`, so
/// that the token does not get into a log.
#[derive(Clone)]
pub struct HttpClient {
    address: Address,
    token: Option<String>,
}

impl HttpClient {
    /// Returns a client for a server. The token identifies an account.
    #[must_use]
    pub fn new(address: &Address, token: Option<&str>) -> Self {
        Self { address: address.clone(), token: token.map(str::to_owned) }
    }

    /// Sends a GET request.
    ///
    /// # Errors
    /// Returns [`HttpError`] if the server refuses the request, cannot be reached, or is not a
    /// Quadrex server.
    pub async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, HttpError> {
        self.request(Method::GET, path, Bytes::new()).await
    }

    /// Sends a POST request.
    ///
    /// # Errors
    /// Returns the same errors as [`Self::get`].
    pub async fn post<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> Result<T, HttpError> {
        let body = serde_json::to_vec(body).map_err(HttpError::Encode)?;
        self.request(Method::POST, path, body.into()).await
    }

    async fn request<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Bytes,
    ) -> Result<T, HttpError> {
        let address = &self.address;
        let answer = timeout(TIMEOUT, self.exchange(method, path, body)).await;
        let (status, body) = answer.map_err(|_| HttpError::Timeout(address.clone()))??;
        if status < 400
            && let Ok(answer) = serde_json::from_slice(&body)
        {
            return Ok(answer);
        }
        match serde_json::from_slice::<ErrorBody>(&body) {
            Ok(ErrorBody { code, message }) if status >= 400 => Err(Refusal { code, message }.into()),
            _ => Err(HttpError::NotQuadrex { address: address.clone(), path: path.to_owned(), status }),
        }
    }

    async fn exchange(&self, method: Method, path: &str, body: Bytes) -> Result<(u16, Bytes), HttpError> {
        let Self { address, token } = self;
        let stream = stream::connect(address).await;
        let stream = stream.map_err(|error| HttpError::Connect(address.clone(), error))?;
        let not_http = |error| HttpError::NotHttp(address.clone(), error);
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(not_http)?;
        let mut request = Request::builder().method(method).uri(path).header(HOST, address.authority());
        request = request.header(CONNECTION, "close").header(CONTENT_TYPE, "application/json");
        if let Some(token) = token {
            request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        let request = request.body(Full::new(body)).map_err(HttpError::Token)?;
        let exchanging = async {
            let answer = sender.send_request(request).await.map_err(not_http)?;
            let status = answer.status().as_u16();
            let body = Limited::new(answer.into_body(), MAX_BYTES).collect().await;
            let body = body.map_err(|error| HttpError::Body(address.clone(), error))?;
            Ok((status, body.to_bytes()))
        };
        tokio::pin!(exchanging, connection);
        tokio::select! {
            answer = &mut exchanging => answer,
            // The connection has ended, but the answer may have arrived before its end.
            _ = &mut connection => exchanging.await,
        }
    }
}
