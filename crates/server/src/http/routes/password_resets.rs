//! The routes by which a user who has forgotten the password sets a new one, with a link that is sent by
//! mail.

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use quadrex_protocol::RefusalCode;
use quadrex_protocol::http::{ConfirmPasswordReset, RequestPasswordReset};
use quadrex_store::PasswordReset;

use super::account::choose_password;
use super::mail::{bad_link, no_mail};
use crate::auth::{NameKey, UserName};
use crate::http::body::JsonBody;
use crate::http::refusal::Refusal;
use crate::http::state::{AppState, Peer};
use crate::mail::TooManyResets;
use crate::telemetry::audit::{AuditAction, AuditEntry};

/// Returns the routes.
pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/api/password-resets", post(request_reset))
        .route("/api/password-resets/confirm", post(confirm_reset))
}

/// Sends a link to the mail address of an account. The answer is the same, and comes as fast, if there is
/// no such account or it has no address.
async fn request_reset(
    State(state): State<AppState>,
    peer: Peer,
    headers: HeaderMap,
    JsonBody(RequestPasswordReset { name, language }): JsonBody<RequestPasswordReset>,
) -> Result<StatusCode, Refusal> {
    state.check_own_page(&headers)?;
    if !state.mail.is_on() {
        return Err(no_mail());
    }
    let key = name.parse::<UserName>().ok().and_then(|name| name.key());
    let counted = key.as_ref().map(|key| format!("for {}", key.as_str()));
    let client = state.proxies.client_addr(peer.0, &headers)?;
    state.rate_limits.check_mail(None, counted, client).await?;
    if let Some(key) = key {
        let requested = state.mail.request_reset(key, language.as_str());
        requested.map_err(|TooManyResets| {
            Refusal::new(RefusalCode::Busy, "too many mails were requested; try again in a moment")
        })?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Sets a new password with a link, and ends all sessions of the user.
async fn confirm_reset(
    State(state): State<AppState>,
    peer: Peer,
    headers: HeaderMap,
    JsonBody(ConfirmPasswordReset { secret, password }): JsonBody<ConfirmPasswordReset>,
) -> Result<StatusCode, Refusal> {
    state.check_own_page(&headers)?;
    let client = state.proxies.client_addr(peer.0, &headers)?;
    state.rate_limits.check_sign_in(None, client).await?;
    let fault = |error| state.fault("set a new password", &error);
    let user = state.accounts.reset_user(&secret, state.now()).await.map_err(fault)?;
    let user = match user {
        Some(user) => state.guests.find(user).await.map_err(fault)?,
        None => None,
    };
    let name = user.and_then(|user| NameKey::of(&user.name)).ok_or_else(bad_link)?;
    let password_hash = state.hash_password(choose_password(&password, &name)?).await?;
    let reset = state.sessions.reset_password(&secret, &password_hash, state.now()).await;
    let PasswordReset { user, ended } = reset.map_err(fault)?.ok_or_else(bad_link)?;
    AuditEntry::new(AuditAction::PasswordReset).by(user).from(client).count(ended.len()).record();
    Ok(StatusCode::NO_CONTENT)
}
