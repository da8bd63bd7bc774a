//! The route that tries moves which are no match's.

use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::routing::post;
use axum::{Json, Router};
use quadrex_protocol::explore::{Exploration, Explore};

use crate::explore::{ExploreError, explore};
use crate::http::body::read_json;
use crate::http::refusal::Refusal;
use crate::http::state::{App, Peer};

/// The route.
pub(crate) fn routes() -> Router<App> {
    Router::new().route("/api/explore", post(explore_line))
}

/// Follows a line. Nobody need be known for it, and nothing is kept.
async fn explore_line(
    State(app): State<App>,
    peer: Peer,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Exploration>, Refusal> {
    app.visitors.count_exploration(app.visitors.address(peer.0, &headers)?)?;
    let wish: Explore = read_json(body, app.limits.explore_bytes).await?;
    let most = app.limits.explore_plies;
    Ok(Json(app.work(&app.workers, "explore a line", move || explore(&wish, most)).await??))
}

impl From<ExploreError> for Refusal {
    fn from(error: ExploreError) -> Self {
        Self::new(error.code(), error)
    }
}
