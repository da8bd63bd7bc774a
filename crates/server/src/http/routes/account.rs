//! The routes of the current user.

use axum::extract::State;
use axum::http::{HeaderMap, Method, Uri};
use axum::routing::get;
use axum::{Json, Router};
use quadrex_protocol::RefusalCode;
use quadrex_protocol::http::{Me, RenameUser};
use quadrex_protocol::user::UserView;

use super::PageQuery;
use crate::auth::{Denial, UserName};
use crate::http::body::JsonBody;
use crate::http::refusal::Refusal;
use crate::http::state::{AppState, Peer, require_user};

/// Returns the routes.
pub(super) fn routes() -> Router<AppState> {
    Router::new().route("/api/me", get(me).patch(rename_user))
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
    Ok(Json(Me { user: user.view(), tables, next }))
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
