//! The routes of mail addresses: adding, confirming and removing the address of an account, and ending
//! its notifications.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::routing::{post, put};
use quadrex_protocol::http::{ChooseMail, ConfirmMail, MailSettings, MessageLanguage};
use quadrex_protocol::{RefusalCode, hex};
use sha2::{Digest, Sha256};

use crate::auth::User;
use crate::http::body::JsonBody;
use crate::http::refusal::Refusal;
use crate::http::state::{AppState, Peer, require_all_rights};
use crate::mail::{MailAddresses, is_address};
use crate::telemetry::audit::{AuditAction, AuditEntry};

/// Returns the routes.
pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/api/me/mail", put(choose_address).delete(remove_address))
        .route("/api/mail/confirm", post(confirm_address))
        .route("/api/mail/unsubscribe/{secret}", post(unsubscribe))
}

/// Chooses the mail address of the account. A new address receives a link that confirms it.
async fn choose_address(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
    JsonBody(ChooseMail { address, language, notifications }): JsonBody<ChooseMail>,
) -> Result<StatusCode, Refusal> {
    let identity = state.identify(&method, &headers).await?;
    let user = require_all_rights(&identity)?;
    if !user.account {
        return Err(Refusal::new(RefusalCode::AccountNeeded, "a mail address needs an account"));
    }
    if !state.mail.is_on() {
        return Err(no_mail());
    }
    if !is_address(&address) {
        return Err(Refusal::new(RefusalCode::BadSetting, "this is no mail address"));
    }
    let language = language.as_str();
    let fault = |error| state.fault("choose a mail address", &error);
    if state.mail.change_settings(user.id, &address, language, notifications).await.map_err(fault)? {
        return Ok(StatusCode::NO_CONTENT);
    }
    let client = state.proxies.client_addr(peer.0, &headers)?;
    // Other nodes of a cluster count by this text, so it does not contain the address.
    let recipient = format!("to {}", hex::encode(&Sha256::digest(address.to_ascii_lowercase())));
    state.rate_limits.check_mail(Some(user.id), Some(recipient), client).await?;
    state.mail.request_confirmation(user.id, &address, language, notifications).await.map_err(fault)?;
    Ok(StatusCode::NO_CONTENT)
}

/// Removes the mail address of the account.
async fn remove_address(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<StatusCode, Refusal> {
    let identity = state.identify_even_suspended(&method, &headers).await?;
    let user = require_all_rights(&identity)?.id;
    let removed = state.mail.remove(user).await;
    removed.map_err(|error| state.fault("remove a mail address", &error))?;
    let client = state.proxies.client_addr(peer.0, &headers)?;
    AuditEntry::new(AuditAction::MailRemoved).by(user).from(client).record();
    Ok(StatusCode::NO_CONTENT)
}

/// Confirms the address to which a link was sent.
async fn confirm_address(
    State(state): State<AppState>,
    peer: Peer,
    headers: HeaderMap,
    JsonBody(ConfirmMail { secret }): JsonBody<ConfirmMail>,
) -> Result<StatusCode, Refusal> {
    let client = state.proxies.client_addr(peer.0, &headers)?;
    state.rate_limits.check_lookup(client)?;
    let confirmed = state.mail.confirm(&secret).await;
    let confirmed = confirmed.map_err(|error| state.fault("confirm a mail address", &error))?;
    let user = confirmed.ok_or_else(bad_link)?;
    AuditEntry::new(AuditAction::MailConfirmed).by(user).from(client).record();
    Ok(StatusCode::NO_CONTENT)
}

/// Ends the notifications to an address. Mail programs send this request too (RFC 8058), with a form as
/// its body, which is ignored.
async fn unsubscribe(
    State(state): State<AppState>,
    Path(secret): Path<String>,
    peer: Peer,
    headers: HeaderMap,
) -> Result<StatusCode, Refusal> {
    state.rate_limits.check_lookup(state.proxies.client_addr(peer.0, &headers)?)?;
    let ended = state.mail.unsubscribe(&secret).await;
    let ended = ended.map_err(|error| state.fault("end the notifications of a mail address", &error))?;
    if ended { Ok(StatusCode::NO_CONTENT) } else { Err(bad_link()) }
}

impl AppState {
    /// Returns the mail settings of a user. Returns `None` for a guest, and if the server sends no mails
    /// and stores no address of the user.
    pub(super) async fn mail_settings(&self, user: &User) -> Result<Option<MailSettings>, Refusal> {
        let addresses = self.mail.addresses_of(user.id).await;
        let addresses = addresses.map_err(|error| self.fault("look up a mail address", &error))?;
        let is_shown = self.mail.is_on() && user.account;
        Ok(match addresses {
            MailAddresses { confirmed: Some(confirmed), pending } => Some(MailSettings {
                address: Some(confirmed.address),
                confirmed: true,
                language: read_language(&confirmed.language),
                notifications: confirmed.notifies,
                pending: pending.map(|pending| pending.address),
            }),
            MailAddresses { confirmed: None, pending: Some(pending) } => Some(MailSettings {
                address: Some(pending.address),
                confirmed: false,
                language: read_language(&pending.language),
                notifications: pending.notifies,
                pending: None,
            }),
            MailAddresses { confirmed: None, pending: None } => is_shown.then_some(MailSettings {
                address: None,
                confirmed: false,
                language: None,
                notifications: true,
                pending: None,
            }),
        })
    }
}

fn read_language(text: &str) -> Option<MessageLanguage> {
    MessageLanguage::ALL.into_iter().find(|language| language.as_str() == text)
}

/// Returns the refusal of a server that sends no mails.
pub(super) fn no_mail() -> Refusal {
    Refusal::new(RefusalCode::Forbidden, "this server sends no mails")
}

/// Returns the refusal for a link that is unknown, used or expired. The refusal is the same in all three
/// cases.
pub(super) fn bad_link() -> Refusal {
    Refusal::new(RefusalCode::BadMailLink, "this link is invalid, expired or already used")
}
