//! The routes of the share links of matches. With such a link a player lets others read a match
//! that only some users may watch.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, Method, StatusCode};
use axum::routing::get;
use axum::{Json, Router};
use quadrex_protocol::archive::{ShareCreated, ShareStatus};
use quadrex_protocol::{MatchId, RefusalCode, UserId};

use crate::auth::Action;
use crate::http::refusal::Refusal;
use crate::http::state::{AppState, Peer, require_user};
use crate::telemetry::audit::{AuditAction, AuditEntry};

/// The header with the secret of a share link. Unlike a URL, a header does not appear in logs and
/// in the browser's history.
const SHARE_SECRET: HeaderName = HeaderName::from_static("share-secret");

/// Returns the routes.
pub(crate) fn routes() -> Router<AppState> {
    Router::new().route("/api/matches/{match}/share", get(show_share).post(share).delete(unshare))
}

/// Returns the time at which the player's share link of the match was created, if there is one.
async fn show_share(
    State(state): State<AppState>,
    Path(match_id): Path<String>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<ShareStatus>, Refusal> {
    let (player, match_id) = state.player_of(peer, &method, &headers, &match_id).await?;
    let created_at = state.shares.created_at(match_id, player).await;
    let created_at = created_at.map_err(|error| state.fault("look up a share link", &error))?;
    Ok(Json(ShareStatus { created_at_ms: created_at.map(|at| at.as_millis()) }))
}

/// Creates the player's share link of an ended match. It replaces an earlier link of this player.
async fn share(
    State(state): State<AppState>,
    Path(match_id): Path<String>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<(StatusCode, Json<ShareCreated>), Refusal> {
    let (player, match_id) = state.player_of(peer, &method, &headers, &match_id).await?;
    let address = state.proxies.client_addr(peer.0, &headers)?;
    state.rate_limits.check_link(player, address).await?;
    if state.started_match(match_id).await?.ended_at_ms.is_none() {
        return Err(Refusal::new(RefusalCode::Forbidden, "a match can be shared once it has ended"));
    }
    let now = state.now();
    let issued = state.shares.issue(match_id, player, now).await;
    let secret = issued.map_err(|error| state.fault("share a match", &error))?;
    AuditEntry::new(AuditAction::ShareCreated).by(player).from(address).of_match(match_id).record();
    let created = ShareCreated {
        secret: secret.as_str().to_owned(),
        created_at_ms: now.as_millis(),
        origin: state.origin_for_others(&headers),
    };
    Ok((StatusCode::CREATED, Json(created)))
}

/// Removes the player's share link of the match.
async fn unshare(
    State(state): State<AppState>,
    Path(match_id): Path<String>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<StatusCode, Refusal> {
    let (player, match_id) = state.player_of(peer, &method, &headers, &match_id).await?;
    let revoked = state.shares.revoke(match_id, player).await;
    if revoked.map_err(|error| state.fault("remove a share link", &error))? {
        let address = state.proxies.client_addr(peer.0, &headers)?;
        AuditEntry::new(AuditAction::ShareRemoved).by(player).from(address).of_match(match_id).record();
        return Ok(StatusCode::NO_CONTENT);
    }
    Err(Refusal::new(RefusalCode::NotFound, "you have no share link of this match"))
}

impl AppState {
    /// Returns whether the headers of a request contain the secret of a share link of this match.
    pub(super) async fn is_shared(&self, match_id: MatchId, headers: &HeaderMap) -> Result<bool, Refusal> {
        let Some(secret) = headers.get(SHARE_SECRET).and_then(|value| value.to_str().ok()) else {
            return Ok(false);
        };
        let is_valid = self.shares.is_valid(secret, match_id).await;
        is_valid.map_err(|error| self.fault("look up a share link", &error))
    }

    /// Returns the sender of a request about the share link of a match, and the match. Fails if the
    /// sender did not play the match.
    async fn player_of(
        &self,
        peer: Peer,
        method: &Method,
        headers: &HeaderMap,
        match_id: &str,
    ) -> Result<(UserId, MatchId), Refusal> {
        self.check_lookup_rate(peer, headers)?;
        let identity = self.identify(method, headers).await?;
        let (table, match_id) = self.find_match(match_id).await?;
        self.permit_for_match(&identity, table, Action::Share).await?;
        Ok((require_user(&identity)?.id, match_id))
    }
}
