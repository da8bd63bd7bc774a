//! The client of the operator's SMTP server.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fmt, io};

use lettre::message::Mailbox;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::extension::ClientId;
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use tokio::sync::Semaphore;
use url::Url;

use super::texts::MailText;
use crate::config::{MailConfig, PublicUrl};

/// The time within which the SMTP server must accept a mail.
const DEADLINE: Duration = Duration::from_secs(12);

/// The largest number of connections to the SMTP server.
const CONNECTIONS: usize = 4;

/// The longest address (RFC 5321, section 4.5.3.1.3).
const MAX_ADDRESS: usize = 254;

/// The replies about authentication (RFC 4954). They concern the settings, and not the recipient.
const AUTHENTICATION: std::ops::RangeInclusive<u16> = 530..=539;

/// A mail to one recipient.
#[derive(Clone)]
pub(crate) struct OutgoingMail<'a> {
    /// The text that distinguishes the mail from all others.
    pub(crate) id: String,
    /// The address of the recipient.
    pub(crate) to: &'a str,
    /// The subject and the body.
    pub(crate) text: MailText,
    /// The links by which the recipient ends such mails.
    pub(crate) unsubscribe: Option<UnsubscribeLinks>,
}

/// The links by which the recipient of a mail ends the notifications.
#[derive(Clone)]
pub(crate) struct UnsubscribeLinks {
    /// The URL of a page for people.
    pub(crate) page: String,
    /// The URL for mail programs (RFC 8058).
    pub(crate) one_click: String,
}

/// The client of the SMTP server. `Debug` does not show its password.
pub(crate) struct Mailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
    connections: Semaphore,
    public_url: PublicUrl,
}

impl fmt::Debug for Mailer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mailer").field("from", &self.from).finish_non_exhaustive()
    }
}

/// The reason for which the settings of mail cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum MailConfigError {
    /// The URL of the SMTP server is invalid.
    #[error("mail.url: {0}")]
    Url(String),
    /// The sender is no mail address.
    #[error("mail.from: {0:?} is no mail address")]
    From(String),
    /// The password of the SMTP server cannot be read.
    #[error("mail.password_file: {}: {source}", file.display())]
    PasswordFile {
        /// The path of the file.
        file: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
}

/// The reason for which a mail was not sent. It contains no addresses.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MailError {
    /// The SMTP server has refused the mail, and would refuse it again.
    #[error("the mail server refuses the mail: {0}")]
    Refused(String),
    /// The SMTP server did not accept the mail now.
    #[error("the mail server does not accept the mail now: {0}")]
    Later(String),
}

impl Mailer {
    /// Returns the client. Returns `None` if the settings name no SMTP server.
    ///
    /// # Errors
    /// Returns [`MailConfigError`] if the settings cannot be used.
    pub(crate) fn new(
        config: &MailConfig,
        public_url: Option<&PublicUrl>,
    ) -> Result<Option<Self>, MailConfigError> {
        let Some(public_url) = public_url.filter(|_| config.is_enabled()) else { return Ok(None) };
        let from: Mailbox = config.from.parse().map_err(|_| MailConfigError::From(config.from.clone()))?;
        let mut url = Url::parse(&config.url).map_err(|error| MailConfigError::Url(error.to_string()))?;
        if let Some(password) = read_password(&config.password_file)? {
            url.set_password(Some(&password))
                .map_err(|()| MailConfigError::Url("it has no host".to_owned()))?;
        }
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(url.as_str())
            .map_err(|error| MailConfigError::Url(error.to_string()))?;
        let own_name = public_url.domain().map(|domain| ClientId::Domain(domain.to_owned()));
        let transport = transport.hello_name(own_name.unwrap_or_default()).timeout(Some(DEADLINE)).build();
        let connections = Semaphore::new(CONNECTIONS);
        Ok(Some(Self { transport, from, connections, public_url: public_url.clone() }))
    }

    /// Returns the URL of a page of this server. `path` begins with a slash.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.public_url)
    }

    /// Sends a mail.
    ///
    /// # Errors
    /// Returns [`MailError`] if the SMTP server does not accept it.
    pub(crate) async fn send(&self, mail: OutgoingMail<'_>) -> Result<(), MailError> {
        let message = self.message(mail)?;
        let sending = async {
            let _permit = self.connections.acquire().await.expect("the semaphore is never closed");
            self.transport.send(message).await
        };
        match tokio::time::timeout(DEADLINE, sending).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(error_without_addresses(&error)),
            Err(_) => Err(MailError::Later("it does not answer in time".to_owned())),
        }
    }

    fn message(&self, mail: OutgoingMail<'_>) -> Result<Message, MailError> {
        let OutgoingMail { id, to, text, unsubscribe } = mail;
        let to: Address = to.parse().map_err(|_| MailError::Refused("an invalid address".to_owned()))?;
        let id = format!("<{id}@{}>", self.from.email.domain());
        let mut message = Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .subject(text.subject)
            .message_id(Some(id))
            .header(ContentType::TEXT_PLAIN)
            .raw_header(raw_header("Auto-Submitted", "auto-generated".to_owned()));
        if let Some(UnsubscribeLinks { one_click, .. }) = unsubscribe {
            message = message
                .raw_header(raw_header("List-Unsubscribe", format!("<{one_click}>")))
                .raw_header(raw_header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click".to_owned()));
        }
        message.body(text.body).map_err(|_| MailError::Refused("an invalid mail".to_owned()))
    }
}

/// Returns the password in a file. Returns `None` if the path is empty.
fn read_password(file: &Path) -> Result<Option<String>, MailConfigError> {
    if file.as_os_str().is_empty() {
        return Ok(None);
    }
    let text = std::fs::read_to_string(file)
        .map_err(|source| MailConfigError::PasswordFile { file: file.to_owned(), source })?;
    Ok(Some(text.trim_end_matches(['\r', '\n']).to_owned()))
}

/// Returns a header whose text is ASCII. Mail programs read some headers only if they are not encoded.
fn raw_header(name: &'static str, text: String) -> HeaderValue {
    let name = HeaderName::new_from_ascii_str(name);
    HeaderValue::dangerous_new_pre_encoded(name, text.clone(), text)
}

/// Returns the error for the log. The texts of SMTP servers often contain the address, so only their
/// codes are kept.
fn error_without_addresses(error: &SmtpError) -> MailError {
    match error.status().map(u16::from) {
        Some(code) if error.is_permanent() && !AUTHENTICATION.contains(&code) => {
            MailError::Refused(code.to_string())
        }
        Some(code) => MailError::Later(code.to_string()),
        None => MailError::Later(error.to_string()),
    }
}

/// Returns whether a text is a mail address that the server sends mails to: an ASCII address at the
/// name of a domain with a dot.
pub(crate) fn is_address(text: &str) -> bool {
    let is_domain = |domain: &str| {
        domain.contains('.')
            && domain.chars().all(|letter| letter.is_ascii_alphanumeric() || "-.".contains(letter))
    };
    text.len() <= MAX_ADDRESS
        && text.chars().all(|letter| letter.is_ascii_graphic())
        && text.parse::<Address>().is_ok_and(|address| is_domain(address.domain()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ascii_addresses_at_a_domain_are_accepted() {
        for good in ["ada@chess.example", "ada+quadrex@mail.chess.example", "a.b@x-y.example"] {
            assert!(is_address(good), "{good}");
        }
        let long = format!("{}@chess.example", "a".repeat(250));
        for bad in [
            "",
            "ada",
            "ada@",
            "@chess.example",
            "ada@localhost",
            "ada@[127.0.0.1]",
            "ada lovelace@chess.example",
            "Ada <ada@chess.example>",
            "ada@chess.example\r\nBcc: ben@chess.example",
            "ada@chess.example, ben@chess.example",
            "ad\u{e4}@chess.example",
            &long,
        ] {
            assert!(!is_address(bad), "{bad}");
        }
    }
}
