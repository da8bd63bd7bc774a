//! The routes of the relations between users.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::routing::{get, put};
use axum::{Json, Router};
use quadrex_protocol::http::{RelatedUser, RelatedUsers};
use quadrex_protocol::{RefusalCode, UserId};

use crate::auth::User;
use crate::http::refusal::Refusal;
use crate::http::state::{AppState, Peer, require_all_rights};
use crate::people::{self, MAX_RELATIONS, RelationAdded, RelationKind};

/// Returns the routes.
pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/api/me/blocks", get(list_blocks))
        .route("/api/me/blocks/{user}", put(block).delete(unblock))
        .route("/api/me/mutes", get(list_mutes))
        .route("/api/me/mutes/{user}", put(mute).delete(unmute))
}

/// Returns the users that the current user has blocked.
async fn list_blocks(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<RelatedUsers>, Refusal> {
    state.list_relations(RelationKind::Block, peer, &method, &headers).await
}

/// Blocks a user.
async fn block(
    State(state): State<AppState>,
    peer: Peer,
    Path(other): Path<String>,
    method: Method,
    headers: HeaderMap,
) -> Result<StatusCode, Refusal> {
    state.add_relation(RelationKind::Block, &other, peer, &method, &headers).await
}

/// Ends the block of a user.
async fn unblock(
    State(state): State<AppState>,
    peer: Peer,
    Path(other): Path<String>,
    method: Method,
    headers: HeaderMap,
) -> Result<StatusCode, Refusal> {
    state.remove_relation(RelationKind::Block, &other, peer, &method, &headers).await
}

/// Returns the users that the current user has muted.
async fn list_mutes(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<RelatedUsers>, Refusal> {
    state.list_relations(RelationKind::Mute, peer, &method, &headers).await
}

/// Mutes a user.
async fn mute(
    State(state): State<AppState>,
    peer: Peer,
    Path(other): Path<String>,
    method: Method,
    headers: HeaderMap,
) -> Result<StatusCode, Refusal> {
    state.add_relation(RelationKind::Mute, &other, peer, &method, &headers).await
}

/// Shows the messages of a user again.
async fn unmute(
    State(state): State<AppState>,
    peer: Peer,
    Path(other): Path<String>,
    method: Method,
    headers: HeaderMap,
) -> Result<StatusCode, Refusal> {
    state.remove_relation(RelationKind::Mute, &other, peer, &method, &headers).await
}

impl AppState {
    async fn list_relations(
        &self,
        kind: RelationKind,
        peer: Peer,
        method: &Method,
        headers: &HeaderMap,
    ) -> Result<Json<RelatedUsers>, Refusal> {
        self.check_lookup_rate(peer, headers)?;
        let identity = self.identify(method, headers).await?;
        let users = self.related_users(require_all_rights(&identity)?.id, kind).await?;
        Ok(Json(RelatedUsers { users }))
    }

    /// Returns the users to whom a user has a relation of this kind, the newest relation first.
    pub(super) async fn related_users(
        &self,
        user: UserId,
        kind: RelationKind,
    ) -> Result<Vec<RelatedUser>, Refusal> {
        let related = self.relations.of(user, kind).await;
        let related = related.map_err(|error| self.fault("list the relations of a user", &error))?;
        let view = |related: people::RelatedUser| RelatedUser {
            user: related.user.view(),
            since_ms: related.since.as_millis(),
        };
        Ok(related.into_iter().map(view).collect())
    }

    async fn add_relation(
        &self,
        kind: RelationKind,
        other: &str,
        peer: Peer,
        method: &Method,
        headers: &HeaderMap,
    ) -> Result<StatusCode, Refusal> {
        self.check_lookup_rate(peer, headers)?;
        let identity = self.identify(method, headers).await?;
        let user = require_all_rights(&identity)?;
        let other = self.find_user(other).await?;
        check_other(user, kind, &other)?;
        let added = self.relations.add(user.id, kind, other.id, self.now()).await;
        match added.map_err(|error| self.fault("add a relation to a user", &error))? {
            RelationAdded::Added => Ok(StatusCode::NO_CONTENT),
            RelationAdded::Blocked => Err(cannot_follow()),
            RelationAdded::Full => {
                let message = format_args!("this list has {MAX_RELATIONS} users already; remove one first");
                Err(Refusal::new(RefusalCode::ListFull, message))
            }
        }
    }

    /// Removes a relation. Suspended users may do this too, as it changes nothing for anybody else.
    async fn remove_relation(
        &self,
        kind: RelationKind,
        other: &str,
        peer: Peer,
        method: &Method,
        headers: &HeaderMap,
    ) -> Result<StatusCode, Refusal> {
        self.check_lookup_rate(peer, headers)?;
        let identity = self.identify_even_suspended(method, headers).await?;
        let user = require_all_rights(&identity)?;
        let other = self.find_user(other).await?;
        let removed = self.relations.remove(user.id, kind, other.id).await;
        removed.map_err(|error| self.fault("remove a relation to a user", &error))?;
        Ok(StatusCode::NO_CONTENT)
    }
}

/// Checks that a user may have a relation of this kind to another user.
fn check_other(user: &User, kind: RelationKind, other: &User) -> Result<(), Refusal> {
    let is_self = user.id == other.id;
    match kind {
        RelationKind::Follow if is_self || !other.account => Err(cannot_follow()),
        RelationKind::Block | RelationKind::Mute if is_self || other.view().is_server_bot() => {
            Err(Refusal::new(RefusalCode::Forbidden, "only other people can be blocked or muted"))
        }
        RelationKind::Follow | RelationKind::Block | RelationKind::Mute => Ok(()),
    }
}

/// Returns the refusal for a user whom nobody, or not the current user, may follow. It is the same in
/// all cases, so that it does not reveal a block.
fn cannot_follow() -> Refusal {
    Refusal::new(RefusalCode::Forbidden, "this user cannot be followed")
}
