//! A browser that keeps its cookies and follows no redirects, at one address of a site after the other.

use std::net::SocketAddr;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::http::{
    Me, NewProviderAccount, ProviderSignInStarted, Session, SignIns, StartProviderSignIn,
};
use quadrex_protocol::user::UserView;

use crate::http::{Http, Response};
use crate::identity_provider::IdentityProvider;

/// The path to which the browser wants to return after a sign-in.
pub const HOME: &str = "/settings?tab=1";

/// The browser.
#[derive(Clone, Debug)]
pub struct Visitor {
    address: SocketAddr,
    /// The origin of the site's pages.
    origin: String,
    /// The cookies, each as name and value.
    cookies: Vec<String>,
    /// The guest that the browser was at first.
    pub user: UserView,
}

impl Visitor {
    /// Makes the first visit to a server without a public URL, as a new guest.
    ///
    /// # Errors
    /// If there is no new guest.
    pub async fn visit(address: SocketAddr) -> Result<Self> {
        Self::visit_site(address, &format!("http://{address}")).await
    }

    /// Makes the first visit to a server with this public URL, as a new guest.
    ///
    /// # Errors
    /// If there is no new guest.
    pub async fn visit_site(address: SocketAddr, origin: &str) -> Result<Self> {
        let http = Http::new(address).with_header("Origin", origin);
        let answer = http.request("POST", "/api/session", None).await?;
        let user = answer.json::<Session>(200)?.user;
        let mut visitor = Self { address, origin: origin.to_owned(), cookies: Vec::new(), user };
        visitor.keep(&answer);
        Ok(visitor)
    }

    /// Returns the browser as it goes on at another server of the site.
    #[must_use]
    pub fn at(&self, address: SocketAddr) -> Self {
        Self { address, ..self.clone() }
    }

    /// Returns the browser without its cookies.
    #[must_use]
    pub fn without_cookies(&self) -> Self {
        Self { cookies: Vec::new(), ..self.clone() }
    }

    /// Returns an HTTP client that sends requests as a page of the site.
    pub fn http(&self) -> Http {
        self.outside().with_header("Origin", &self.origin)
    }

    /// Returns an HTTP client that sends requests as a page of another site that leads here.
    pub fn outside(&self) -> Http {
        Http::new(self.address).with_header("Cookie", &self.cookies.join("; "))
    }

    /// Keeps the cookies of a response.
    fn keep(&mut self, answer: &Response) {
        for (_, cookie) in answer.headers.iter().filter(|(name, _)| name == "set-cookie") {
            let (pair, attributes) = cookie.split_once(';').unwrap_or((cookie, ""));
            let name = pair.split('=').next().unwrap_or_default().to_owned();
            self.cookies.retain(|known| !known.starts_with(&format!("{name}=")));
            if !attributes.contains("Max-Age=0") {
                self.cookies.push(pair.to_owned());
            }
        }
    }

    /// Returns the value of a cookie.
    pub fn cookie(&self, name: &str) -> Option<&str> {
        self.cookies.iter().find_map(|cookie| cookie.strip_prefix(name)?.strip_prefix('='))
    }

    /// Begins a sign-in at a provider, or begins to connect one. Returns the response.
    ///
    /// # Errors
    /// If there is no complete response.
    pub async fn try_to_start(&mut self, provider: &str, connect: bool) -> Result<Response> {
        let request = StartProviderSignIn { return_to: HOME.to_owned(), connect };
        let answer = self.http().post(&format!("/api/providers/{provider}/start"), &request).await?;
        self.keep(&answer);
        Ok(answer)
    }

    /// Begins a sign-in at a provider, or begins to connect one. Returns the URL of the provider.
    ///
    /// # Errors
    /// If the server refuses it.
    pub async fn start(&mut self, provider: &str, connect: bool) -> Result<String> {
        Ok(self.try_to_start(provider, connect).await?.json::<ProviderSignInStarted>(200)?.url)
    }

    /// Goes to a path of the server, and returns the page to which the server leads.
    ///
    /// # Errors
    /// If the server does not lead to another page.
    pub async fn open(&mut self, path: &str) -> Result<String> {
        let answer = self.outside().get(path).await?;
        self.keep(&answer);
        ensure!(answer.status == 303, "{answer:?}");
        Ok(answer.header("location").context("a redirect has a location")?.to_owned())
    }

    /// Signs in at a provider, or connects it, as this user there. Returns the page to which the server
    /// leads.
    ///
    /// # Errors
    /// If a request of the sign-in is not answered as expected.
    pub async fn through(
        &mut self,
        at: &IdentityProvider,
        provider: &str,
        name: &str,
        connect: bool,
    ) -> Result<String> {
        let url = self.start(provider, connect).await?;
        self.open(&at.agree(&url, name)?).await
    }

    /// Returns the user that the browser is now.
    ///
    /// # Errors
    /// If the browser has no session.
    pub async fn me(&self) -> Result<UserView> {
        Ok(self.http().get("/api/me").await?.json::<Me>(200)?.user)
    }

    /// Returns the ways in which the user signs in.
    ///
    /// # Errors
    /// If the server refuses it.
    pub async fn sign_ins(&self) -> Result<SignIns> {
        self.http().get("/api/me/sign-ins").await?.json(200)
    }

    /// Chooses the name of the account for an identity. Returns the response.
    ///
    /// # Errors
    /// If there is no complete response.
    pub async fn sign_up(&mut self, name: &str) -> Result<Response> {
        let account = NewProviderAccount { name: name.to_owned() };
        let answer = self.http().post("/api/me/provider-sign-up", &account).await?;
        self.keep(&answer);
        Ok(answer)
    }
}
