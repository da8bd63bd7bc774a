//! The sending of queued links.

use std::convert::Infallible;
use std::time::Duration;

use quadrex_store::error_chain::chain;
use quadrex_store::{DueMailLink, MailLinkKind, StoreError};

use super::mailer::{MailError, Mailer, OutgoingMail};
use super::{MailDeps, texts};
use crate::auth::Token;
use crate::telemetry::metrics::METRICS;

/// The interval at which a server looks for links that are due.
const INTERVAL: Duration = Duration::from_secs(1);

/// The largest number of links that a server sends at the same time.
const AT_ONCE: u16 = 8;

/// The time after which a claimed link is sent by another server, because the one that claimed it
/// has died. The attempt ends earlier.
const CLAIM: Duration = Duration::from_secs(20);

/// The pause after the database has failed.
const RETRY: Duration = Duration::from_secs(5);

/// The times between the attempts to send a link. After the last one, it is dropped.
const BACKOFF: [Duration; 5] = [
    Duration::from_secs(10),
    Duration::from_secs(30),
    Duration::from_secs(120),
    Duration::from_secs(600),
    Duration::from_secs(1_800),
];

/// The name of mail in metrics.
const CHANNEL: &str = "mail";

/// The sender of links.
pub(super) struct LinkSender<'a> {
    pub(super) deps: &'a MailDeps,
    pub(super) mailer: &'a Mailer,
}

impl LinkSender<'_> {
    /// Sends the links that are due. Never returns.
    pub(super) async fn run(&self) -> Infallible {
        let MailDeps { store, clock, lease, .. } = self.deps;
        loop {
            lease.wait_until_held().await;
            let now = clock.now();
            let sent = async {
                let due = store.claim_mail_links(now, now + CLAIM, AT_ONCE).await?;
                let sending = due.iter().map(|link| self.send(link));
                for result in futures_util::future::join_all(sending).await {
                    result?;
                }
                Ok::<(), StoreError>(())
            };
            match sent.await {
                Ok(()) => tokio::time::sleep(INTERVAL).await,
                Err(error) => {
                    tracing::debug!("links are sent later: {}", chain(&error));
                    tokio::time::sleep(RETRY).await;
                }
            }
        }
    }

    async fn send(&self, link: &DueMailLink) -> Result<(), StoreError> {
        let MailDeps { store, clock, entropy, .. } = self.deps;
        let Some(user) = store.user(link.user).await? else { return store.remove_mail_link(link).await };
        let secret = Token::draw(entropy);
        if !store.set_mail_link_secret(link, secret.hash()).await? {
            return Ok(());
        }
        let page = match link.kind {
            MailLinkKind::Confirm => "/mail/confirm",
            MailLinkKind::Reset => "/password-reset",
        };
        let url = self.mailer.url(&format!("{page}#{}", secret.as_str()));
        let text = texts::of_link(&link.language, link.kind, &user.name, &url);
        let id = entropy.uuid(clock.now()).to_string();
        let mail = OutgoingMail { id, to: &link.address, text, unsubscribe: None };
        match self.mailer.send(mail).await {
            Ok(()) => {
                METRICS.notifications.sent.inc(CHANNEL);
                store.reschedule_mail_link(link, None).await
            }
            Err(error) => {
                METRICS.notifications.failed.inc(CHANNEL);
                self.retry_later(link, &error).await
            }
        }
    }

    async fn retry_later(&self, link: &DueMailLink, error: &MailError) -> Result<(), StoreError> {
        tracing::warn!(user.id = %link.user, "a link is not sent by mail: {error}");
        let now = self.deps.clock.now();
        let pause = usize::try_from(link.attempts).ok().and_then(|count| BACKOFF.get(count.max(1) - 1));
        match pause.map(|pause| now + *pause).filter(|next| *next < link.expires) {
            Some(next) if matches!(error, MailError::Later(_)) => {
                self.deps.store.reschedule_mail_link(link, Some(next)).await
            }
            _ => self.deps.store.remove_mail_link(link).await,
        }
    }
}
