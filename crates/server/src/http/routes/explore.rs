//! The route that explores moves outside any match.

use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::routing::post;
use axum::{Json, Router};
use quadrex_protocol::explore::{Exploration, Explore};

use crate::explore::{ExploreError, explore};
use crate::http::body::read_json;
use crate::http::refusal::Refusal;
use crate::http::state::{AppState, Peer};

/// The route.
pub(crate) fn routes() -> Router<AppState> {
    Router::new().route("/api/explore", post(explore_line))
}

/// Explores a line of moves. The client need not be signed in, and nothing is stored.
async fn explore_line(
    State(state): State<AppState>,
    peer: Peer,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Exploration>, Refusal> {
    state.rate_limits.check_exploration(state.proxies.client_addr(peer.0, &headers)?)?;
    let request: Explore = read_json(body, state.limits.explore_bytes).await?;
    let max_plies = state.limits.explore_plies;
    Ok(Json(state.work(&state.workers, "explore a line", move || explore(&request, max_plies)).await??))
}

impl From<ExploreError> for Refusal {
    fn from(error: ExploreError) -> Self {
        Self::new(error.code(), error)
    }
}
