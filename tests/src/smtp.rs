//! A local SMTP server that keeps the mails it receives.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, ensure};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use crate::PATIENCE;

/// The URL of the server under test, which is in the links of its mails.
pub const PUBLIC_URL: &str = "https://chess.example";

/// A received mail.
#[derive(Clone, Debug)]
pub struct Mail {
    /// The address of the sender in the envelope.
    pub from: String,
    /// The address of the recipient in the envelope.
    pub to: String,
    /// The headers by name, in their order.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
}

impl Mail {
    fn read(from: &str, to: &str, lines: &[String]) -> Result<Self> {
        let end = lines.iter().position(String::is_empty).context("the mail has no body")?;
        let mut headers: Vec<(String, String)> = Vec::new();
        for line in &lines[..end] {
            match (line.strip_prefix([' ', '\t']), headers.last_mut()) {
                (Some(rest), Some((_, value))) => value.push_str(&format!(" {rest}")),
                _ => {
                    let (name, value) = line.split_once(':').with_context(|| format!("no header: {line}"))?;
                    headers.push((name.to_owned(), value.trim().to_owned()));
                }
            }
        }
        let encoded = lines[end + 1..].join("\n");
        let mail = Self { from: from.to_owned(), to: to.to_owned(), headers, body: String::new() };
        let body = match mail.header("Content-Transfer-Encoding") {
            Ok("quoted-printable") => quoted_printable(&encoded)?,
            Ok("7bit") | Err(_) => encoded,
            Ok(other) => anyhow::bail!("the body is encoded as {other}"),
        };
        Ok(Self { body, ..mail })
    }

    /// Returns a header.
    ///
    /// # Errors
    /// If there is no such header.
    pub fn header(&self, name: &str) -> Result<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str()).with_context(|| format!("no header {name} in {self:?}"))
    }

    /// Returns the secret in the link to a page, such as `/mail/confirm`.
    ///
    /// # Errors
    /// If there is no such link.
    pub fn secret(&self, page: &str) -> Result<String> {
        let start = format!("{PUBLIC_URL}{page}#");
        let (_, rest) = self.body.split_once(&start).with_context(|| format!("no {start} in {self:?}"))?;
        Ok(rest.split_whitespace().next().unwrap_or_default().to_owned())
    }
}

/// Decodes a body (RFC 2045, section 6.7).
fn quoted_printable(text: &str) -> Result<String> {
    let joined = text.replace("=\n", "");
    let mut bytes = Vec::new();
    let mut parts = joined.split('=');
    bytes.extend(parts.next().unwrap_or_default().bytes());
    for part in parts {
        let (code, rest) = part.split_at_checked(2).context("an incomplete byte")?;
        bytes.push(u8::from_str_radix(code, 16)?);
        bytes.extend(rest.bytes());
    }
    Ok(String::from_utf8(bytes)?)
}

/// The server. It stops when it is dropped.
#[derive(Debug)]
pub struct SmtpServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    task: AbortHandle,
}

#[derive(Debug, Default)]
struct Shared {
    mails: Mutex<Vec<Mail>>,
    /// The answers to the next mails, instead of accepting them.
    refusals: Mutex<VecDeque<&'static str>>,
    refused: Mutex<usize>,
    arrived: Notify,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SmtpServer {
    /// Starts the server.
    ///
    /// # Errors
    /// If it cannot listen.
    pub async fn start() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let (address, shared) = (listener.local_addr()?, Arc::<Shared>::default());
        let kept = Arc::clone(&shared);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let kept = Arc::clone(&kept);
                tokio::spawn(async move { serve(stream, &kept).await });
            }
        });
        Ok(Self { address, shared, task: task.abort_handle() })
    }

    /// Returns the settings with which a server sends its mails here.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        vec![
            ("QUADREX_MAIL__URL", format!("smtp://{}", self.address)),
            ("QUADREX_MAIL__FROM", "Quadrex <post@chess.example>".to_owned()),
            ("QUADREX_SERVER__PUBLIC_URL", PUBLIC_URL.to_owned()),
        ]
    }

    /// Answers the next mails with these replies, and does not accept them.
    pub fn refuse(&self, replies: &[&'static str]) {
        lock(&self.shared.refusals).extend(replies);
    }

    /// Returns the number of mails that were refused.
    pub fn refused(&self) -> usize {
        *lock(&self.shared.refused)
    }

    /// Returns the mails that were received so far.
    pub fn mails(&self) -> Vec<Mail> {
        lock(&self.shared.mails).clone()
    }

    /// Waits until this number of mails was received, and returns the last one.
    ///
    /// # Errors
    /// If they are not received in time, or there are more.
    pub async fn until_received(&self, count: usize) -> Result<Mail> {
        self.until(|| lock(&self.shared.mails).len() >= count)
            .await
            .with_context(|| format!("{count} mails"))?;
        let mails = self.mails();
        ensure!(mails.len() == count, "more mails than {count} were received: {mails:?}");
        mails.last().cloned().context("no mail")
    }

    /// Waits until this number of mails was refused.
    ///
    /// # Errors
    /// If they are not sent in time.
    pub async fn until_refused(&self, count: usize) -> Result<()> {
        self.until(|| self.refused() >= count).await
    }

    async fn until(&self, is_so: impl Fn() -> bool) -> Result<()> {
        let waiting = async {
            loop {
                let arrived = self.shared.arrived.notified();
                if is_so() {
                    return;
                }
                arrived.await;
            }
        };
        let waited = timeout(2 * PATIENCE, waiting).await;
        waited.with_context(|| format!("waiting for mails; {} were received", self.mails().len()))
    }
}

impl Drop for SmtpServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Serves a connection (RFC 5321).
async fn serve(stream: TcpStream, shared: &Shared) -> Result<()> {
    let (read, mut write) = stream.into_split();
    let mut lines = BufReader::new(read).lines();
    write.write_all(b"220 local\r\n").await?;
    let (mut from, mut to) = (String::new(), String::new());
    while let Some(line) = lines.next_line().await? {
        let command = line.to_ascii_uppercase();
        let address = || {
            let (_, rest) = line.split_once('<').unwrap_or_default();
            rest.split('>').next().unwrap_or_default().to_owned()
        };
        let reply = if command.starts_with("EHLO") {
            "250-local\r\n250 8BITMIME"
        } else if command.starts_with("MAIL FROM:") {
            from = address();
            "250 fine"
        } else if command.starts_with("RCPT TO:") {
            to = address();
            "250 fine"
        } else if command == "DATA" {
            write.write_all(b"354 go on\r\n").await?;
            let mut text = Vec::new();
            while let Some(line) = lines.next_line().await?.filter(|line| line != ".") {
                text.push(line.strip_prefix('.').map_or(line.clone(), str::to_owned));
            }
            let refusal = lock(&shared.refusals).pop_front();
            match refusal {
                Some(_) => *lock(&shared.refused) += 1,
                None => {
                    let mail = Mail::read(&from, &to, &text)?;
                    lock(&shared.mails).push(mail);
                }
            }
            shared.arrived.notify_waiters();
            refusal.unwrap_or("250 kept")
        } else if command == "QUIT" {
            write.write_all(b"221 bye\r\n").await?;
            return Ok(());
        } else {
            "250 fine"
        };
        write.write_all(format!("{reply}\r\n").as_bytes()).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_is_read_with_folded_headers_and_an_encoded_body() {
        let text =
            "Subject: one\n two\nContent-Transfer-Encoding: quoted-printable\n\nItal=E2=80=99s =\nway =3D";
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mail = Mail::read("a@b", "c@d", &lines).unwrap();
        assert_eq!(mail.header("Subject").unwrap(), "one two");
        assert_eq!(mail.body, "Ital\u{2019}s way =");
        assert!(mail.header("Bcc").is_err());
    }
}
