//! The routes of the tokens with which programs act as a user.

use std::net::IpAddr;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::routing::{delete, get};
use axum::{Json, Router};
use quadrex_protocol::RefusalCode;
use quadrex_protocol::http::{NewToken, TokenCreated, TokenList, TokenView};

use crate::auth::{AccessToken, MAX_TOKENS, User, session_id};
use crate::http::body::JsonBody;
use crate::http::refusal::Refusal;
use crate::http::state::{AppState, Peer, require_all_rights};
use crate::telemetry::audit::{AuditAction, AuditEntry};

/// Returns the routes.
pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/api/tokens", get(list_tokens).post(create_token))
        .route("/api/tokens/{token}", delete(revoke_token))
}

/// Returns the tokens of the user.
async fn list_tokens(
    State(state): State<AppState>,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<TokenList>, Refusal> {
    let identity = state.identify(&method, &headers).await?;
    let tokens = state.tokens_of(require_all_rights(&identity)?).await?;
    Ok(Json(TokenList { tokens: tokens.into_iter().map(view).collect() }))
}

/// Creates a token.
async fn create_token(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
    JsonBody(new): JsonBody<NewToken>,
) -> Result<(StatusCode, Json<TokenCreated>), Refusal> {
    let identity = state.identify(&method, &headers).await?;
    let user = require_all_rights(&identity)?.id;
    let drawn = state.access_tokens.draw(user, new, state.now());
    let (secret, token) = drawn.map_err(|error| Refusal::new(RefusalCode::BadSetting, error))?;
    let address = state.proxies.client_addr(peer.0, &headers)?;
    state.rate_limits.check_handover(user, address).await?;
    let is_added = state.access_tokens.add(&token, state.now()).await;
    if !is_added.map_err(|error| state.fault("create a token", &error))? {
        let message = format_args!("you have {MAX_TOKENS} tokens already; revoke one first");
        return Err(Refusal::new(RefusalCode::TooManyTokens, message));
    }
    AuditEntry::new(AuditAction::TokenCreated).by(user).from(address).record();
    let created = TokenCreated { token: secret.as_str().to_owned(), details: view(token) };
    Ok((StatusCode::CREATED, Json(created)))
}

/// Revokes a token, and closes its connections.
async fn revoke_token(
    State(state): State<AppState>,
    Path(id): Path<String>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<StatusCode, Refusal> {
    let identity = state.identify_even_suspended(&method, &headers).await?;
    let user = require_all_rights(&identity)?;
    let tokens = state.tokens_of(user).await?.into_iter();
    let named: Vec<_> = tokens.map(|token| token.token).filter(|token| session_id(*token) == id).collect();
    let revoked = state.sessions.revoke(user.id, &named, state.now()).await;
    if revoked.map_err(|error| state.fault("revoke a token", &error))?.is_empty() {
        return Err(Refusal::new(RefusalCode::NotFound, "you have no such token"));
    }
    let address = state.proxies.client_addr(peer.0, &headers)?;
    AuditEntry::new(AuditAction::TokensRevoked).by(user.id).from(address).count(1).record();
    Ok(StatusCode::NO_CONTENT)
}

impl AppState {
    /// Revokes all tokens of a user, and returns their number.
    pub(super) async fn end_tokens(&self, user: &User, address: IpAddr) -> Result<u32, Refusal> {
        let revoked = self.sessions.revoke_tokens(user.id, self.now()).await;
        let count = revoked.map_err(|error| self.fault("revoke the tokens of a user", &error))?;
        if count > 0 {
            AuditEntry::new(AuditAction::TokensRevoked).by(user.id).from(address).count(count).record();
        }
        Ok(u32::try_from(count).unwrap_or(u32::MAX))
    }

    async fn tokens_of(&self, user: &User) -> Result<Vec<AccessToken>, Refusal> {
        let tokens = self.access_tokens.of(user.id, self.now()).await;
        tokens.map_err(|error| self.fault("list the tokens of a user", &error))
    }
}

/// Returns a token as its user sees it.
pub(super) fn view(token: AccessToken) -> TokenView {
    TokenView {
        id: session_id(token.token),
        name: token.name,
        scopes: token.scopes,
        created_at_ms: token.created_at.as_millis(),
        expires_at_ms: token.expires_at.map(|at| at.as_millis()),
        seen_at_ms: token.seen_at.map(|at| at.as_millis()),
    }
}
