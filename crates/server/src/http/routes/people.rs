//! The routes of the relations between users.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::routing::{get, put};
use axum::{Json, Router};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use quadrex_protocol::http::{
    FollowedUser, FollowedUsers, Opponent, Opponents, RelatedUser, RelatedUsers, Relation,
};
use quadrex_protocol::{RefusalCode, UserId};

use crate::auth::{Identity, User};
use crate::http::refusal::Refusal;
use crate::http::state::{AppState, Peer, require_all_rights};
use crate::people::{self, MAX_RELATIONS, RelationAdded, RelationKind};

/// Returns the routes.
pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/api/me/blocks", get(list(RelationKind::Block)))
        .route("/api/me/blocks/{user}", put(add(RelationKind::Block)).delete(remove(RelationKind::Block)))
        .route("/api/me/follows", get(list_follows))
        .route("/api/me/follows/{user}", put(add(RelationKind::Follow)).delete(remove(RelationKind::Follow)))
        .route("/api/me/mutes", get(list(RelationKind::Mute)))
        .route("/api/me/mutes/{user}", put(add(RelationKind::Mute)).delete(remove(RelationKind::Mute)))
        .route("/api/me/opponents", get(list_opponents))
}

/// The answer of a route, when it is ready.
type Answer<T> = BoxFuture<'static, Result<T, Refusal>>;

/// Returns the route that lists the users to whom the current user has a relation of this kind.
fn list(
    kind: RelationKind,
) -> impl Fn(State<AppState>, Peer, Method, HeaderMap) -> Answer<Json<RelatedUsers>> + Clone {
    move |State(state), peer, method, headers| {
        async move { state.list_relations(kind, peer, &method, &headers).await }.boxed()
    }
}

/// Returns the route by which the current user adds a relation of this kind to another user.
fn add(
    kind: RelationKind,
) -> impl Fn(State<AppState>, Peer, Path<String>, Method, HeaderMap) -> Answer<StatusCode> + Clone {
    move |State(state), peer, Path(other), method, headers| {
        async move { state.add_relation(kind, &other, peer, &method, &headers).await }.boxed()
    }
}

/// Returns the route by which the current user removes a relation of this kind to another user.
fn remove(
    kind: RelationKind,
) -> impl Fn(State<AppState>, Peer, Path<String>, Method, HeaderMap) -> Answer<StatusCode> + Clone {
    move |State(state), peer, Path(other), method, headers| {
        async move { state.remove_relation(kind, &other, peer, &method, &headers).await }.boxed()
    }
}

/// Returns the users whom the current user follows, with the tables at which they play.
async fn list_follows(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<FollowedUsers>, Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    let identity = state.identify(&method, &headers).await?;
    let user = require_all_rights(&identity)?.id;
    let followed = state.related_users(user, RelationKind::Follow).await?;
    let tables = state.relations.tables_of_followed(user).await;
    let tables = tables.map_err(|error| state.fault("list the tables of followed users", &error))?;
    let ids: Vec<UserId> = followed.iter().map(|followed| followed.user.id).collect();
    let online = state.lobby.online_among(&ids).await;
    let users = followed.into_iter().map(|RelatedUser { user, since_ms }| FollowedUser {
        online: online.contains(&user.id),
        table: tables.get(&user.id).copied(),
        user,
        since_ms,
    });
    Ok(Json(FollowedUsers { users: users.collect() }))
}

/// Returns the users with whom the current user has played.
async fn list_opponents(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<Opponents>, Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    let identity = state.identify(&method, &headers).await?;
    let user = require_all_rights(&identity)?.id;
    let fault = |error| state.fault("list the opponents of a user", &error);
    state.archive.complete().await.map_err(fault)?;
    let opponents = state.relations.opponents(user).await.map_err(fault)?;
    let opponents = opponents.into_iter().map(|opponent| Opponent {
        user: opponent.user.view(),
        matches: opponent.matches,
        last_at_ms: opponent.last_at.as_millis(),
        relation: relation(&opponent.relations),
    });
    Ok(Json(Opponents { opponents: opponents.collect() }))
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

    /// Returns the relations of the client to a user; `None` for a client without a user, and for the
    /// user itself.
    pub(super) async fn relation_to(
        &self,
        identity: &Identity,
        other: UserId,
    ) -> Result<Option<Relation>, Refusal> {
        let Some(user) = identity.id().filter(|user| *user != other) else { return Ok(None) };
        let kinds = self.relations.to(user, other).await;
        let kinds = kinds.map_err(|error| self.fault("look up the relations to a user", &error))?;
        Ok(Some(relation(&kinds)))
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

fn relation(kinds: &[RelationKind]) -> Relation {
    Relation {
        follows: kinds.contains(&RelationKind::Follow),
        blocked: kinds.contains(&RelationKind::Block),
        muted: kinds.contains(&RelationKind::Mute),
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
