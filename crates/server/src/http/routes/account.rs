//! The routes of the current user: name, unfinished tables, account, and recovery key.

use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::routing::{get, post, put};
use axum::{Json, Router};
use quadrex_protocol::http::{ChangePassword, Me, NewAccount, RecoveryKeyCreated, RenameUser, SessionsEnded};
use quadrex_protocol::user::UserView;
use quadrex_protocol::{RefusalCode, UserId};

use super::PageQuery;
use super::operators::suspension_view;
use crate::auth::{AccountCreation, Denial, NameChange, NameKey, Password, User, UserName};
use crate::http::body::JsonBody;
use crate::http::refusal::Refusal;
use crate::http::state::{AppState, Peer, require_all_rights, require_user};
use crate::telemetry::audit::{AuditAction, AuditEntry};

/// Returns the routes.
pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/api/me", get(me).patch(rename_user))
        .route("/api/account", post(create_account))
        .route("/api/account/password", put(change_password))
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
    let suspension = identity.suspension().map(suspension_view);
    let rated_wait = state.fair_play.rated_wait(user.id, state.now()).await;
    let rated_wait = rated_wait.map_err(|error| state.fault("look up left matches", &error))?;
    let rated_wait = rated_wait.map(|wait| wait.view());
    let operator = state.operators.admit(&identity);
    let warnings = state.warnings_of(user.id).await?.into_iter();
    let warnings = warnings.filter(|warning| warning.acknowledged_at_ms.is_none()).collect();
    let user = user.view();
    Ok(Json(Me { user, tables, next, recovery_key, suspension, warnings, rated_wait, operator }))
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
    let user = require_all_rights(&identity)?;
    let name = choose_name(&name, user)?;
    if user.account && name.key().is_none() {
        return Err(no_name_of_account());
    }
    state.rate_limits.check_rename(user.id, state.proxies.client_addr(peer.0, &headers)?).await?;
    if let Some(key) = name.key()
        && state.is_taken(&key, Some(user.id)).await?
    {
        return Err(Refusal::name_taken());
    }
    let renamed = state.accounts.rename(user.id, &name, state.now()).await;
    match renamed.map_err(|error| state.fault("rename a user", &error))? {
        NameChange::Changed(user) => Ok(Json(user.view())),
        NameChange::NameTaken => Err(Refusal::name_taken()),
        NameChange::TooSoon { until } => Err(rename_too_soon(until.since(state.now()))),
        NameChange::NoUser => Err(Denial::SignIn.into()),
    }
}

/// Makes the current user, a guest, an account. The user keeps id, matches, tables and sessions.
async fn create_account(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
    JsonBody(NewAccount { name, password }): JsonBody<NewAccount>,
) -> Result<(StatusCode, Json<UserView>), Refusal> {
    let identity = state.identify(&method, &headers).await?;
    let user = require_all_rights(&identity)?;
    let name = choose_name(&name, user)?;
    let key = name.key().ok_or_else(no_name_of_account)?;
    let password = choose_password(&password, &key)?;
    if user.account {
        return Err(already_account());
    }
    let address = state.proxies.client_addr(peer.0, &headers)?;
    state.rate_limits.check_sign_in(None, address).await?;
    if state.is_taken(&key, Some(user.id)).await? {
        return Err(Refusal::name_taken());
    }
    let password_hash = state.hash_password(password).await?;
    let created = state.accounts.create(user.id, &name, &key, &password_hash, state.now()).await;
    match created.map_err(|error| state.fault("create an account", &error))? {
        AccountCreation::Created(user) => {
            AuditEntry::new(AuditAction::AccountCreated).by(user.id).from(address).record();
            Ok((StatusCode::CREATED, Json(user.view())))
        }
        AccountCreation::NameTaken => Err(Refusal::name_taken()),
        AccountCreation::HasAccount => Err(already_account()),
    }
}

/// Changes the password of the user's account, or sets it if the account has none, and ends all other sessions and the tokens of the user.
async fn change_password(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
    JsonBody(ChangePassword { current, new }): JsonBody<ChangePassword>,
) -> Result<Json<SessionsEnded>, Refusal> {
    let identity = state.identify_even_suspended(&method, &headers).await?;
    let user = require_all_rights(&identity)?;
    let account = state.accounts.of(user.id).await;
    let account = account.map_err(|error| state.fault("look up an account", &error))?;
    let (Some(account), Some(key)) = (account, NameKey::of(&user.name)) else {
        return Err(Refusal::new(RefusalCode::Forbidden, "only an account has a password"));
    };
    let new = choose_password(&new, &key)?;
    let address = state.proxies.client_addr(peer.0, &headers)?;
    state.rate_limits.check_sign_in(Some(key.as_str()), address).await?;
    // Who has no password was identified by a provider.
    let account = match (current, &account.password_hash) {
        (None, None) => account,
        (current, _) => {
            let current = Password::entered(&current.unwrap_or_default());
            let verified = state.verify_password(&current, Some(account)).await?;
            verified.ok_or_else(Refusal::wrong_credentials)?
        }
    };
    let password_hash = state.hash_password(new).await?;
    let is_changed = state.accounts.set_password(&account, &password_hash).await;
    if !is_changed.map_err(|error| state.fault("change a password", &error))? {
        return Err(Refusal::wrong_credentials());
    }
    AuditEntry::new(AuditAction::PasswordChanged).by(user.id).from(address).record();
    let tokens = state.end_tokens(user, address).await?;
    let SessionsEnded { ended } = state.end_other_sessions(user, peer, &headers).await?;
    Ok(Json(SessionsEnded { ended: ended.saturating_add(tokens) }))
}

/// Creates a recovery key, which replaces an earlier one.
async fn create_recovery_key(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<(StatusCode, Json<RecoveryKeyCreated>), Refusal> {
    let identity = state.identify(&method, &headers).await?;
    let user = require_all_rights(&identity)?.id;
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
    let identity = state.identify_even_suspended(&method, &headers).await?;
    let user = require_all_rights(&identity)?.id;
    let removed = state.recovery_keys.remove(user).await;
    removed.map_err(|error| state.fault("remove a recovery key", &error))?;
    let address = state.proxies.client_addr(peer.0, &headers)?;
    AuditEntry::new(AuditAction::RecoveryKeyRemoved).by(user).from(address).record();
    Ok(StatusCode::NO_CONTENT)
}

impl AppState {
    /// Returns whether a name belongs to the account of another user than `user`.
    pub(super) async fn is_taken(&self, name: &NameKey, user: Option<UserId>) -> Result<bool, Refusal> {
        let is_taken = self.accounts.is_taken(name, user).await;
        is_taken.map_err(|error| self.fault("look up a name", &error))
    }
}

pub(super) fn choose_name(name: &str, user: &User) -> Result<UserName, Refusal> {
    let chosen = UserName::choose(name, user.bot.is_some());
    chosen.map_err(|error| Refusal::new(RefusalCode::BadSetting, error))
}

pub(super) fn choose_password(password: &str, name: &NameKey) -> Result<Password, Refusal> {
    let chosen = Password::choose(password, name);
    chosen.map_err(|error| Refusal::new(RefusalCode::InvalidPassword, error))
}

pub(super) fn no_name_of_account() -> Refusal {
    Refusal::new(RefusalCode::BadSetting, "the name of an account has a letter or a digit")
}

pub(super) fn already_account() -> Refusal {
    Refusal::new(RefusalCode::AlreadyAccount, "you have an account already")
}

fn rename_too_soon(wait: Duration) -> Refusal {
    let days = wait.as_secs().div_ceil(86_400);
    let message = format_args!("the name of your account can be changed again in {days} days");
    Refusal::new(RefusalCode::RenameTooSoon, message).after(wait)
}
