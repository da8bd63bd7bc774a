//! The routes by which a browser becomes a user, and by which a user continues on another device.

use std::net::IpAddr;

use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use quadrex_protocol::http::{HandoverPreview, LinkCreated, NewSession, Session, ShownHandover};
use quadrex_protocol::user::UserView;
use quadrex_protocol::{RefusalCode, UserId};

use crate::auth::{Issued, NameKey, Password, User, UserName};
use crate::http::auth::has_cookie;
use crate::http::body::JsonBody;
use crate::http::refusal::Refusal;
use crate::http::state::{AppState, Peer, require_all_rights};
use crate::http::user_agent::client_name;
use crate::telemetry::audit::{AuditAction, AuditEntry};

/// Returns the routes.
pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/api/session", post(create_session))
        .route("/api/session/back", post(restore_session))
        .route("/api/handovers", post(create_handover))
        .route("/api/handovers/preview", post(preview_handover))
}

/// A proof with which a browser becomes a certain user.
enum Proof {
    /// The secret of a handover.
    Handover(String),
    /// A recovery key.
    RecoveryKey(String),
    /// The name and the password of an account.
    Password { name: String, password: String },
}

impl Proof {
    /// Returns the proof in a request, if there is one.
    fn of(request: NewSession) -> Result<Option<Self>, Refusal> {
        let NewSession { handover, recovery_key, name, password } = request;
        match (handover, recovery_key, name, password) {
            (None, None, None, None) => Ok(None),
            (Some(secret), None, None, None) => Ok(Some(Self::Handover(secret))),
            (None, Some(key), None, None) => Ok(Some(Self::RecoveryKey(key))),
            (None, None, Some(name), Some(password)) => Ok(Some(Self::Password { name, password })),
            _ => Err(Refusal::new(
                RefusalCode::Malformed,
                "send a handover, a recovery key, a name with a password, or nothing",
            )),
        }
    }

    /// Returns the kind of entry in the audit log for a browser that has become the user.
    fn audit_action(&self) -> AuditAction {
        match self {
            Self::Handover(_) => AuditAction::HandoverRedeemed,
            Self::RecoveryKey(_) => AuditAction::RecoveryKeyUsed,
            Self::Password { .. } => AuditAction::SignedIn,
        }
    }
}

/// Creates a guest for a browser, unless the browser's cookie already belongs to a user. If the
/// request has the proof of a user, the browser switches to that user instead, and can later return
/// to its previous session.
async fn create_session(
    State(state): State<AppState>,
    peer: Peer,
    headers: HeaderMap,
    JsonBody(request): JsonBody<NewSession>,
) -> Result<Response, Refusal> {
    state.check_own_page(&headers)?;
    let address = state.proxies.client_addr(peer.0, &headers)?;
    let identity = state.identify_by_cookie(&headers).await?;
    let current_user = identity.user();
    if let Some(proof) = Proof::of(request)? {
        let Issued { user, token } = state.accept(&proof, address, &headers).await?;
        AuditEntry::new(proof.audit_action()).by(user.id).from(address).record();
        let replaced_user = current_user.filter(|current| current.id != user.id);
        let (cookies, previous_user) = match replaced_user {
            Some(replaced_user) => {
                (state.cookies_after_sign_in(&headers, &token), Some(replaced_user.view()))
            }
            None => (state.cookie(&token), state.previous_user(&headers, user.id).await?),
        };
        return Ok((cookies, Json(Session { user: user.view(), previous_user })).into_response());
    }
    if let Some(user) = current_user {
        let previous_user = state.previous_user(&headers, user.id).await?;
        return Ok((state.renewed_cookie(&headers), Json(Session { user: user.view(), previous_user }))
            .into_response());
    }
    state.rate_limits.check_guest(address).await?;
    let issued = state.guests.for_browser(client_name(&headers), state.now()).await;
    let Issued { user, token } = issued.map_err(|error| state.fault("create a guest", &error))?;
    AuditEntry::new(AuditAction::GuestCreated).by(user.id).from(address).record();
    let previous_user = state.previous_user(&headers, user.id).await?;
    Ok((state.cookie(&token), Json(Session { user: user.view(), previous_user })).into_response())
}

/// Switches a browser back to the session that it had before it became another user. Drops the
/// current session.
async fn restore_session(
    State(state): State<AppState>,
    peer: Peer,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    state.check_own_page(&headers)?;
    let address = state.proxies.client_addr(peer.0, &headers)?;
    state.rate_limits.check_guest(address).await?;
    let current_user = state.identify_by_cookie(&headers).await?.user().map(|user| user.id);
    let Some(previous_session) = state.previous_session(&headers, current_user).await? else {
        return Err(Refusal::new(RefusalCode::NotFound, "there is no earlier session to return to"));
    };
    let user = previous_session.user.view();
    AuditEntry::new(AuditAction::SessionRestored).by(user.id).from(address).record();
    let (cookies, replaced_session) = state.cookies_after_return(previous_session).await?;
    let previous_user = replaced_session.map(|session| session.user.view());
    Ok((cookies, Json(Session { user, previous_user })).into_response())
}

/// Returns the user of a handover and the browser's current user, so that the page can ask before
/// the browser switches. The handover can still be redeemed after this.
async fn preview_handover(
    State(state): State<AppState>,
    peer: Peer,
    headers: HeaderMap,
    JsonBody(ShownHandover { secret }): JsonBody<ShownHandover>,
) -> Result<Json<HandoverPreview>, Refusal> {
    state.check_own_page(&headers)?;
    state.rate_limits.check_guest(state.proxies.client_addr(peer.0, &headers)?).await?;
    let handover_user = state.handovers.preview(&secret, state.now()).await;
    let handover_user = handover_user.map_err(|error| state.fault("look up a handover", &error))?;
    let user = match handover_user {
        Some(user) => state.guests.find(user).await.map_err(|error| state.fault("find a user", &error))?,
        None => None,
    };
    let user = user.ok_or_else(invalid_handover)?.view();
    let you = state.identify_by_cookie(&headers).await?.user().map(User::view);
    Ok(Json(HandoverPreview { user, you }))
}

/// Creates a handover: a secret with which the user continues as the same user on another device.
async fn create_handover(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<(StatusCode, Json<LinkCreated>), Refusal> {
    let identity = state.identify(&method, &headers).await?;
    let user = require_all_rights(&identity)?.id;
    let address = state.proxies.client_addr(peer.0, &headers)?;
    state.rate_limits.check_handover(user, address).await?;
    let issued = state.handovers.issue(user, state.now()).await;
    let (secret, handover) = issued.map_err(|error| state.fault("create a handover", &error))?;
    AuditEntry::new(AuditAction::HandoverCreated).by(user).from(address).record();
    Ok((StatusCode::CREATED, Json(state.link_created(&secret, handover.expires_at, &headers))))
}

impl AppState {
    /// Creates a token with which a browser becomes the user of a proof.
    async fn accept(&self, proof: &Proof, address: IpAddr, headers: &HeaderMap) -> Result<Issued, Refusal> {
        match proof {
            Proof::Handover(secret) => {
                self.rate_limits.check_guest(address).await?;
                let user = self.handovers.redeem(secret, self.now()).await;
                let user = user.map_err(|error| self.fault("redeem a handover", &error))?;
                self.new_session(user, headers).await?.ok_or_else(invalid_handover)
            }
            Proof::RecoveryKey(key) => {
                self.rate_limits.check_sign_in(None, address).await?;
                let user = self.recovery_keys.user_of(key).await;
                let user = user.map_err(|error| self.fault("look up a recovery key", &error))?;
                self.new_session(user, headers).await?.ok_or_else(invalid_recovery_key)
            }
            Proof::Password { name, password } => {
                let issued = self.accept_password(name, password, address, headers).await?;
                issued.ok_or_else(Refusal::wrong_credentials)
            }
        }
    }

    /// Creates a token for a browser of a user, if there is a user.
    async fn new_session(
        &self,
        user: Option<UserId>,
        headers: &HeaderMap,
    ) -> Result<Option<Issued>, Refusal> {
        let Some(user) = user else { return Ok(None) };
        let issued = self.guests.new_token_for_browser(user, client_name(headers), self.now()).await;
        issued.map_err(|error| self.fault("store a session", &error))
    }

    /// Creates a token for a browser of the account with this name, if the password is right. Each
    /// attempt counts and takes as long, whether or not there is such an account.
    async fn accept_password(
        &self,
        name: &str,
        password: &str,
        address: IpAddr,
        headers: &HeaderMap,
    ) -> Result<Option<Issued>, Refusal> {
        // A text that is no name has no account, and its attempts count together.
        let key = name.parse::<UserName>().ok().and_then(|name| name.key());
        let counted = key.as_ref().map_or("", NameKey::as_str);
        self.rate_limits.check_sign_in(Some(counted), address).await?;
        let account = match &key {
            Some(key) => self.accounts.by_name(key).await,
            None => Ok(None),
        };
        let account = account.map_err(|error| self.fault("look up an account", &error))?;
        let verified = self.verify_password(&Password::entered(password), account).await?;
        let Some(account) = verified else { return Ok(None) };
        let issued = self.guests.new_token_for_account(&account, client_name(headers), self.now()).await;
        issued.map_err(|error| self.fault("store a session", &error))
    }

    /// Refuses a request about a browser's session if it comes from a page of another site.
    pub(super) fn check_own_page(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        if has_cookie(headers) { self.origins.check(headers) } else { self.origins.check_if_named(headers) }
    }

    /// Returns the user that a browser can switch back to, if any.
    async fn previous_user(
        &self,
        headers: &HeaderMap,
        current_user: UserId,
    ) -> Result<Option<UserView>, Refusal> {
        Ok(self.previous_session(headers, Some(current_user)).await?.map(|session| session.user.view()))
    }
}

/// Returns the refusal for a handover that is unknown, used or expired. The refusal is the same in
/// all three cases.
fn invalid_handover() -> Refusal {
    let message = "this link is invalid, expired or already used";
    Refusal::new(RefusalCode::BadHandover, message)
}

/// Returns the refusal for a recovery key that is unknown, for example because it was replaced.
fn invalid_recovery_key() -> Refusal {
    Refusal::new(RefusalCode::WrongCredentials, "this recovery key is wrong, or it was replaced or removed")
}
