//! The JSON bodies of requests, with limits on their size and time.

use std::time::Duration;

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use quadrex_protocol::RefusalCode;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::json_shape::has_array_in_place_of_object;
use super::refusal::Refusal;

/// The largest size of a request's body, in bytes. For comparison: a FEN4 has about 600 bytes.
const MAX_BYTES: usize = 16 * 1024;

/// The time within which a body must arrive.
const DEADLINE: Duration = Duration::from_secs(10);

/// The body of a request, parsed as `T`. A missing body counts as an empty object.
#[derive(Debug)]
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: DeserializeOwned + Serialize, S: Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request<Body>, _: &S) -> Result<Self, Refusal> {
        read_json(request.into_body(), MAX_BYTES).await.map(Self)
    }
}

/// Reads a body of at most `largest` bytes. A missing body counts as an empty object.
///
/// # Errors
/// Returns an error if the body is too large, does not arrive in time, or is not a value of this
/// type.
pub(crate) async fn read_json<T: DeserializeOwned + Serialize>(
    body: Body,
    largest: usize,
) -> Result<T, Refusal> {
    let reading = tokio::time::timeout(DEADLINE, axum::body::to_bytes(body, largest)).await;
    let reading = reading.map_err(|_| {
        let message = format_args!("the body did not come within {} seconds", DEADLINE.as_secs());
        Refusal::new(RefusalCode::Malformed, message).with_status(StatusCode::REQUEST_TIMEOUT)
    })?;
    let bytes = reading.map_err(|_| {
        Refusal::new(RefusalCode::TooLarge, format_args!("a body may have {largest} bytes at most"))
    })?;
    let text: &[u8] = if bytes.is_empty() { b"{}" } else { &bytes };
    let read = serde_json::from_slice(text)
        .map_err(|error| Refusal::new(RefusalCode::Malformed, format_args!("malformed body: {error}")))?;
    if has_array_in_place_of_object(text, &read) {
        return Err(Refusal::new(RefusalCode::Malformed, "malformed body: an array stands for an object"));
    }
    Ok(read)
}
