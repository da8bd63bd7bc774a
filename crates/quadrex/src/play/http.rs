//! An HTTP client for one account on a server.

use std::time::Duration;

use anyhow::{Context, Result};
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

use super::address::Address;
use super::stream;

/// The time limit of an answer.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The largest accepted answer, in bytes.
const MAX_BYTES: usize = 4 << 20;

/// A refusal by the server.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(super) struct Refusal {
    pub(super) code: RefusalCode,
    message: String,
}

impl Refusal {
    /// Returns true if the same request may succeed later.
    pub(super) fn is_transient(&self) -> bool {
        is_transient(self.code)
    }
}

/// Returns true for codes of temporary conditions, after which the same request may succeed.
pub(super) fn is_transient(code: RefusalCode) -> bool {
    matches!(code, RefusalCode::RateLimited | RefusalCode::Internal | RefusalCode::Closing)
}

/// A client that sends requests with one token.
#[derive(Clone, Debug)]
pub(super) struct HttpClient {
    address: Address,
    token: Option<String>,
}

impl HttpClient {
    pub(super) fn new(address: &Address, token: Option<&str>) -> Self {
        Self { address: address.clone(), token: token.map(str::to_owned) }
    }

    /// Sends a GET request.
    ///
    /// # Errors
    /// [`Refusal`] if the server refuses; another error if it cannot be reached or is not a Quadrex
    /// server.
    pub(super) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T> {
        self.request(Method::GET, path, Bytes::new()).await
    }

    /// Sends a POST request.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub(super) async fn post<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> Result<T> {
        let body = serde_json::to_vec(body).context("writing a request")?;
        self.request(Method::POST, path, body.into()).await
    }

    async fn request<T: DeserializeOwned>(&self, method: Method, path: &str, body: Bytes) -> Result<T> {
        let address = &self.address;
        let answer = timeout(TIMEOUT, self.exchange(method, path, body)).await;
        let (status, body) = answer.with_context(|| format!("{address} does not answer in time"))??;
        if status < 400
            && let Ok(answer) = serde_json::from_slice(&body)
        {
            return Ok(answer);
        }
        match serde_json::from_slice::<ErrorBody>(&body) {
            Ok(ErrorBody { code, message }) if status >= 400 => Err(Refusal { code, message }.into()),
            _ => {
                anyhow::bail!("{address}{path} answers with status {status} and not as a Quadrex server does")
            }
        }
    }

    async fn exchange(&self, method: Method, path: &str, body: Bytes) -> Result<(u16, Bytes)> {
        let Self { address, token } = self;
        let stream =
            stream::connect(address).await.with_context(|| format!("cannot connect to {address}"))?;
        let context = || format!("{address} does not speak HTTP");
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.with_context(context)?;
        let mut request = Request::builder().method(method).uri(path).header(HOST, address.authority());
        request = request.header(CONNECTION, "close").header(CONTENT_TYPE, "application/json");
        if let Some(token) = token {
            request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        // The token may contain characters that a header cannot.
        let request =
            request.body(Full::new(body)).context("the token is none: it has signs that no token has")?;
        let exchanging = async {
            let answer = sender.send_request(request).await.with_context(context)?;
            let status = answer.status().as_u16();
            let body = Limited::new(answer.into_body(), MAX_BYTES).collect().await;
            let body = body.map_err(|error| anyhow::anyhow!("reading what {address} answers: {error}"))?;
            Ok((status, body.to_bytes()))
        };
        tokio::pin!(exchanging, connection);
        tokio::select! {
            answer = &mut exchanging => answer,
            // The answer may have arrived although the connection has ended.
            _ = &mut connection => exchanging.await,
        }
    }
}
