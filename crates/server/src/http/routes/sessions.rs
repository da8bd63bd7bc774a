//! The routes of a user's sessions: the browsers and programs that act as the user.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get};
use axum::{Json, Router};
use quadrex_protocol::RefusalCode;
use quadrex_protocol::http::{SessionClient, SessionList, SessionView, SessionsEnded};
use quadrex_store::{SecretHash, Session};

use crate::auth::{SessionKind, User, session_id};
use crate::http::refusal::Refusal;
use crate::http::state::{AppState, Peer, require_all_rights};
use crate::telemetry::audit::{AuditAction, AuditEntry};

/// Returns the routes.
pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/api/sessions", get(list_sessions).delete(end_other_sessions))
        .route("/api/sessions/{session}", delete(end_session))
}

/// Returns the sessions of the user.
async fn list_sessions(
    State(state): State<AppState>,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<SessionList>, Refusal> {
    let identity = state.identify(&method, &headers).await?;
    let sessions = state.sessions_of(require_all_rights(&identity)?).await?;
    let current = AppState::presented_session(&headers);
    let sessions = sessions.into_iter().map(|session| view(session, current));
    Ok(Json(SessionList { sessions: sessions.collect() }))
}

/// Ends one session of the user. If it is the session of this request, the browser is signed out.
async fn end_session(
    State(state): State<AppState>,
    Path(id): Path<String>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let identity = state.identify_even_suspended(&method, &headers).await?;
    let user = require_all_rights(&identity)?;
    let sessions = state.sessions_of(user).await?.into_iter();
    let named: Vec<_> =
        sessions.map(|session| session.token).filter(|token| session_id(*token) == id).collect();
    let ended = state.sessions.revoke(user.id, &named, state.now()).await;
    let ended = ended.map_err(|error| state.fault("end a session", &error))?;
    if ended.is_empty() {
        return Err(Refusal::new(RefusalCode::NotFound, "you have no such session"));
    }
    state.record_ended_sessions(user, ended.len(), peer, &headers)?;
    let current = AppState::presented_session(&headers);
    if current.is_some_and(|current| ended.contains(&current)) {
        return Ok((state.removed_cookie(), StatusCode::NO_CONTENT).into_response());
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Ends all sessions of the user but the one of this request.
async fn end_other_sessions(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<SessionsEnded>, Refusal> {
    let identity = state.identify_even_suspended(&method, &headers).await?;
    let user = require_all_rights(&identity)?;
    state.end_other_sessions(user, peer, &headers).await.map(Json)
}

impl AppState {
    /// Ends all sessions of the user but the one of this request.
    pub(super) async fn end_other_sessions(
        &self,
        user: &User,
        peer: Peer,
        headers: &HeaderMap,
    ) -> Result<SessionsEnded, Refusal> {
        let current = Self::presented_session(headers);
        let ended = self.sessions.revoke_others(user.id, current, self.now()).await;
        let ended = ended.map_err(|error| self.fault("end the sessions of a user", &error))?;
        self.record_ended_sessions(user, ended, peer, headers)?;
        Ok(SessionsEnded { ended: u32::try_from(ended).unwrap_or(u32::MAX) })
    }

    /// Writes the end of sessions to the audit log.
    fn record_ended_sessions(
        &self,
        user: &User,
        count: usize,
        peer: Peer,
        headers: &HeaderMap,
    ) -> Result<(), Refusal> {
        let address = self.proxies.client_addr(peer.0, headers)?;
        AuditEntry::new(AuditAction::SessionsEnded).by(user.id).from(address).count(count).record();
        Ok(())
    }

    async fn sessions_of(&self, user: &User) -> Result<Vec<Session>, Refusal> {
        let sessions = self.sessions.of(user.id, self.now()).await;
        sessions.map_err(|error| self.fault("list the sessions of a user", &error))
    }
}

/// Returns a session as its user sees it in the session `current`.
pub(super) fn view(session: Session, current: Option<SecretHash>) -> SessionView {
    SessionView {
        id: session_id(session.token),
        client: match session.kind {
            SessionKind::Cookie => SessionClient::Browser,
            SessionKind::Bearer => SessionClient::Program,
        },
        name: session.client,
        created_at_ms: session.created_at.as_millis(),
        seen_at_ms: session.seen_at.map(|at| at.as_millis()),
        is_current: current == Some(session.token),
    }
}
