//! A person's browser, as far as the server sees it: a guest with a cookie, on the server's own page.

use std::net::SocketAddr;

use anyhow::{Context, Result, anyhow, bail};
use quadrex_protocol::http::Session;
use quadrex_protocol::user::UserView;
use quadrex_protocol::{ClientFrame, ServerFrame};
use tokio_tungstenite::tungstenite::http::header::{COOKIE, ORIGIN};

use crate::client::Client;
use crate::http::{Http, Response};

/// A guest with a cookie.
pub struct Browser {
    address: SocketAddr,
    /// As it is sent back: name and value.
    pub cookie: String,
    /// The user that the server says this is.
    pub user: UserView,
}

impl Browser {
    /// Comes to the server for the first time.
    ///
    /// # Errors
    /// If it is given no cookie.
    pub async fn visit(address: SocketAddr) -> Result<Self> {
        let answer = page(address).request("POST", "/api/session", None).await?;
        Self::given_by(address, &answer)
    }

    /// The one that an answer has just given a cookie.
    ///
    /// # Errors
    /// If it gives none.
    pub fn given_by(address: SocketAddr, answer: &Response) -> Result<Self> {
        let mut set = answer.headers.iter().filter(|(name, _)| name == "set-cookie").map(|(_, value)| value);
        let set = set.find(|cookie| cookie.contains("quadrex_session=")).context("there is no cookie")?;
        let cookie = set.split(';').next().context("a cookie begins with its value")?.to_owned();
        Ok(Self { address, cookie, user: answer.json::<Session>(200)?.user })
    }

    /// HTTP as this guest.
    pub fn http(&self) -> Http {
        page(self.address).with_header("Cookie", &self.cookie)
    }

    /// A line as this guest, greeted.
    ///
    /// # Errors
    /// If there is no welcome, or it is for another.
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

/// HTTP from the server's own page, without a cookie.
pub fn page(address: SocketAddr) -> Http {
    Http::new(address).with_header("Origin", &origin(address))
}

fn origin(address: SocketAddr) -> String {
    format!("http://{address}")
}
