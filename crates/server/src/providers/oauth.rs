//! The part of OAuth 2.0 that all providers share: the authorization code with a proof key.

use std::fmt;
use std::pin::Pin;

use bytes::Bytes;
use hyper::header::{ACCEPT, HeaderMap, HeaderValue};
use hyper::{Method, StatusCode};
use oauth2::basic::{
    BasicErrorResponse, BasicRevocationErrorResponse, BasicTokenIntrospectionResponse, BasicTokenType,
};
use oauth2::{
    AsyncHttpClient, AuthUrl, AuthorizationCode, Client, ClientId, ClientSecret, CsrfToken, EndpointNotSet,
    EndpointSet, ExtraTokenFields, HttpRequest, HttpResponse, PkceCodeChallenge, PkceCodeVerifier,
    RedirectUrl, Scope, StandardRevocableToken, StandardTokenResponse, TokenUrl,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{ProviderError, ReturnedCode};
use crate::outgoing::{OutgoingError, OutgoingHttp, OutgoingRequest, OutgoingResponse, TargetError};

/// The identification of this server at a provider. `Debug` does not show the secret.
pub(super) struct ClientCredentials {
    id: String,
    secret: Option<String>,
}

impl ClientCredentials {
    pub(super) fn new(id: String, secret: Option<String>) -> Self {
        Self { id, secret }
    }

    pub(super) fn id(&self) -> &str {
        &self.id
    }
}

impl fmt::Debug for ClientCredentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientCredentials").field("id", &self.id).finish_non_exhaustive()
    }
}

/// The URLs of a provider.
#[derive(Clone, Debug)]
pub(super) struct Endpoints {
    /// The URL to which the browser goes.
    pub(super) authorization: String,
    /// The URL at which the server exchanges the code.
    pub(super) token: String,
}

/// The fields of a response with tokens beside those of OAuth 2.0.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct IdTokenField {
    /// The ID token of `OpenID` Connect.
    #[serde(default)]
    pub(super) id_token: Option<String>,
}

impl ExtraTokenFields for IdTokenField {}

pub(super) type Tokens = StandardTokenResponse<IdTokenField, BasicTokenType>;

type OauthClient = Client<
    BasicErrorResponse,
    Tokens,
    BasicTokenIntrospectionResponse,
    StandardRevocableToken,
    BasicRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointSet,
>;

fn client(
    credentials: &ClientCredentials,
    endpoints: &Endpoints,
    redirect_url: &str,
) -> Result<OauthClient, ProviderError> {
    let client = Client::new(ClientId::new(credentials.id.clone()))
        .set_auth_uri(AuthUrl::new(endpoints.authorization.clone()).map_err(ProviderError::failed)?)
        .set_token_uri(TokenUrl::new(endpoints.token.clone()).map_err(ProviderError::failed)?)
        .set_redirect_uri(RedirectUrl::new(redirect_url.to_owned()).map_err(ProviderError::failed)?);
    Ok(match &credentials.secret {
        Some(secret) => client.set_client_secret(ClientSecret::new(secret.clone())),
        None => client,
    })
}

/// Returns the URL of the provider at which the user agrees to sign in.
pub(super) fn authorization_url(
    credentials: &ClientCredentials,
    endpoints: &Endpoints,
    redirect_url: &str,
    (state, verifier): (&str, &str),
    scopes: &[&str],
    parameters: &[(&str, &str)],
) -> Result<String, ProviderError> {
    let client = client(credentials, endpoints, redirect_url)?;
    let verifier = PkceCodeVerifier::new(verifier.to_owned());
    let mut request = client
        .authorize_url(|| CsrfToken::new(state.to_owned()))
        .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier))
        .add_scopes(scopes.iter().map(|scope| Scope::new((*scope).to_owned())));
    for (name, value) in parameters {
        request = request.add_extra_param(*name, *value);
    }
    Ok(request.url().0.into())
}

/// Exchanges a code for tokens.
pub(super) async fn exchange(
    http: &OutgoingHttp,
    credentials: &ClientCredentials,
    endpoints: &Endpoints,
    code: ReturnedCode<'_>,
) -> Result<Tokens, ProviderError> {
    let client = client(credentials, endpoints, code.redirect_url)?;
    let request = client
        .exchange_code(AuthorizationCode::new(code.code.to_owned()))
        .set_pkce_verifier(PkceCodeVerifier::new(code.verifier.to_owned()));
    let tokens = request.request_async(&Sender(http.clone())).await;
    tokens.map_err(|error| ProviderError::failed(format_args!("the code was not accepted: {error}")))
}

/// The reason for which a request was not answered.
#[derive(Debug, thiserror::Error)]
enum SendError {
    #[error("{0}")]
    Target(#[from] TargetError),
    #[error("{0}")]
    Outgoing(#[from] OutgoingError),
}

/// The client with which the library sends its requests.
struct Sender(OutgoingHttp);

impl<'c> AsyncHttpClient<'c> for Sender {
    type Error = SendError;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, SendError>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(send(&self.0, request))
    }
}

async fn send(http: &OutgoingHttp, request: HttpRequest) -> Result<HttpResponse, SendError> {
    let (head, body) = request.into_parts();
    let target = http.target(&head.uri.to_string())?;
    let sent =
        OutgoingRequest { method: head.method, target, headers: head.headers, body: Bytes::from(body) };
    let OutgoingResponse { status, headers, body } = http.send(sent).await?;
    let mut response = HttpResponse::new(body.into());
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    Ok(response)
}

/// Sends a request without a body, and returns the response.
pub(super) async fn request(
    http: &OutgoingHttp,
    method: Method,
    url: &str,
    bearer: Option<&str>,
) -> Result<OutgoingResponse, ProviderError> {
    let target = http.target(url).map_err(|error| ProviderError::failed(format_args!("{url}: {error}")))?;
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    if let Some(bearer) = bearer {
        let mut value = HeaderValue::from_str(&format!("Bearer {bearer}")).map_err(ProviderError::failed)?;
        value.set_sensitive(true);
        headers.insert(hyper::header::AUTHORIZATION, value);
    }
    let request = OutgoingRequest { method, target, headers, body: Bytes::new() };
    let response = http.send(request).await;
    response.map_err(|error| ProviderError::failed(format_args!("{url}: {error}")))
}

/// Requests a document in JSON.
pub(super) async fn get_json<T: DeserializeOwned>(
    http: &OutgoingHttp,
    url: &str,
    bearer: Option<&str>,
) -> Result<T, ProviderError> {
    let response = request(http, Method::GET, url, bearer).await?;
    if response.status != StatusCode::OK {
        return Err(ProviderError::failed(format_args!("{url}: status {}", response.status.as_u16())));
    }
    serde_json::from_slice(&response.body)
        .map_err(|error| ProviderError::failed(format_args!("{url}: {error}")))
}
