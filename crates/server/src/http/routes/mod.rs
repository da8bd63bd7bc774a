//! The routes under `/api`.

mod analyse;
mod bots;
mod explore;
mod health;
mod links;
mod matches;
mod pictures;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use quadrex_protocol::bot::{BotSeat, BotView};
use quadrex_protocol::http::{
    CreateTable, GuestCreated, HandoverPreview, LinkCreated, Me, NewGuest, NewSession, QuickJoin,
    QuickJoined, Session, ShownHandover, TableCreated, TableList, TableSummary,
};
use quadrex_protocol::user::UserView;
use quadrex_protocol::{RefusalCode, TableId, UserId};
use serde::Deserialize;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::auth::{Action, Issued, User, UserName};
use crate::fault::Fault;
use crate::http::auth::has_cookie;
use crate::http::body::JsonBody;
use crate::http::refusal::Refusal;
use crate::http::state::{App, Peer, require_user};
use crate::lobby::{OpenError, Stopped, TablePage};
pub(crate) use health::{fence, healthz, readyz};
use matches::read_query;
pub(crate) use pictures::routes as picture_routes;

/// The routes.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/api/session", post(begin_session))
        .route("/api/guests", post(make_guest))
        .route("/api/session/back", post(go_back))
        .route("/api/handovers", post(make_handover))
        .route("/api/handovers/preview", post(preview_handover))
        .route("/api/me", get(me))
        .route("/api/tables", get(list_tables).post(make_table))
        .route("/api/quick-join", post(quick_join))
        .route("/api/tables/{table}", get(show_table))
        .merge(analyse::routes())
        .merge(bots::routes())
        .merge(explore::routes())
        .merge(links::routes())
        .merge(matches::routes())
        .route("/api/{*rest}", axum::routing::any(nothing_here))
        .layer(SetResponseHeaderLayer::overriding(
            header::CACHE_CONTROL,
            HeaderValue::from_static("no-store"),
        ))
}

/// Makes a guest for a browser, unless its cookie names somebody already. With a handover the browser becomes the user
/// that it names, and keeps the session it had, to return to.
async fn begin_session(
    State(app): State<App>,
    peer: Peer,
    headers: HeaderMap,
    JsonBody(NewSession { handover }): JsonBody<NewSession>,
) -> Result<Response, Refusal> {
    app.check_own_page(&headers)?;
    let address = app.visitors.address(peer.0, &headers)?;
    let identity = app.identify_by_cookie(&headers).await?;
    let now = identity.user();
    if let Some(secret) = handover {
        app.visitors.count_guest(address)?;
        let Issued { user, token } = app.redeem(&secret).await?;
        let left = now.filter(|now| now.id != user.id);
        let (cookies, earlier) = match left {
            Some(left) => (app.cookies_of_handover(&headers, &token), Some(left.view())),
            None => (app.cookie(&token), app.earlier_user(&headers, user.id).await?),
        };
        return Ok((cookies, Json(Session { user: user.view(), earlier })).into_response());
    }
    if let Some(user) = now {
        let earlier = app.earlier_user(&headers, user.id).await?;
        return Ok(
            (app.renewed_cookie(&headers), Json(Session { user: user.view(), earlier })).into_response()
        );
    }
    app.visitors.count_guest(address)?;
    let issued = app.guests.for_browser(app.now()).await;
    let Issued { user, token } = issued.map_err(|error| app.fault("make a guest", &error))?;
    let earlier = app.earlier_user(&headers, user.id).await?;
    Ok((app.cookie(&token), Json(Session { user: user.view(), earlier })).into_response())
}

/// Returns a browser to the session that a handover took the place of. The one it leaves is forgotten.
async fn go_back(State(app): State<App>, peer: Peer, headers: HeaderMap) -> Result<Response, Refusal> {
    app.check_own_page(&headers)?;
    app.visitors.count_guest(app.visitors.address(peer.0, &headers)?)?;
    let now = app.identify_by_cookie(&headers).await?.user().map(|user| user.id);
    let Some(earlier) = app.earlier_session(&headers, now).await? else {
        return Err(Refusal::new(RefusalCode::NotFound, "this browser was nobody else before"));
    };
    let user = earlier.user.view();
    let (cookies, before) = app.cookies_of_return(earlier).await?;
    let earlier = before.map(|session| session.user.view());
    Ok((cookies, Json(Session { user, earlier })).into_response())
}

/// Tells a browser whom a handover names and who it is itself, so that nobody becomes another user unasked. The
/// handover stays good.
async fn preview_handover(
    State(app): State<App>,
    peer: Peer,
    headers: HeaderMap,
    JsonBody(ShownHandover { secret }): JsonBody<ShownHandover>,
) -> Result<Json<HandoverPreview>, Refusal> {
    app.check_own_page(&headers)?;
    app.visitors.count_guest(app.visitors.address(peer.0, &headers)?)?;
    let named = app.handovers.preview(&secret, app.now()).await;
    let named = named.map_err(|error| app.fault("look a handover up", &error))?;
    let user = match named {
        Some(user) => app.guests.find(user).await.map_err(|error| app.fault("find a user", &error))?,
        None => None,
    };
    let user = user.ok_or_else(bad_handover)?.view();
    let you = app.identify_by_cookie(&headers).await?.user().map(User::view);
    Ok(Json(HandoverPreview { user, you }))
}

/// Makes a guest for a program.
async fn make_guest(
    State(app): State<App>,
    peer: Peer,
    headers: HeaderMap,
    JsonBody(NewGuest { name, bot }): JsonBody<NewGuest>,
) -> Result<(StatusCode, Json<GuestCreated>), Refusal> {
    let name: Option<UserName> = name
        .map(|name| UserName::chosen(&name, bot))
        .transpose()
        .map_err(|error| Refusal::new(RefusalCode::BadSetting, error))?;
    app.visitors.count_guest(app.visitors.address(peer.0, &headers)?)?;
    let bot = bot.then_some(BotView::Account {});
    let issued = app.guests.for_program(name, bot, app.now()).await;
    let issued = issued.map_err(|error| app.fault("make a guest", &error))?;
    let created = GuestCreated { user: issued.user.view(), token: issued.token.as_str().to_owned() };
    Ok((StatusCode::CREATED, Json(created)))
}

/// Makes the secret with which its user goes on from another device.
async fn make_handover(
    State(app): State<App>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<(StatusCode, Json<LinkCreated>), Refusal> {
    let identity = app.identify(&method, &headers).await?;
    let user = require_user(&identity)?.id;
    app.visitors.count_handover(user, app.visitors.address(peer.0, &headers)?)?;
    let issued = app.handovers.issue(user, app.now()).await;
    let (secret, handover) = issued.map_err(|error| app.fault("make a handover", &error))?;
    let expires_at_ms = handover.expires_at.as_millis();
    Ok((StatusCode::CREATED, Json(LinkCreated { secret: secret.as_str().to_owned(), expires_at_ms })))
}

/// Tables a list has, if it is not said, and at most.
const USUAL_LENGTH: u16 = 50;
const LONGEST: u16 = 100;

/// Which part of a list is wanted.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WantedPage {
    before: Option<TableId>,
    limit: Option<u16>,
}

impl WantedPage {
    fn read(uri: &Uri) -> Result<TablePage, Refusal> {
        let Self { before, limit } = read_query(uri)?;
        let limit = limit.unwrap_or(USUAL_LENGTH);
        if !(1..=LONGEST).contains(&limit) {
            let message = format_args!("limit is {limit}, it must be 1 to {LONGEST}");
            return Err(Refusal::new(RefusalCode::BadSetting, message));
        }
        Ok(TablePage { before, limit })
    }
}

async fn me(
    State(app): State<App>,
    method: Method,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Json<Me>, Refusal> {
    let page = WantedPage::read(&uri)?;
    let identity = app.identify(&method, &headers).await?;
    let user = require_user(&identity)?;
    let (tables, next) = app.lobby.mine(user.id, page).await?;
    Ok(Json(Me { user: user.view(), tables, next }))
}

async fn list_tables(
    State(app): State<App>,
    peer: Peer,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Json<TableList>, Refusal> {
    app.count_lookup(peer, &headers)?;
    Ok(Json(app.lobby.list(WantedPage::read(&uri)?).await?))
}

async fn make_table(
    State(app): State<App>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
    JsonBody(request): JsonBody<CreateTable>,
) -> Result<(StatusCode, Json<TableCreated>), Refusal> {
    let identity = app.identify(&method, &headers).await?;
    let host = require_user(&identity)?.view();
    let address = app.visitors.address(peer.0, &headers)?;
    if request.cmd.is_some() {
        app.visitors.count_lookup(address)?;
    }
    if let Some(created) = app.lobby.requested(&request, host.id).await? {
        return Ok((StatusCode::CREATED, Json(created)));
    }
    app.visitors.count_table(host.id, address)?;
    let is_of_bots_alone = request.bots.len() >= request.variant.player_count();
    let admitted = is_of_bots_alone.then(|| app.bot_matches.admit(host.id, address)).transpose()?;
    let mut bots = Vec::new();
    for BotSeat { seat, bot } in &request.bots {
        bots.push((*seat, app.bot(bot, request.variant).await?));
    }
    let opened = app.lobby.open_once(request, host, bots).await?;
    if let (Some(admitted), Some(table)) = (admitted, &opened.new) {
        admitted.begun_at(table);
    }
    Ok((StatusCode::CREATED, Json(opened.created)))
}

/// Seats a user at a table that fits; a table made for that counts like any other.
async fn quick_join(
    State(app): State<App>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
    JsonBody(wish): JsonBody<QuickJoin>,
) -> Result<Json<QuickJoined>, Refusal> {
    let identity = app.identify(&method, &headers).await?;
    let user = require_user(&identity)?.view();
    let address = app.visitors.address(peer.0, &headers)?;
    if wish.cmd.is_some() {
        app.visitors.count_lookup(address)?;
    }
    let may_make = || app.visitors.count_table(user.id, address);
    Ok(Json(app.lobby.quick_join(&wish, &user, may_make).await?))
}

async fn show_table(
    State(app): State<App>,
    Path(table): Path<String>,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<TableSummary>, Refusal> {
    let identity = app.identify(&method, &headers).await?;
    let handle = app.table_for(&identity, table_id(&table)?, Action::See).await?;
    Ok(Json(handle.overview().summary()))
}

impl App {
    /// A cookie's token of whom a handover names.
    async fn redeem(&self, secret: &str) -> Result<Issued, Refusal> {
        let user = self.handovers.redeem(secret, self.now()).await;
        let user = user.map_err(|error| self.fault("redeem a handover", &error))?;
        let issued = match user {
            Some(user) => self.guests.again_for_browser(user, self.now()).await,
            None => Ok(None),
        };
        issued.map_err(|error| self.fault("keep a session", &error))?.ok_or_else(bad_handover)
    }

    /// A browser's session is given and changed on our own pages alone.
    fn check_own_page(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        if has_cookie(headers) { self.origins.check(headers) } else { self.origins.check_if_named(headers) }
    }

    /// The user to whom a browser can return.
    async fn earlier_user(&self, headers: &HeaderMap, now: UserId) -> Result<Option<UserView>, Refusal> {
        Ok(self.earlier_session(headers, Some(now)).await?.map(|session| session.user.view()))
    }
}

/// A handover that is unknown, used or expired; the answer does not tell which.
fn bad_handover() -> Refusal {
    let message = "this link to go on from another device was used, has expired, or never was one";
    Refusal::new(RefusalCode::BadHandover, message)
}

/// A path that names no table gets the answer of a table that is not there.
pub(crate) fn table_id(text: &str) -> Result<TableId, Refusal> {
    text.parse().map_err(|_| Refusal::no_table())
}

/// Whatever else is asked for under `/api`.
async fn nothing_here() -> Refusal {
    Refusal::new(RefusalCode::NotFound, "there is nothing here")
}

impl From<OpenError> for Refusal {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Setting(error) => Self::new(error.code(), error),
            OpenError::Start(_) => Self::new(RefusalCode::BadSetup, error),
            OpenError::Time { .. } => Self::new(RefusalCode::BadSetting, error),
            OpenError::CmdTaken => Self::new(RefusalCode::CmdTaken, error),
            OpenError::Seat(rejection) => rejection.into(),
            OpenError::Fault(fault) => Self::fault(fault),
            OpenError::Stopped(stopped) => stopped.into(),
        }
    }
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        Self::fault(fault)
    }
}

impl From<Stopped> for Refusal {
    fn from(Stopped: Stopped) -> Self {
        Self::closing()
    }
}
