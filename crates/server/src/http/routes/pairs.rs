//! The routes for operators about pairs of users who spare each other.

use axum::extract::{Path, State};
use axum::http::Uri;
use axum::routing::get;
use axum::{Json, Router};
use quadrex_protocol::http::{PairDetails, PairList};
use quadrex_protocol::{RefusalCode, UserId};
use serde::Deserialize;

use super::matches::parse_query;
use super::operators::Operator;
use crate::http::refusal::Refusal;
use crate::http::state::AppState;
use crate::telemetry::audit::AuditAction;

/// The default number of listed pairs.
const DEFAULT_LIMIT: u16 = 50;

/// The largest number of listed pairs.
const MAX_LIMIT: u16 = 200;

/// Returns the routes for operators.
pub(super) fn operator_routes() -> Router<AppState> {
    Router::new().route("/api/admin/pairs", get(list)).route("/api/admin/pairs/{one}/{other}", get(show))
}

/// The query of the list.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PairsQuery {
    limit: Option<u16>,
}

/// Lists the pairs of users who spare each other.
async fn list(
    State(state): State<AppState>,
    operator: Operator,
    uri: Uri,
) -> Result<Json<PairList>, Refusal> {
    let PairsQuery { limit } = parse_query(&uri)?;
    let limit = limit.unwrap_or(DEFAULT_LIMIT);
    if !(1..=MAX_LIMIT).contains(&limit) {
        let message = format_args!("limit is {limit}, it must be 1 to {MAX_LIMIT}");
        return Err(Refusal::new(RefusalCode::BadSetting, message));
    }
    state.archive.catch_up().await;
    let pairs = state.fair_play.sparing_pairs(limit, state.now()).await;
    let pairs = pairs.map_err(|error| state.fault("list pairs of users", &error))?;
    operator.entry(AuditAction::PairsListed).count(pairs.len()).record();
    Ok(Json(PairList { pairs }))
}

/// Returns the statistics and the matches of two users.
async fn show(
    State(state): State<AppState>,
    operator: Operator,
    Path((one, other)): Path<(String, String)>,
) -> Result<Json<PairDetails>, Refusal> {
    let id = |text: &str| text.parse::<UserId>().map_err(|_| no_pair());
    let (one, other) = (id(&one)?, id(&other)?);
    state.archive.catch_up().await;
    let found = state.fair_play.pair(one, other, state.now()).await;
    let details = found.map_err(|error| state.fault("look up a pair of users", &error))?;
    let details = details.ok_or_else(no_pair)?;
    operator.entry(AuditAction::PairsListed).on(one).count(1).record();
    Ok(Json(details))
}

fn no_pair() -> Refusal {
    Refusal::new(RefusalCode::NotFound, "these users have no common rated match of more than two players")
}
