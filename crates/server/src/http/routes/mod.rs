//! The routes under `/api`.

mod account;
mod analyse;
mod bots;
mod close_table;
mod conditional_moves;
mod deletion;
mod explore;
mod group_members;
mod groups;
mod health;
mod invitations;
mod invite_again;
mod links;
mod mail;
mod matches;
mod notifications;
mod operators;
mod pairs;
mod password_resets;
mod people;
mod personal_data;
mod pictures;
mod providers;
mod ratings;
mod reports;
mod sessions;
mod shares;
mod sign_in;
mod tokens;
mod vacations;
mod warnings;

use std::net::IpAddr;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::routing::{get, post};
use axum::{Json, Router};
use quadrex_protocol::bot::{BotSeat, BotView};
use quadrex_protocol::http::{
    CreateTable, GuestCreated, NewGuest, QuickJoin, QuickJoined, TableCreated, TableList, TableSummary,
    TokenScope,
};
use quadrex_protocol::user::UserView;
use quadrex_protocol::{RefusalCode, TableId};
use quadrex_table::Rejection;
use serde::Deserialize;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::auth::{Action, Key, UserName};
use crate::fault::Fault;
use crate::http::body::JsonBody;
use crate::http::refusal::Refusal;
use crate::http::state::{AppState, Peer, require_scope};
use crate::limits::network_text;
use crate::lobby::{FindError, Joiner, OpenError, Stopped, TablePage};
use crate::telemetry::audit::{AuditAction, AuditEntry};
use groups::no_group;
pub(crate) use health::{fence, healthz, readyz};
use matches::parse_query;
pub(crate) use pictures::routes as picture_routes;

/// Returns the routes.
pub(crate) fn routes() -> Router<AppState> {
    Router::new()
        .route("/api/guests", post(create_guest))
        .route("/api/tables", get(list_tables).post(create_table))
        .route("/api/quick-join", post(quick_join))
        .route("/api/tables/{table}", get(show_table))
        .merge(account::routes())
        .merge(analyse::routes())
        .merge(bots::routes())
        .merge(conditional_moves::routes())
        .merge(deletion::routes())
        .merge(explore::routes())
        .merge(group_members::routes())
        .merge(groups::routes())
        .merge(invitations::routes())
        .merge(invite_again::routes())
        .merge(links::routes())
        .merge(mail::routes())
        .merge(matches::routes())
        .merge(notifications::routes())
        .merge(operators::routes())
        .merge(people::routes())
        .merge(password_resets::routes())
        .merge(personal_data::routes())
        .merge(providers::routes())
        .merge(ratings::routes())
        .merge(sessions::routes())
        .merge(reports::routes())
        .merge(shares::routes())
        .merge(sign_in::routes())
        .merge(tokens::routes())
        .merge(vacations::routes())
        .merge(warnings::routes())
        .route("/api/{*rest}", axum::routing::any(not_found))
        .layer(SetResponseHeaderLayer::overriding(
            header::CACHE_CONTROL,
            HeaderValue::from_static("no-store"),
        ))
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
    if let Some(key) = name.as_ref().and_then(UserName::key)
        && state.is_taken(&key, None).await?
    {
        return Err(Refusal::name_taken());
    }
    let bot = bot.then_some(BotView::Account {});
    let issued = state.guests.for_program(name, bot, state.now()).await;
    let issued = issued.map_err(|error| state.fault("create a guest", &error))?;
    AuditEntry::new(AuditAction::GuestCreated).by(issued.user.id).from(address).record();
    let created = GuestCreated { user: issued.user.view(), token: issued.token.as_str().to_owned() };
    Ok((StatusCode::CREATED, Json(created)))
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
    let host = require_scope(&identity, TokenScope::Host)?.view();
    let address = state.proxies.client_addr(peer.0, &headers)?;
    Ok((StatusCode::CREATED, Json(state.create_table(request, host, address).await?)))
}

impl AppState {
    /// Creates a table for a user at an address, unless the same request has created it before.
    pub(super) async fn create_table(
        &self,
        request: CreateTable,
        host: UserView,
        address: IpAddr,
    ) -> Result<TableCreated, Refusal> {
        if request.cmd.is_some() {
            self.rate_limits.check_lookup(address)?;
        }
        if let Some(created) = self.lobby.requested(&request, host.id).await? {
            return Ok(created);
        }
        if let Some(group) = request.group {
            let is_member = self.groups.is_member(group, host.id).await;
            if !is_member.map_err(|error| self.fault("look up a member of a group", &error))? {
                return Err(no_group());
            }
        }
        self.rate_limits.check_table(host.id, address).await?;
        let is_bots_only = request.bots.len() >= request.variant.player_count();
        let admitted = is_bots_only.then(|| self.bot_matches.admit(host.id, address)).transpose()?;
        let mut bots = Vec::new();
        for BotSeat { seat, bot } in &request.bots {
            bots.push((*seat, self.bot(bot, request.variant).await?));
        }
        let opened = self.lobby.open_once(request, host, bots, network_text(address)).await?;
        if let (Some(admitted), Some(table)) = (admitted, &opened.new) {
            admitted.start_at(table);
        }
        Ok(opened.created)
    }
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
    let user = require_scope(&identity, TokenScope::Play)?.view();
    let address = state.proxies.client_addr(peer.0, &headers)?;
    if request.cmd.is_some() {
        state.rate_limits.check_lookup(address)?;
    }
    let may_create = async || state.rate_limits.check_table(user.id, address).await.map_err(Refusal::from);
    let joiner = Joiner { user: user.clone(), network: network_text(address) };
    Ok(Json(state.lobby.quick_join(&request, &joiner, may_create).await?))
}

async fn show_table(
    State(state): State<AppState>,
    Path(table): Path<String>,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<TableSummary>, Refusal> {
    let identity = state.identify(&method, &headers).await?;
    let handle = state.table_for(&identity, table_id(&table)?, Action::See { key: Key::None }).await?;
    Ok(Json(handle.overview().summary_for(identity.id())))
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
            OpenError::Seat(Rejection::RatedWait { left_ms }) => {
                Self::new(RefusalCode::RatedWait, error).after(Duration::from_millis(left_ms))
            }
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
