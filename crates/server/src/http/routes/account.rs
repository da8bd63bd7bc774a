//! The routes of the current user: name, unfinished tables, and recovery key.

use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::routing::{get, post};
use axum::{Json, Router};
use quadrex_protocol::RefusalCode;
use quadrex_protocol::http::{Me, RecoveryKeyCreated, RenameUser};
use quadrex_protocol::user::UserView;

use super::PageQuery;
use crate::auth::{Denial, UserName};
use crate::http::body::JsonBody;
use crate::http::refusal::Refusal;
use crate::http::state::{AppState, Peer, require_user};
use crate::telemetry::audit::{AuditAction, AuditEntry};

/// Returns the routes.
pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/api/me", get(me).patch(rename_user))
        .route("/api/recovery-key", post(create_recovery_key).delete(remove_recovery_key))
}

/// Returns the user and the user's unfinished tables.
async fn me(
    State(state): State<AppState>,
    method: Method,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Json<Me>, Refusal> {
    let page = PageQuery::parse(&uri)?;
    let identity = state.identify(&method, &headers).await?;
    let user = require_user(&identity)?;
    let (tables, next) = state.lobby.tables_of(user.id, page).await?;
    let recovery_key = state.recovery_keys.exists_for(user.id).await;
    let recovery_key = recovery_key.map_err(|error| state.fault("look up a recovery key", &error))?;
    Ok(Json(Me { user: user.view(), tables, next, recovery_key }))
}

/// Changes the user's name. At seats that the user already holds, the old name stays.
async fn rename_user(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
    JsonBody(RenameUser { name }): JsonBody<RenameUser>,
) -> Result<Json<UserView>, Refusal> {
    let identity = state.identify(&method, &headers).await?;
    let user = require_user(&identity)?;
    let name = UserName::choose(&name, user.bot.is_some())
        .map_err(|error| Refusal::new(RefusalCode::BadSetting, error))?;
    state.rate_limits.check_rename(user.id, state.proxies.client_addr(peer.0, &headers)?).await?;
    let renamed = state.guests.rename(user.id, name).await;
    let renamed = renamed.map_err(|error| state.fault("rename a user", &error))?;
    Ok(Json(renamed.ok_or(Denial::SignIn)?.view()))
}

/// Creates a recovery key, which replaces an earlier one.
async fn create_recovery_key(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<(StatusCode, Json<RecoveryKeyCreated>), Refusal> {
    let identity = state.identify(&method, &headers).await?;
    let user = require_user(&identity)?.id;
    let address = state.proxies.client_addr(peer.0, &headers)?;
    state.rate_limits.check_handover(user, address).await?;
    let key = state.recovery_keys.issue(user, state.now()).await;
    let key = key.map_err(|error| state.fault("create a recovery key", &error))?;
    AuditEntry::new(AuditAction::RecoveryKeyCreated).by(user).from(address).record();
    Ok((StatusCode::CREATED, Json(RecoveryKeyCreated { recovery_key: key.text() })))
}

/// Removes the recovery key, if there is one.
async fn remove_recovery_key(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<StatusCode, Refusal> {
    let identity = state.identify(&method, &headers).await?;
    let user = require_user(&identity)?.id;
    let removed = state.recovery_keys.remove(user).await;
    removed.map_err(|error| state.fault("remove a recovery key", &error))?;
    let address = state.proxies.client_addr(peer.0, &headers)?;
    AuditEntry::new(AuditAction::RecoveryKeyRemoved).by(user).from(address).record();
    Ok(StatusCode::NO_CONTENT)
}
