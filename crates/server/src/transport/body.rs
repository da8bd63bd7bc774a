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
        let bytes = axum::body::to_bytes(request.into_body(), LARGEST).await.map_err(|_| {
            Refusal::new(RefusalCode::TooLarge, format_args!("a body may have {LARGEST} bytes at most"))
        })?;
        let text: &[u8] = if bytes.is_empty() { b"{}" } else { &bytes };
        let value = serde_json::from_slice(text)
            .map_err(|error| Refusal::new(RefusalCode::Malformed, format_args!("malformed body: {error}")))?;
        Ok(Self(value))
    }
}
