//! The routes for ratings.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, Method};
use axum::routing::get;
use axum::{Json, Router};
use quadrex_protocol::RefusalCode;
use quadrex_protocol::rating::{Leaderboard, MatchRatings, RatingHistory, Speed};
use quadrex_rules::Variant;
use quadrex_store::RatingKind;

use crate::http::refusal::Refusal;
use crate::http::state::{AppState, Peer};

/// Returns the routes.
pub(crate) fn routes() -> Router<AppState> {
    Router::new()
        .route("/api/ratings/{variant}/{speed}", get(show_leaderboard))
        .route("/api/users/{user}/ratings/{variant}/{speed}", get(show_history))
        .route("/api/matches/{match}/ratings", get(show_ratings))
}

/// Returns the players with the best ratings in a variant at a speed.
async fn show_leaderboard(
    State(state): State<AppState>,
    peer: Peer,
    Path((variant, speed)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Json<Leaderboard>, Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    let kind = parse_kind(&variant, &speed)?;
    let leaderboard = state.archive.leaderboard(kind, state.now()).await;
    Ok(Json(leaderboard.map_err(|error| state.fault("list the best ratings", &error))?))
}

/// Returns the ratings of a user after each rated match.
async fn show_history(
    State(state): State<AppState>,
    peer: Peer,
    Path((user, variant, speed)): Path<(String, String, String)>,
    headers: HeaderMap,
) -> Result<Json<RatingHistory>, Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    let kind = parse_kind(&variant, &speed)?;
    let user = state.find_user(&user).await?;
    let history = state.archive.rating_history(user.id, kind, state.now()).await;
    Ok(Json(history.map_err(|error| state.fault("read the history of a rating", &error))?))
}

/// Returns the ratings of the players of a match.
async fn show_ratings(
    State(state): State<AppState>,
    peer: Peer,
    Path(match_id): Path<String>,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<MatchRatings>, Refusal> {
    let (_, _, match_id) = state.requested_match(peer, &method, &headers, &match_id).await?;
    let ratings = state.archive.ratings_in(match_id, state.now()).await;
    Ok(Json(ratings.map_err(|error| state.fault("read the ratings of a match", &error))?))
}

fn parse_kind(variant: &str, speed: &str) -> Result<RatingKind, Refusal> {
    let unknown = |what| Refusal::new(RefusalCode::NotFound, format_args!("there is no such {what}"));
    let variant: Variant = variant.parse().map_err(|_| unknown("variant"))?;
    let speed: Speed = speed.parse().map_err(|_| unknown("speed"))?;
    Ok(RatingKind { variant, speed })
}
