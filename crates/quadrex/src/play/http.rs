//! A server's HTTP side, as one account.

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

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// Bytes of an answer at most.
const MOST_BYTES: usize = 4 << 20;

/// What the server said no with.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(super) struct Refusal {
    pub(super) code: RefusalCode,
    message: String,
}

impl Refusal {
    /// Whether the server may have another answer later.
    pub(super) fn is_passing(&self) -> bool {
        is_passing(self.code)
    }
}

/// Whether a server that refuses with this could not do it just then, and may later.
pub(super) fn is_passing(code: RefusalCode) -> bool {
    matches!(code, RefusalCode::RateLimited | RefusalCode::Internal | RefusalCode::Closing)
}

/// Requests to a server, as whoever has this token.
#[derive(Clone, Debug)]
pub(super) struct Http {
    address: Address,
    token: Option<String>,
}

impl Http {
    pub(super) fn new(address: &Address, token: Option<&str>) -> Self {
        Self { address: address.clone(), token: token.map(str::to_owned) }
    }

    /// # Errors
    /// A [`Refusal`] if the server refused; anything else if it could not be asked, or is no Quadrex server.
    pub(super) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T> {
        self.ask(Method::GET, path, Bytes::new()).await
    }

    /// # Errors
    /// As [`Self::get`].
    pub(super) async fn post<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> Result<T> {
        let body = serde_json::to_vec(body).context("writing a request")?;
        self.ask(Method::POST, path, body.into()).await
    }

    async fn ask<T: DeserializeOwned>(&self, method: Method, path: &str, body: Bytes) -> Result<T> {
        let address = &self.address;
        let answer = timeout(PATIENCE, self.exchange(method, path, body)).await;
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
        // The token could hold what no header can.
        let request =
            request.body(Full::new(body)).context("the token is none: it has signs that no token has")?;
        let asking = async {
            let answer = sender.send_request(request).await.with_context(context)?;
            let status = answer.status().as_u16();
            let body = Limited::new(answer.into_body(), MOST_BYTES).collect().await;
            let body = body.map_err(|error| anyhow::anyhow!("reading what {address} answers: {error}"))?;
            Ok((status, body.to_bytes()))
        };
        tokio::pin!(asking, connection);
        tokio::select! {
            answer = &mut asking => answer,
            // The answer may be here already though the connection has ended.
            _ = &mut connection => asking.await,
        }
    }
}
