//! Mail: the client of the operator's SMTP server, the mail addresses of accounts, and the links that
//! users request by mail.
//!
//! Links are queued in the store, like notifications. The server that sends a link makes its secret.
//! The log contains neither addresses nor secrets.

mod links;
mod mailer;
mod texts;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use quadrex_clock::{Clock, Entropy};
use quadrex_protocol::UserId;
use quadrex_store::error_chain::chain;
use quadrex_store::{ConfirmedAddress, NewConfirmation, Store, StoreError};
use tokio::sync::Semaphore;

use crate::auth::{NameKey, Token};
use crate::lease::Lease;
use links::LinkSender;
pub(crate) use mailer::{MailConfigError, MailError, Mailer, OutgoingMail, UnsubscribeLinks, is_address};
pub(crate) use texts::MailText;

/// The time for which a link that confirms an address works.
const CONFIRM_LIFETIME: Duration = Duration::from_hours(24);

/// The time for which a link that sets a new password works.
const RESET_LIFETIME: Duration = Duration::from_hours(1);

/// The largest number of requests for a new password that are queued at the same time.
const RESETS_AT_ONCE: usize = 16;

/// The parts of the server that mail depends on.
#[derive(Debug)]
pub(crate) struct MailDeps {
    /// The client of the SMTP server, if the settings name one.
    pub(crate) mailer: Option<Mailer>,
    pub(crate) store: Store,
    pub(crate) clock: Clock,
    pub(crate) entropy: Entropy,
    pub(crate) lease: Lease,
}

/// The service that sends links by mail and manages mail addresses. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Mail(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    deps: MailDeps,
    resets: Arc<Semaphore>,
}

/// The mail addresses of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MailAddresses {
    /// The confirmed address.
    pub(crate) confirmed: Option<quadrex_store::MailAddress>,
    /// The address that waits until the user confirms it.
    pub(crate) pending: Option<quadrex_store::PendingAddress>,
}

/// Too many requests for a new password wait to be queued.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TooManyResets;

impl Mail {
    /// Returns the service. It sends nothing before [`run`](Self::run) is called.
    pub(crate) fn new(deps: MailDeps) -> Self {
        Self(Arc::new(Shared { deps, resets: Arc::new(Semaphore::new(RESETS_AT_ONCE)) }))
    }

    /// Returns the client of the SMTP server. Returns `None` if the server sends no mails.
    pub(crate) fn mailer(&self) -> Option<&Mailer> {
        self.0.deps.mailer.as_ref()
    }

    /// Returns whether the server sends mails.
    pub(crate) fn is_on(&self) -> bool {
        self.mailer().is_some()
    }

    /// Sends the links that are due. Never returns.
    pub(crate) async fn run(&self) -> Infallible {
        match self.mailer() {
            Some(mailer) => LinkSender { deps: &self.0.deps, mailer }.run().await,
            None => std::future::pending().await,
        }
    }

    /// Returns the mail addresses of a user.
    pub(crate) async fn addresses_of(&self, user: UserId) -> Result<MailAddresses, StoreError> {
        let MailDeps { store, clock, .. } = &self.0.deps;
        let confirmed = store.mail_address_of(user).await?;
        let pending = store.pending_mail_address(user, clock.now()).await?;
        Ok(MailAddresses { confirmed, pending })
    }

    /// Changes the language and the notifications of a user's confirmed address. Returns false if
    /// `address` is another one.
    pub(crate) async fn change_settings(
        &self,
        user: UserId,
        address: &str,
        language: &str,
        notifies: bool,
    ) -> Result<bool, StoreError> {
        self.0.deps.store.change_mail_settings(user, address, language, notifies).await
    }

    /// Queues a link that confirms an address of a user.
    pub(crate) async fn request_confirmation(
        &self,
        user: UserId,
        address: &str,
        language: &str,
        notifies: bool,
    ) -> Result<(), StoreError> {
        let at = self.0.deps.clock.now();
        let new = NewConfirmation { user, address, language, notifies, at, expires: at + CONFIRM_LIFETIME };
        self.0.deps.store.request_confirmation(new).await
    }

    /// Removes the mail address of a user.
    pub(crate) async fn remove(&self, user: UserId) -> Result<(), StoreError> {
        self.0.deps.store.remove_mail_address(user).await
    }

    /// Confirms the address to which a secret was sent. Returns the user, or `None` if the secret is
    /// unknown, used or expired.
    pub(crate) async fn confirm(&self, secret: &str) -> Result<Option<UserId>, StoreError> {
        let MailDeps { store, clock, entropy, .. } = &self.0.deps;
        let now = clock.now();
        let unsubscribe_key = Token::draw(entropy).as_str().to_owned();
        let confirmed = ConfirmedAddress { id: entropy.uuid(now), unsubscribe_key };
        store.confirm_mail_address(Token::hash_of(secret), &confirmed, now).await
    }

    /// Ends the notifications to the address with this key. Returns false if there is none.
    pub(crate) async fn unsubscribe(&self, key: &str) -> Result<bool, StoreError> {
        self.0.deps.store.unsubscribe_mail_address(key).await
    }

    /// Queues a link that sets a new password for the account with this name, if it has a mail
    /// address. The caller does not wait for it, so that the time of the answer does not reveal
    /// whether there is such an account.
    ///
    /// # Errors
    /// Returns [`TooManyResets`] if many requests are being queued already.
    pub(crate) fn request_reset(&self, name: NameKey, language: &'static str) -> Result<(), TooManyResets> {
        let permit = Arc::clone(&self.0.resets).try_acquire_owned().map_err(|_| TooManyResets)?;
        let this = self.clone();
        quadrex_runtime::spawn(async move {
            let MailDeps { store, clock, .. } = &this.0.deps;
            let at = clock.now();
            let queued = store.request_reset(name.as_str(), language, at, at + RESET_LIFETIME).await;
            if let Err(error) = queued {
                tracing::error!("a link that sets a new password is not sent: {}", chain(&error));
            }
            drop(permit);
        });
        Ok(())
    }
}
