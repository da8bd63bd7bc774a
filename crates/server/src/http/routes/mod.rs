//! The routes under `/api`.

mod analyse;
mod bots;
mod explore;
mod health;
mod links;
mod matches;
mod pictures;
mod sessions;
mod shares;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use quadrex_protocol::bot::{BotSeat, BotView};
use quadrex_protocol::http::{
    CreateTable, GuestCreated, HandoverPreview, LinkCreated, Me, NewGuest, NewSession, QuickJoin,
    QuickJoined, RenameUser, Session, ShownHandover, TableCreated, TableList, TableSummary,
};
use quadrex_protocol::user::UserView;
use quadrex_protocol::{RefusalCode, TableId, UserId};
use serde::Deserialize;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::auth::{Action, Denial, Issued, User, UserName};
use crate::fault::Fault;
use crate::http::auth::has_cookie;
use crate::http::body::JsonBody;
use crate::http::refusal::Refusal;
use crate::http::state::{AppState, Peer, require_user};
use crate::http::user_agent::client_name;
use crate::lobby::{FindError, OpenError, Stopped, TablePage};
use crate::telemetry::audit::{AuditAction, AuditEntry};
pub(crate) use health::{fence, healthz, readyz};
use matches::parse_query;
pub(crate) use pictures::routes as picture_routes;

/// Returns the routes.
pub(crate) fn routes() -> Router<AppState> {
    Router::new()
        .route("/api/session", post(create_session))
        .route("/api/guests", post(create_guest))
        .route("/api/session/back", post(restore_session))
        .route("/api/handovers", post(create_handover))
        .route("/api/handovers/preview", post(preview_handover))
        .route("/api/me", get(me).patch(rename_user))
        .route("/api/tables", get(list_tables).post(create_table))
        .route("/api/quick-join", post(quick_join))
        .route("/api/tables/{table}", get(show_table))
        .merge(analyse::routes())
        .merge(bots::routes())
        .merge(explore::routes())
        .merge(links::routes())
        .merge(matches::routes())
        .merge(sessions::routes())
        .merge(shares::routes())
        .route("/api/{*rest}", axum::routing::any(not_found))
        .layer(SetResponseHeaderLayer::overriding(
            header::CACHE_CONTROL,
            HeaderValue::from_static("no-store"),
        ))
}

/// Creates a guest for a browser, unless the browser's cookie already belongs to a user. If the
/// request has a handover, the browser switches to the user of the handover instead, and can later
/// return to its previous session.
async fn create_session(
    State(state): State<AppState>,
    peer: Peer,
    headers: HeaderMap,
    JsonBody(NewSession { handover }): JsonBody<NewSession>,
) -> Result<Response, Refusal> {
    state.check_own_page(&headers)?;
    let address = state.proxies.client_addr(peer.0, &headers)?;
    let identity = state.identify_by_cookie(&headers).await?;
    let current_user = identity.user();
    if let Some(secret) = handover {
        state.rate_limits.check_guest(address).await?;
        let Issued { user, token } = state.redeem(&secret, &headers).await?;
        AuditEntry::new(AuditAction::HandoverRedeemed).by(user.id).from(address).record();
        let replaced_user = current_user.filter(|current| current.id != user.id);
        let (cookies, previous_user) = match replaced_user {
            Some(replaced_user) => {
                (state.cookies_after_handover(&headers, &token), Some(replaced_user.view()))
            }
            None => (state.cookie(&token), state.previous_user(&headers, user.id).await?),
        };
        return Ok((cookies, Json(Session { user: user.view(), previous_user })).into_response());
    }
    if let Some(user) = current_user {
        let previous_user = state.previous_user(&headers, user.id).await?;
        return Ok((state.renewed_cookie(&headers), Json(Session { user: user.view(), previous_user }))
            .into_response());
    }
    state.rate_limits.check_guest(address).await?;
    let issued = state.guests.for_browser(client_name(&headers), state.now()).await;
    let Issued { user, token } = issued.map_err(|error| state.fault("create a guest", &error))?;
    AuditEntry::new(AuditAction::GuestCreated).by(user.id).from(address).record();
    let previous_user = state.previous_user(&headers, user.id).await?;
    Ok((state.cookie(&token), Json(Session { user: user.view(), previous_user })).into_response())
}

/// Switches a browser back to the session that it had before a handover. Drops the current session.
async fn restore_session(
    State(state): State<AppState>,
    peer: Peer,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    state.check_own_page(&headers)?;
    let address = state.proxies.client_addr(peer.0, &headers)?;
    state.rate_limits.check_guest(address).await?;
    let current_user = state.identify_by_cookie(&headers).await?.user().map(|user| user.id);
    let Some(previous_session) = state.previous_session(&headers, current_user).await? else {
        return Err(Refusal::new(RefusalCode::NotFound, "there is no earlier session to return to"));
    };
    let user = previous_session.user.view();
    AuditEntry::new(AuditAction::SessionRestored).by(user.id).from(address).record();
    let (cookies, replaced_session) = state.cookies_after_return(previous_session).await?;
    let previous_user = replaced_session.map(|session| session.user.view());
    Ok((cookies, Json(Session { user, previous_user })).into_response())
}

/// Returns the user of a handover and the browser's current user, so that the page can ask before
/// the browser switches. The handover can still be redeemed after this.
async fn preview_handover(
    State(state): State<AppState>,
    peer: Peer,
    headers: HeaderMap,
    JsonBody(ShownHandover { secret }): JsonBody<ShownHandover>,
) -> Result<Json<HandoverPreview>, Refusal> {
    state.check_own_page(&headers)?;
    state.rate_limits.check_guest(state.proxies.client_addr(peer.0, &headers)?).await?;
    let handover_user = state.handovers.preview(&secret, state.now()).await;
    let handover_user = handover_user.map_err(|error| state.fault("look up a handover", &error))?;
    let user = match handover_user {
        Some(user) => state.guests.find(user).await.map_err(|error| state.fault("find a user", &error))?,
        None => None,
    };
    let user = user.ok_or_else(invalid_handover)?.view();
    let you = state.identify_by_cookie(&headers).await?.user().map(User::view);
    Ok(Json(HandoverPreview { user, you }))
}

/// Creates a guest for a program.
async fn create_guest(
    State(state): State<AppState>,
    peer: Peer,
    headers: HeaderMap,
    JsonBody(NewGuest { name, bot }): JsonBody<NewGuest>,
) -> Result<(StatusCode, Json<GuestCreated>), Refusal> {
    let name: Option<UserName> = name
        .map(|name| UserName::choose(&name, bot))
        .transpose()
        .map_err(|error| Refusal::new(RefusalCode::BadSetting, error))?;
    let address = state.proxies.client_addr(peer.0, &headers)?;
    state.rate_limits.check_guest(address).await?;
    let bot = bot.then_some(BotView::Account {});
    let issued = state.guests.for_program(name, bot, state.now()).await;
    let issued = issued.map_err(|error| state.fault("create a guest", &error))?;
    AuditEntry::new(AuditAction::GuestCreated).by(issued.user.id).from(address).record();
    let created = GuestCreated { user: issued.user.view(), token: issued.token.as_str().to_owned() };
    Ok((StatusCode::CREATED, Json(created)))
}

/// Creates a handover: a secret with which the user continues as the same user on another device.
async fn create_handover(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<(StatusCode, Json<LinkCreated>), Refusal> {
    let identity = state.identify(&method, &headers).await?;
    let user = require_user(&identity)?.id;
    let address = state.proxies.client_addr(peer.0, &headers)?;
    state.rate_limits.check_handover(user, address).await?;
    let issued = state.handovers.issue(user, state.now()).await;
    let (secret, handover) = issued.map_err(|error| state.fault("create a handover", &error))?;
    AuditEntry::new(AuditAction::HandoverCreated).by(user).from(address).record();
    Ok((StatusCode::CREATED, Json(state.link_created(&secret, handover.expires_at, &headers))))
}

/// The default number of tables in a list.
const DEFAULT_LIMIT: u16 = 50;

/// The largest number of tables in a list.
const MAX_LIMIT: u16 = 100;

/// The query parameters of a paged list.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PageQuery {
    before: Option<TableId>,
    limit: Option<u16>,
}

impl PageQuery {
    fn parse(uri: &Uri) -> Result<TablePage, Refusal> {
        let Self { before, limit } = parse_query(uri)?;
        let limit = limit.unwrap_or(DEFAULT_LIMIT);
        if !(1..=MAX_LIMIT).contains(&limit) {
            let message = format_args!("limit is {limit}, it must be 1 to {MAX_LIMIT}");
            return Err(Refusal::new(RefusalCode::BadSetting, message));
        }
        Ok(TablePage { before, limit })
    }
}

async fn me(
    State(state): State<AppState>,
    method: Method,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Json<Me>, Refusal> {
    let page = PageQuery::parse(&uri)?;
    let identity = state.identify(&method, &headers).await?;
    let user = require_user(&identity)?;
    let (tables, next) = state.lobby.tables_of(user.id, page).await?;
    Ok(Json(Me { user: user.view(), tables, next }))
}

/// Changes the user's name. At seats that the user already holds, the old name stays.
async fn rename_user(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
    JsonBody(RenameUser { name }): JsonBody<RenameUser>,
) -> Result<Json<UserView>, Refusal> {
    let identity = state.identify(&method, &headers).await?;
    let user = require_user(&identity)?;
    let name = UserName::choose(&name, user.bot.is_some())
        .map_err(|error| Refusal::new(RefusalCode::BadSetting, error))?;
    state.rate_limits.check_rename(user.id, state.proxies.client_addr(peer.0, &headers)?).await?;
    let renamed = state.guests.rename(user.id, name).await;
    let renamed = renamed.map_err(|error| state.fault("rename a user", &error))?;
    Ok(Json(renamed.ok_or(Denial::SignIn)?.view()))
}

async fn list_tables(
    State(state): State<AppState>,
    peer: Peer,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Json<TableList>, Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    Ok(Json(state.lobby.list(PageQuery::parse(&uri)?).await?))
}

async fn create_table(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
    JsonBody(request): JsonBody<CreateTable>,
) -> Result<(StatusCode, Json<TableCreated>), Refusal> {
    let identity = state.identify(&method, &headers).await?;
    let host = require_user(&identity)?.view();
    let address = state.proxies.client_addr(peer.0, &headers)?;
    if request.cmd.is_some() {
        state.rate_limits.check_lookup(address)?;
    }
    if let Some(created) = state.lobby.requested(&request, host.id).await? {
        return Ok((StatusCode::CREATED, Json(created)));
    }
    state.rate_limits.check_table(host.id, address).await?;
    let is_bots_only = request.bots.len() >= request.variant.player_count();
    let admitted = is_bots_only.then(|| state.bot_matches.admit(host.id, address)).transpose()?;
    let mut bots = Vec::new();
    for BotSeat { seat, bot } in &request.bots {
        bots.push((*seat, state.bot(bot, request.variant).await?));
    }
    let opened = state.lobby.open_once(request, host, bots).await?;
    if let (Some(admitted), Some(table)) = (admitted, &opened.new) {
        admitted.start_at(table);
    }
    Ok((StatusCode::CREATED, Json(opened.created)))
}

/// Gives a user a seat at a suitable table. If there is none, creates a table, which counts towards
/// the rate limit of tables.
async fn quick_join(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
    JsonBody(request): JsonBody<QuickJoin>,
) -> Result<Json<QuickJoined>, Refusal> {
    let identity = state.identify(&method, &headers).await?;
    let user = require_user(&identity)?.view();
    let address = state.proxies.client_addr(peer.0, &headers)?;
    if request.cmd.is_some() {
        state.rate_limits.check_lookup(address)?;
    }
    let may_create = async || state.rate_limits.check_table(user.id, address).await.map_err(Refusal::from);
    Ok(Json(state.lobby.quick_join(&request, &user, may_create).await?))
}

async fn show_table(
    State(state): State<AppState>,
    Path(table): Path<String>,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<TableSummary>, Refusal> {
    let identity = state.identify(&method, &headers).await?;
    let handle = state.table_for(&identity, table_id(&table)?, Action::See).await?;
    Ok(Json(handle.overview().summary()))
}

impl AppState {
    /// Redeems a handover, and creates a token with which a browser becomes the handover's user.
    async fn redeem(&self, secret: &str, headers: &HeaderMap) -> Result<Issued, Refusal> {
        let user = self.handovers.redeem(secret, self.now()).await;
        let user = user.map_err(|error| self.fault("redeem a handover", &error))?;
        let issued = match user {
            Some(user) => self.guests.new_token_for_browser(user, client_name(headers), self.now()).await,
            None => Ok(None),
        };
        issued.map_err(|error| self.fault("store a session", &error))?.ok_or_else(invalid_handover)
    }

    /// Refuses a request about a browser's session if it comes from a page of another site.
    fn check_own_page(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        if has_cookie(headers) { self.origins.check(headers) } else { self.origins.check_if_named(headers) }
    }

    /// Returns the user that a browser can switch back to, if any.
    async fn previous_user(
        &self,
        headers: &HeaderMap,
        current_user: UserId,
    ) -> Result<Option<UserView>, Refusal> {
        Ok(self.previous_session(headers, Some(current_user)).await?.map(|session| session.user.view()))
    }
}

/// Returns the refusal for a handover that is unknown, used or expired. The refusal is the same in
/// all three cases.
fn invalid_handover() -> Refusal {
    let message = "this link is invalid, expired or already used";
    Refusal::new(RefusalCode::BadHandover, message)
}

/// Parses the id of a table. The refusal of a malformed id is the same as that of an unknown table.
pub(crate) fn table_id(text: &str) -> Result<TableId, Refusal> {
    text.parse().map_err(|_| Refusal::no_table())
}

/// Refuses requests for paths under `/api` without a route.
async fn not_found() -> Refusal {
    Refusal::new(RefusalCode::NotFound, "there is nothing here")
}

impl From<OpenError> for Refusal {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Fault(fault) => Self::fault(fault),
            OpenError::Stopped(stopped) => stopped.into(),
            OpenError::Setting(_)
            | OpenError::Start(_)
            | OpenError::Time { .. }
            | OpenError::CmdTaken
            | OpenError::Seat(_)
            | OpenError::Elsewhere { .. } => {
                Self::new(error.code().expect("only faults and a stopped server have no code"), error)
            }
        }
    }
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        Self::fault(fault)
    }
}

impl From<FindError> for Refusal {
    fn from(error: FindError) -> Self {
        match error {
            FindError::Stopped(stopped) => stopped.into(),
            FindError::Fault(fault) => fault.into(),
        }
    }
}

impl From<Stopped> for Refusal {
    fn from(Stopped: Stopped) -> Self {
        Self::closing()
    }
}
