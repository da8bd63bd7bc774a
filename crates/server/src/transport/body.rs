//! JSON bodies of requests, read within a limit.

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use quadrex_protocol::RefusalCode;
use serde::de::DeserializeOwned;

use super::refuse::Refusal;

/// The largest body of a request, bytes; a FEN4 has some 600.
const LARGEST: usize = 16 * 1024;

/// A request's body as `T`. No body at all counts as an empty object.
#[derive(Debug)]
pub(super) struct JsonBody<T>(pub(super) T);

impl<T: DeserializeOwned, S: Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request<Body>, _: &S) -> Result<Self, Refusal> {
        read_json(request.into_body(), LARGEST).await.map(Self)
    }
}

/// Reads a body of at most so many bytes. No body at all counts as an empty object.
///
/// # Errors
/// When it is larger, or no such value.
pub(super) async fn read_json<T: DeserializeOwned>(body: Body, largest: usize) -> Result<T, Refusal> {
    let bytes = axum::body::to_bytes(body, largest).await.map_err(|_| {
        Refusal::new(RefusalCode::TooLarge, format_args!("a body may have {largest} bytes at most"))
    })?;
    let text: &[u8] = if bytes.is_empty() { b"{}" } else { &bytes };
    serde_json::from_slice(text)
        .map_err(|error| Refusal::new(RefusalCode::Malformed, format_args!("malformed body: {error}")))
}
