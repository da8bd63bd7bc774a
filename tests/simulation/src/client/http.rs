//! HTTP requests of simulated clients.

use std::time::Duration;

use anyhow::{Context, Result};
use quadrex_tests::http::Response;
use serde::Serialize;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

use super::Place;

/// The time after which a client gives up waiting for a response.
const PATIENCE: Duration = Duration::from_secs(20);

/// Sends a POST request with a JSON body over a connection of its own.
///
/// # Errors
/// If there is no complete response.
pub(super) async fn post(
    place: &Place,
    path: &str,
    token: Option<&str>,
    body: &(impl Serialize + Sync),
) -> Result<Response> {
    send(place, "POST", path, token, body).await
}

/// Sends a request with a JSON body over a connection of its own.
///
/// # Errors
/// If there is no complete response.
pub(super) async fn send(
    place: &Place,
    method: &str,
    path: &str,
    token: Option<&str>,
    body: &(impl Serialize + Sync),
) -> Result<Response> {
    let body = serde_json::to_string(body)?;
    let authorization = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: 10.255.0.0\r\nConnection: close\r\n{authorization}\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let exchange = async {
        let (mut socket, _) = place.connect()?;
        socket.write_all(request.as_bytes()).await?;
        let mut answer = Vec::new();
        socket.read_to_end(&mut answer).await?;
        anyhow::Ok(answer)
    };
    let answer = timeout(PATIENCE, exchange).await.context("no response in time")??;
    Response::parse(&answer)
}
