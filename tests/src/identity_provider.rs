//! A local identity provider: the part of the API of Lichess with which users sign in, and a provider
//! of `OpenID` Connect.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, ensure};
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;
use tokio::task::AbortHandle;
use url::{Url, form_urlencoded};

/// The id of the tested server at the provider.
const CLIENT: &str = "quadrex";

/// The secret of the tested server at the provider of `OpenID` Connect.
const SECRET: &str = "client secret";

/// The provider. It stops when it is dropped.
#[derive(Debug)]
pub struct IdentityProvider {
    address: SocketAddr,
    shared: Arc<Shared>,
    task: AbortHandle,
}

#[derive(Debug)]
struct Shared {
    url: String,
    state: Mutex<Grants>,
}

#[derive(Debug, Default)]
struct Grants {
    /// The codes that were not exchanged yet.
    codes: HashMap<String, Grant>,
    /// The users by their access tokens.
    tokens: HashMap<String, String>,
    /// The number of codes that were exchanged.
    exchanged: usize,
    /// The verifiers of the codes that were exchanged (RFC 7636), and the access tokens and ID tokens
    /// that were sent.
    secrets: Vec<String>,
    /// The issuer in the metadata, if it is not the right one.
    wrong_issuer: Option<String>,
    /// True if the provider answers requests for documents with an error, and with a body as if it had
    /// not failed.
    is_failing: bool,
    /// Claims of ID tokens that replace the right ones.
    wrong_claims: Vec<(&'static str, Value)>,
}

impl Grants {
    /// Returns the status of responses with documents.
    fn status(&self) -> StatusCode {
        if self.is_failing { StatusCode::INTERNAL_SERVER_ERROR } else { StatusCode::OK }
    }
}

/// The agreement of a user to sign in.
#[derive(Clone, Debug)]
struct Grant {
    user: String,
    challenge: String,
    redirect_url: String,
    nonce: Option<String>,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, Grants> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl IdentityProvider {
    /// Starts the provider.
    ///
    /// # Errors
    /// If it cannot listen.
    pub async fn start() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared { url: format!("http://{address}"), state: Mutex::default() });
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(metadata))
            .route("/token", post(openid_token))
            .route("/api/token", post(lichess_token).delete(revoke))
            .route("/api/account", get(account))
            .with_state(Arc::clone(&shared));
        let task = tokio::spawn(async move { axum::serve(listener, router).await }).abort_handle();
        Ok(Self { address, shared, task })
    }

    /// Returns the settings of a server that knows this provider as `lichess` and as `example`. `secret`
    /// is the path of a file to which this function writes the secret of the server.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn settings(&self, secret: &std::path::Path) -> Result<String> {
        std::fs::write(secret, format!("{SECRET}\n"))?;
        let (url, secret) = (&self.shared.url, secret.to_str().context("the path is text")?);
        Ok(format!(
            "[outgoing]\nnetworks = [\"127.0.0.0/8\"]\n\
             [providers.lichess]\nkind = \"lichess\"\ntitle = \"Lichess\"\nurl = \"{url}\"\nclient_id = \"{CLIENT}\"\n\
             [providers.example]\nkind = \"openid_connect\"\ntitle = \"Example\"\nurl = \"{url}\"\n\
             client_id = \"{CLIENT}\"\nclient_secret_file = {secret:?}\n"
        ))
    }

    /// Lets a user agree to the sign-in at this URL. Returns the path with which the browser goes back.
    ///
    /// # Errors
    /// If the URL is not a complete request of a sign-in at this provider.
    pub fn agree(&self, url: &str, user: &str) -> Result<String> {
        let url = Url::parse(url)?;
        ensure!(url.port() == Some(self.address.port()), "{url} leads elsewhere");
        ensure!(["/oauth", "/authorize"].contains(&url.path()), "{url}");
        let parameters: HashMap<_, _> = url.query_pairs().into_owned().collect();
        let parameter = |name: &str| parameters.get(name).with_context(|| format!("{url} has no {name}"));
        ensure!(parameter("response_type")? == "code" && parameter("client_id")? == CLIENT, "{url}");
        ensure!(parameter("code_challenge_method")? == "S256", "{url}");
        if url.path() == "/authorize" {
            ensure!(parameter("scope")?.split(' ').any(|scope| scope == "openid"), "{url}");
        }
        let redirect_url = Url::parse(parameter("redirect_uri")?)?;
        let mut state = self.shared.state();
        let code = format!("code-{}-{}", state.codes.len(), state.exchanged);
        let mut back = redirect_url.clone();
        back.query_pairs_mut().append_pair("code", &code).append_pair("state", parameter("state")?);
        let grant = Grant {
            user: user.to_owned(),
            challenge: parameter("code_challenge")?.clone(),
            redirect_url: redirect_url.into(),
            nonce: parameters.get("nonce").cloned(),
        };
        state.codes.insert(code, grant);
        Ok(format!("{}?{}", back.path(), back.query().context("there is a query")?))
    }

    /// Returns the number of codes that were exchanged.
    pub fn exchanged(&self) -> usize {
        self.shared.state().exchanged
    }

    /// Returns the number of access tokens that are valid.
    pub fn valid_tokens(&self) -> usize {
        self.shared.state().tokens.len()
    }

    /// Returns the secrets between the tested server and this provider that no browser may know: the
    /// secret of the server, the verifiers of the codes that were exchanged, and all tokens.
    pub fn secrets(&self) -> Vec<String> {
        let sent = self.shared.state().secrets.clone();
        sent.into_iter().chain([SECRET.to_owned()]).collect()
    }

    /// Names another issuer in the metadata.
    pub fn set_wrong_issuer(&self, issuer: &str) {
        self.shared.state().wrong_issuer = Some(issuer.to_owned());
    }

    /// Makes later requests for metadata and accounts fail.
    pub fn fail(&self) {
        self.shared.state().is_failing = true;
    }

    /// Puts a wrong value of a claim into all later ID tokens.
    pub fn set_wrong_claim(&self, claim: &'static str, value: Value) {
        self.shared.state().wrong_claims = vec![(claim, value)];
    }
}

impl Drop for IdentityProvider {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn metadata(State(shared): State<Arc<Shared>>) -> (StatusCode, Json<Value>) {
    let url = &shared.url;
    let issuer = shared.state().wrong_issuer.clone().unwrap_or_else(|| url.clone());
    let metadata = json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{url}/authorize"),
        "token_endpoint": format!("{url}/token"),
    });
    (shared.state().status(), Json(metadata))
}

/// The fields of a form.
type FormFields = HashMap<String, String>;

fn fields(body: &Bytes) -> FormFields {
    form_urlencoded::parse(body).into_owned().collect()
}

impl Shared {
    /// Exchanges a code. Returns the agreement and an access token.
    fn exchange(&self, request: &FormFields) -> Option<(Grant, String)> {
        let mut state = self.state();
        let grant = state.codes.remove(request.get("code")?)?;
        let challenge = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(request.get("code_verifier")?));
        let is_valid = request.get("grant_type")? == "authorization_code"
            && challenge == grant.challenge
            && *request.get("redirect_uri")? == grant.redirect_url;
        if !is_valid {
            return None;
        }
        state.exchanged += 1;
        let token = format!("access-token-{}", state.exchanged);
        state.tokens.insert(token.clone(), grant.user.clone());
        state.secrets.extend([request.get("code_verifier")?.clone(), token.clone()]);
        Some((grant, token))
    }
}

fn invalid_grant() -> Response {
    (StatusCode::BAD_REQUEST, Json(json!({"error": "invalid_grant"}))).into_response()
}

async fn lichess_token(State(shared): State<Arc<Shared>>, body: Bytes) -> Response {
    let request = fields(&body);
    if request.get("client_id").is_none_or(|client| client != CLIENT) {
        return invalid_grant();
    }
    match shared.exchange(&request) {
        Some((_, token)) => {
            Json(json!({"token_type": "Bearer", "access_token": token, "expires_in": 31_536_000}))
                .into_response()
        }
        None => invalid_grant(),
    }
}

async fn openid_token(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    // The parts of the credentials are form-encoded (RFC 6749, section 2.3.1).
    let credentials = BASE64_STANDARD.encode(format!("{CLIENT}:{}", SECRET.replace(' ', "+")));
    let is_client = headers
        .get(header::AUTHORIZATION)
        .is_some_and(|value| value.as_bytes() == format!("Basic {credentials}").as_bytes());
    if !is_client {
        return (StatusCode::UNAUTHORIZED, Json(json!({"error": "invalid_client"}))).into_response();
    }
    let Some((grant, token)) = shared.exchange(&fields(&body)) else { return invalid_grant() };
    let mut claims = json!({
        "iss": shared.url,
        "sub": format!("subject of {}", grant.user),
        "aud": [CLIENT],
        "exp": 4_000_000_000_u64,
        "nonce": grant.nonce,
        "preferred_username": grant.user,
    });
    for (claim, value) in &shared.state().wrong_claims {
        claims[*claim] = value.clone();
    }
    let part = |part: &Value| BASE64_URL_SAFE_NO_PAD.encode(part.to_string());
    let id_token = format!("{}.{}.c2lnbmF0dXJl", part(&json!({"alg": "RS256"})), part(&claims));
    shared.state().secrets.push(id_token.clone());
    Json(json!({"token_type": "Bearer", "access_token": token, "id_token": id_token})).into_response()
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")
}

async fn account(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    let user = bearer(&headers).and_then(|token| shared.state().tokens.get(token).cloned());
    match user {
        Some(user) => {
            let account = json!({"id": user.to_lowercase(), "username": user, "perfs": {}});
            (shared.state().status(), Json(account)).into_response()
        }
        None => StatusCode::UNAUTHORIZED.into_response(),
    }
}

async fn revoke(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> StatusCode {
    if let Some(token) = bearer(&headers) {
        shared.state().tokens.remove(token);
    }
    StatusCode::NO_CONTENT
}
