//! HTTP as a program speaks it: one request a connection, JSON in and out.

use std::net::SocketAddr;

use anyhow::{Context, Result, bail, ensure};
use quadrex_protocol::http::{
    CreateTable, ErrorBody, GuestCreated, LinkCreated, LinkList, LinkView, NewGuest, NewInvite, QuickJoin,
    QuickJoined, TableCreated, TableList, TableSummary,
};
use quadrex_protocol::user::UserView;
use quadrex_protocol::{RefusalCode, TableId};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::PATIENCE;

/// Pause before the same request is repeated.
const BETWEEN: std::time::Duration = std::time::Duration::from_millis(25);

/// A user a program may act as.
#[derive(Clone, Debug)]
pub struct Guest {
    /// As others see it.
    pub user: UserView,
    /// The bearer token.
    pub token: String,
}

/// A server's HTTP side, and as whom requests are made.
#[derive(Clone, Debug)]
pub struct Http {
    address: SocketAddr,
    headers: Vec<(String, String)>,
}

/// An answer, read to its end.
#[derive(Clone, Debug)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// Header names in lower case, with their values.
    pub headers: Vec<(String, String)>,
    /// The body as text; of a picture what can be read as such.
    pub body: String,
    /// The body as it came.
    pub bytes: Vec<u8>,
}

impl Response {
    /// The first header of that lower-case name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The body of an answer that must have this status.
    ///
    /// # Errors
    /// If the status is another, or the body is not what it should be.
    pub fn json<T: DeserializeOwned>(&self, status: u16) -> Result<T> {
        ensure!(self.status == status, "the status is {}, not {status}: {}", self.status, self.body);
        serde_json::from_str(&self.body).with_context(|| format!("reading {}", self.body))
    }

    /// The code of a refusal that must have this status, and say a sentence.
    ///
    /// # Errors
    /// If it is no such refusal.
    pub fn refusal(&self, status: u16) -> Result<RefusalCode> {
        let body: ErrorBody = self.json(status)?;
        ensure!(!body.message.is_empty(), "the refusal says nothing: {}", self.body);
        Ok(body.code)
    }
}

impl Http {
    /// As nobody.
    pub fn new(address: SocketAddr) -> Self {
        Self { address, headers: Vec::new() }
    }

    /// As this guest.
    #[must_use]
    pub fn as_guest(&self, guest: &Guest) -> Self {
        self.with_header("Authorization", &format!("Bearer {}", guest.token))
    }

    /// With one more header in each request.
    #[must_use]
    pub fn with_header(&self, name: &str, value: &str) -> Self {
        let mut with = self.clone();
        with.headers.push((name.to_owned(), value.to_owned()));
        with
    }

    /// `GET path`.
    ///
    /// # Errors
    /// If no whole answer comes.
    pub async fn get(&self, path: &str) -> Result<Response> {
        self.request("GET", path, None).await
    }

    /// Asks for a path until the answer has this status.
    ///
    /// # Errors
    /// If it never has.
    pub async fn until_status(&self, path: &str, status: u16) -> Result<Response> {
        let asking = async {
            loop {
                // A server that is about to start or stop takes no connection.
                if let Ok(answer) = self.get(path).await
                    && answer.status == status
                {
                    return answer;
                }
                tokio::time::sleep(BETWEEN).await;
            }
        };
        timeout(PATIENCE, asking).await.with_context(|| format!("waiting for {status} of {path}"))
    }

    /// `POST path` with this body as JSON.
    ///
    /// # Errors
    /// If no whole answer comes.
    pub async fn post(&self, path: &str, body: &impl Serialize) -> Result<Response> {
        self.request("POST", path, Some(&serde_json::to_string(body)?)).await
    }

    /// Any request; a body is sent as JSON.
    ///
    /// # Errors
    /// If no whole answer comes.
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
        parse(&bytes).with_context(|| format!("reading the answer to {method} {path}"))
    }

    /// `POST /api/guests`.
    ///
    /// # Errors
    /// If none is made.
    pub async fn guest(&self, name: &str) -> Result<Guest> {
        let made = self.post("/api/guests", &NewGuest { name: Some(name.to_owned()), bot: false }).await?;
        let GuestCreated { user, token } = made.json(201)?;
        Ok(Guest { user, token })
    }

    /// `POST /api/tables`.
    ///
    /// # Errors
    /// If none is made.
    pub async fn create(&self, table: &CreateTable) -> Result<TableCreated> {
        self.post("/api/tables", table).await?.json(201)
    }

    /// All pages of `GET /api/tables`: the public tables, newest first.
    ///
    /// # Errors
    /// If they are not listed.
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

    /// `POST /api/quick-join`.
    ///
    /// # Errors
    /// If there is no seat in the answer.
    pub async fn quick_join(&self, wish: &QuickJoin) -> Result<QuickJoined> {
        self.post("/api/quick-join", wish).await?.json(200)
    }

    /// `POST /api/tables/{table}/invites`.
    ///
    /// # Errors
    /// If none is made.
    pub async fn invite(&self, table: TableId, invite: &NewInvite) -> Result<LinkCreated> {
        self.post(&format!("/api/tables/{table}/invites"), invite).await?.json(201)
    }

    /// `POST /api/tables/{table}/watch-links`.
    ///
    /// # Errors
    /// If none is made.
    pub async fn watch_link(&self, table: TableId) -> Result<LinkCreated> {
        self.request("POST", &format!("/api/tables/{table}/watch-links"), None).await?.json(201)
    }

    /// `GET /api/tables/{table}/links`.
    ///
    /// # Errors
    /// If there is no list.
    pub async fn links(&self, table: TableId) -> Result<Vec<LinkView>> {
        let list: LinkList = self.get(&format!("/api/tables/{table}/links")).await?.json(200)?;
        Ok(list.links)
    }

    /// `DELETE /api/tables/{table}/links/{link}`.
    ///
    /// # Errors
    /// If nothing answers.
    pub async fn revoke(&self, table: TableId, link: &str) -> Result<Response> {
        self.request("DELETE", &format!("/api/tables/{table}/links/{link}"), None).await
    }

    /// `POST /api/handovers`.
    ///
    /// # Errors
    /// If none is made.
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

/// An HTTP/1.1 answer whose body ends with the connection or at its `Content-Length`.
fn parse(answer: &[u8]) -> Result<Response> {
    const HEAD_END: &[u8] = b"\r\n\r\n";
    let end = answer.windows(HEAD_END.len()).position(|window| window == HEAD_END);
    let (head, bytes) = answer.split_at(end.context("the head does not end")?);
    let bytes = bytes[HEAD_END.len()..].to_vec();
    let mut lines = std::str::from_utf8(head)?.split("\r\n");
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).context("no status line")?.parse()?;
    let mut headers = Vec::new();
    for line in lines {
        let Some((name, value)) = line.split_once(':') else { bail!("{line:?} is no header") };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let answer = Response { status, headers, body: String::from_utf8_lossy(&bytes).into_owned(), bytes };
    ensure!(answer.header("transfer-encoding").is_none(), "the body comes in chunks");
    if let Some(length) = answer.header("content-length") {
        let came = answer.bytes.len();
        ensure!(length.parse() == Ok(came), "the body has {came} bytes, not {length}");
    }
    Ok(answer)
}
