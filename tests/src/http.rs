//! An HTTP client for tests. It opens a connection for each request, and sends and receives JSON.

use std::net::SocketAddr;

use anyhow::{Context, Result, bail, ensure};
use quadrex_protocol::http::{
    CreateTable, ErrorBody, GuestCreated, LinkCreated, LinkList, LinkView, NewAccount, NewGuest, NewInvite,
    QuickJoin, QuickJoined, TableCreated, TableList, TableSummary,
};
use quadrex_protocol::user::UserView;
use quadrex_protocol::{RefusalCode, TableId};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::PATIENCE;

/// The pause before a request is repeated.
const POLL_INTERVAL: std::time::Duration = std::time::Duration::from_millis(25);

/// The password of the accounts in tests.
pub const PASSWORD: &str = "correct horse";

/// A guest account with its token.
#[derive(Clone, Debug)]
pub struct Guest {
    /// The guest's user.
    pub user: UserView,
    /// The bearer token.
    pub token: String,
}

/// An HTTP client with fixed headers, which identify the user.
#[derive(Clone, Debug)]
pub struct Http {
    address: SocketAddr,
    headers: Vec<(String, String)>,
}

/// A complete response.
#[derive(Clone, Debug)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// The headers, with names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body as text. Bytes that are not UTF-8 are replaced.
    pub body: String,
    /// The body as bytes.
    pub bytes: Vec<u8>,
}

impl Response {
    /// Parses an HTTP/1.1 response whose body ends with the connection or after `Content-Length` bytes.
    ///
    /// # Errors
    /// If the response is not complete, or its body is chunked.
    pub fn parse(answer: &[u8]) -> Result<Self> {
        const HEAD_END: &[u8] = b"\r\n\r\n";
        let end = answer.windows(HEAD_END.len()).position(|window| window == HEAD_END);
        let (head, bytes) = answer.split_at(end.context("the head is incomplete")?);
        let bytes = bytes[HEAD_END.len()..].to_vec();
        let mut lines = std::str::from_utf8(head)?.split("\r\n");
        let status =
            lines.next().and_then(|line| line.split(' ').nth(1)).context("no status line")?.parse()?;
        let mut headers = Vec::new();
        for line in lines {
            let Some((name, value)) = line.split_once(':') else { bail!("{line:?} is not a header") };
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let answer = Self { status, headers, body: String::from_utf8_lossy(&bytes).into_owned(), bytes };
        ensure!(answer.header("transfer-encoding").is_none(), "the body is chunked");
        if let Some(length) = answer.header("content-length") {
            let came = answer.bytes.len();
            ensure!(length.parse() == Ok(came), "the body has {came} bytes, not {length}");
        }
        Ok(answer)
    }

    /// Returns the first header with this name, which must be in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Returns the body of a response that must have this status.
    ///
    /// # Errors
    /// If the status or the body is different.
    pub fn json<T: DeserializeOwned>(&self, status: u16) -> Result<T> {
        ensure!(self.status == status, "the status is {}, not {status}: {}", self.status, self.body);
        serde_json::from_str(&self.body).with_context(|| format!("reading {}", self.body))
    }

    /// Returns the code of a refusal that must have this status and a message.
    ///
    /// # Errors
    /// If the response is not such a refusal.
    pub fn refusal(&self, status: u16) -> Result<RefusalCode> {
        let body: ErrorBody = self.json(status)?;
        ensure!(!body.message.is_empty(), "the refusal has no message: {}", self.body);
        Ok(body.code)
    }

    /// Returns true if the responses differ at most in the `Date` header.
    pub fn is_like(&self, other: &Self) -> bool {
        self.status == other.status
            && self.bytes == other.bytes
            && self.headers_without_date().eq(other.headers_without_date())
    }

    fn headers_without_date(&self) -> impl Iterator<Item = &(String, String)> {
        self.headers.iter().filter(|(name, _)| name != "date")
    }
}

impl Http {
    /// Returns a client without a user.
    pub fn new(address: SocketAddr) -> Self {
        Self { address, headers: Vec::new() }
    }

    /// Returns a copy of the client that sends the token of a guest.
    #[must_use]
    pub fn as_guest(&self, guest: &Guest) -> Self {
        self.with_header("Authorization", &format!("Bearer {}", guest.token))
    }

    /// Returns a copy of the client that sends an additional header.
    #[must_use]
    pub fn with_header(&self, name: &str, value: &str) -> Self {
        let mut with = self.clone();
        with.headers.push((name.to_owned(), value.to_owned()));
        with
    }

    /// Sends `GET path`.
    ///
    /// # Errors
    /// If there is no complete response.
    pub async fn get(&self, path: &str) -> Result<Response> {
        self.request("GET", path, None).await
    }

    /// Repeats `GET path` until the response has this status.
    ///
    /// # Errors
    /// If no response has this status in time.
    pub async fn until_status(&self, path: &str, status: u16) -> Result<Response> {
        let asking = async {
            loop {
                // A server that is starting or stopping accepts no connection.
                if let Ok(answer) = self.get(path).await
                    && answer.status == status
                {
                    return answer;
                }
                tokio::time::sleep(POLL_INTERVAL).await;
            }
        };
        timeout(PATIENCE, asking).await.with_context(|| format!("waiting for {status} of {path}"))
    }

    /// Sends `POST path` with a JSON body.
    ///
    /// # Errors
    /// If there is no complete response.
    pub async fn post(&self, path: &str, body: &impl Serialize) -> Result<Response> {
        self.request("POST", path, Some(&serde_json::to_string(body)?)).await
    }

    /// Sends a request. The body must be JSON.
    ///
    /// # Errors
    /// If there is no complete response.
    pub async fn request(&self, method: &str, path: &str, body: Option<&str>) -> Result<Response> {
        let mut text = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.address);
        for (name, value) in &self.headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        if let Some(body) = body {
            text.push_str(&format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len()));
        }
        text.push_str("\r\n");
        text.push_str(body.unwrap_or_default());
        let answer = timeout(PATIENCE, exchange(self.address, text.as_bytes()));
        let bytes = answer.await.with_context(|| format!("waiting for {method} {path}"))??;
        Response::parse(&bytes).with_context(|| format!("reading the answer to {method} {path}"))
    }

    /// Creates a guest with `POST /api/guests`.
    ///
    /// # Errors
    /// If no guest is created.
    pub async fn guest(&self, name: &str) -> Result<Guest> {
        let made = self.post("/api/guests", &NewGuest { name: Some(name.to_owned()), bot: false }).await?;
        let GuestCreated { user, token } = made.json(201)?;
        Ok(Guest { user, token })
    }

    /// Creates a guest and makes it an account of this name.
    ///
    /// # Errors
    /// If no account is created.
    pub async fn account(&self, name: &str) -> Result<Guest> {
        self.sign_up(self.guest(name).await?, name).await
    }

    /// Makes a guest an account of this name.
    ///
    /// # Errors
    /// If no account is created.
    pub async fn sign_up(&self, guest: Guest, name: &str) -> Result<Guest> {
        let user = self.as_guest(&guest).create_account(name).await?;
        Ok(Guest { user, ..guest })
    }

    /// Makes the client's user an account of this name, with the password [`PASSWORD`], with
    /// `POST /api/account`.
    ///
    /// # Errors
    /// If no account is created.
    pub async fn create_account(&self, name: &str) -> Result<UserView> {
        let account = NewAccount { name: name.to_owned(), password: PASSWORD.to_owned() };
        self.post("/api/account", &account).await?.json(201)
    }

    /// Creates a table with `POST /api/tables`.
    ///
    /// # Errors
    /// If no table is created.
    pub async fn create(&self, table: &CreateTable) -> Result<TableCreated> {
        self.post("/api/tables", table).await?.json(201)
    }

    /// Returns all public tables, newest first, with all pages of `GET /api/tables`.
    ///
    /// # Errors
    /// If a page is refused.
    pub async fn public_tables(&self) -> Result<Vec<TableSummary>> {
        let mut path = "/api/tables?limit=100".to_owned();
        let mut all = Vec::new();
        loop {
            let TableList { tables, next, .. } = self.get(&path).await?.json(200)?;
            all.extend(tables);
            let Some(next) = next else { return Ok(all) };
            path = format!("/api/tables?limit=100&before={next}");
        }
    }

    /// Joins a table with `POST /api/quick-join`.
    ///
    /// # Errors
    /// If the request is refused.
    pub async fn quick_join(&self, wish: &QuickJoin) -> Result<QuickJoined> {
        self.post("/api/quick-join", wish).await?.json(200)
    }

    /// Creates an invite with `POST /api/tables/{table}/invites`.
    ///
    /// # Errors
    /// If no invite is created.
    pub async fn invite(&self, table: TableId, invite: &NewInvite) -> Result<LinkCreated> {
        self.post(&format!("/api/tables/{table}/invites"), invite).await?.json(201)
    }

    /// Creates a watch link with `POST /api/tables/{table}/watch-links`.
    ///
    /// # Errors
    /// If no watch link is created.
    pub async fn watch_link(&self, table: TableId) -> Result<LinkCreated> {
        self.request("POST", &format!("/api/tables/{table}/watch-links"), None).await?.json(201)
    }

    /// Lists the links with `GET /api/tables/{table}/links`.
    ///
    /// # Errors
    /// If the request is refused.
    pub async fn links(&self, table: TableId) -> Result<Vec<LinkView>> {
        let list: LinkList = self.get(&format!("/api/tables/{table}/links")).await?.json(200)?;
        Ok(list.links)
    }

    /// Removes a link with `DELETE /api/tables/{table}/links/{link}`.
    ///
    /// # Errors
    /// If there is no complete response.
    pub async fn revoke(&self, table: TableId, link: &str) -> Result<Response> {
        self.request("DELETE", &format!("/api/tables/{table}/links/{link}"), None).await
    }

    /// Creates a handover with `POST /api/handovers`.
    ///
    /// # Errors
    /// If no handover is created.
    pub async fn handover(&self) -> Result<LinkCreated> {
        self.request("POST", "/api/handovers", None).await?.json(201)
    }
}

async fn exchange(address: SocketAddr, request: &[u8]) -> Result<Vec<u8>> {
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(request).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_are_alike_without_their_dates() -> Result<()> {
        let response = |second: u8, kind: &str, body: &str| {
            let head = format!("HTTP/1.1 404 Not Found\r\nContent-Type: {kind}\r\nDate: 11:54:{second:02}");
            Response::parse(format!("{head}\r\n\r\n{body}").as_bytes())
        };
        let first = response(25, "text/plain", "nothing")?;
        ensure!(first.is_like(&response(26, "text/plain", "nothing")?));
        ensure!(!first.is_like(&response(25, "text/html", "nothing")?));
        ensure!(!first.is_like(&response(25, "text/plain", "something")?));
        Ok(())
    }
}
