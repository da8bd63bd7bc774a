//! A browser from the server's point of view: a guest with a cookie, whose requests come from the
//! server's own page.

use std::net::SocketAddr;

use anyhow::{Context, Result, anyhow, bail};
use quadrex_protocol::http::Session;
use quadrex_protocol::user::UserView;
use quadrex_protocol::{ClientFrame, ServerFrame};
use tokio_tungstenite::tungstenite::http::header::{COOKIE, ORIGIN};

use crate::client::Client;
use crate::http::{Http, Response};

/// A guest who is identified by a cookie.
pub struct Browser {
    address: SocketAddr,
    /// The name and value of the cookie, as in the `Cookie` header.
    pub cookie: String,
    /// The guest's user, as returned by the server.
    pub user: UserView,
}

impl Browser {
    /// Makes the first visit, which gives the browser a cookie.
    ///
    /// # Errors
    /// If the server sets no cookie.
    pub async fn visit(address: SocketAddr) -> Result<Self> {
        let answer = page(address).request("POST", "/api/session", None).await?;
        Self::given_by(address, &answer)
    }

    /// Returns the browser that got its cookie with this response.
    ///
    /// # Errors
    /// If the response sets no cookie.
    pub fn given_by(address: SocketAddr, answer: &Response) -> Result<Self> {
        let mut set = answer.headers.iter().filter(|(name, _)| name == "set-cookie").map(|(_, value)| value);
        let set = set.find(|cookie| cookie.contains("quadrex_session=")).context("there is no cookie")?;
        let cookie = set.split(';').next().context("a cookie begins with its value")?.to_owned();
        Ok(Self { address, cookie, user: answer.json::<Session>(200)?.user })
    }

    /// Returns an HTTP client with this browser's cookie.
    pub fn http(&self) -> Http {
        page(self.address).with_header("Cookie", &self.cookie)
    }

    /// Opens a WebSocket connection with this browser's cookie and says hello.
    ///
    /// # Errors
    /// If there is no `welcome`, or it is for another user.
    pub async fn connect(&self) -> Result<Client> {
        let own = origin(self.address);
        let headers = [(COOKIE, self.cookie.as_str()), (ORIGIN, own.as_str())];
        let line = Client::connect_with(self.address, &headers).await?;
        let mut line = line.map_err(|status| anyhow!("the handshake was answered with {status}"))?;
        line.send(&ClientFrame::Hello { token: None }).await?;
        match line.next().await? {
            ServerFrame::Welcome { user: Some(user), .. } if user == self.user => Ok(line),
            other => bail!("{other:?} instead of a welcome for {:?}", self.user),
        }
    }
}

/// Returns an HTTP client that sends requests as the server's own page does, without a cookie.
pub fn page(address: SocketAddr) -> Http {
    Http::new(address).with_header("Origin", &origin(address))
}

fn origin(address: SocketAddr) -> String {
    format!("http://{address}")
}
