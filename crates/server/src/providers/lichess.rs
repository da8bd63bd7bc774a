//! Sign-in with Lichess (<https://lichess.org/api#tag/OAuth>). A client needs no registration there.

use hyper::Method;
use oauth2::TokenResponse;
use serde::Deserialize;

use super::oauth::{self, ClientCredentials, Endpoints};
use super::{ProviderError, ReturnedCode};
use crate::outgoing::OutgoingHttp;

/// A server with the API of Lichess.
#[derive(Debug)]
pub(super) struct Lichess {
    url: String,
    client: ClientCredentials,
}

/// The fields of `/api/account` that are used.
#[derive(Deserialize)]
struct LichessAccount {
    /// The id, which never changes.
    id: String,
    /// The name, which differs from the id only in the case of letters.
    username: String,
}

impl Lichess {
    pub(super) fn new(url: String, client: ClientCredentials) -> Self {
        Self { url, client }
    }

    fn endpoints(&self) -> Endpoints {
        let Self { url, .. } = self;
        Endpoints { authorization: format!("{url}/oauth"), token: format!("{url}/api/token") }
    }

    pub(super) fn sign_in_url(
        &self,
        redirect_url: &str,
        state: &str,
        verifier: &str,
    ) -> Result<String, ProviderError> {
        // The name of a user is public, so no scope is needed.
        oauth::authorization_url(&self.client, &self.endpoints(), redirect_url, (state, verifier), &[], &[])
    }

    /// Returns the id and the name of the user.
    pub(super) async fn identify(
        &self,
        http: &OutgoingHttp,
        code: ReturnedCode<'_>,
    ) -> Result<(String, String), ProviderError> {
        let tokens = oauth::exchange(http, &self.client, &self.endpoints(), code).await?;
        let token = tokens.access_token().secret();
        let account = oauth::get_json(http, &format!("{}/api/account", self.url), Some(token)).await;
        // The token is valid for a year and is not needed any more.
        let url = format!("{}/api/token", self.url);
        if let Err(error) = oauth::request(http, Method::DELETE, &url, Some(token)).await {
            tracing::debug!("a token of Lichess was not revoked: {error}");
        }
        let LichessAccount { id, username } = account?;
        Ok((id, username))
    }
}
