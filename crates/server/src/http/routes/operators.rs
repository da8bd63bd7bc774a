//! The routes for operators under `/api/admin`. For everybody else, these paths do not exist.

use std::net::IpAddr;
use std::time::Duration;

use axum::extract::{FromRequestParts, Path, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use axum::{Json, Router};
use quadrex_protocol::http::{
    AdminReason, AdminRename, AdminUser, AdminUserDetails, AdminUserList, SuspendUser, UserSuspensionView,
};
use quadrex_protocol::{RefusalCode, UserId};
use quadrex_store::FoundUser;
use serde::Deserialize;
use tower::Service;

use super::account::{choose_name, no_name_of_account};
use super::matches::parse_query;
use super::{close_table, deletion, not_found, pairs, personal_data, reports, warnings};
use crate::archive::ArchiveQuery;
use crate::auth::{NameChange, NameKey, User, UserSuspension};
use crate::http::body::JsonBody;
use crate::http::method_not_allowed;
use crate::http::refusal::Refusal;
use crate::http::state::{AppState, Peer};
use crate::telemetry::audit::{AuditAction, AuditEntry};

/// The number of matches in the details of a user.
const MATCHES: u16 = 10;

/// The longest reason for an action, and the longest note, in characters.
const MAX_REASON: usize = 500;

/// The longest suspension with an end, in hours: ten years.
const MAX_HOURS: u32 = 87_600;

/// Returns the route of all paths of operators, which passes requests of operators on.
pub(super) fn routes() -> Router<AppState> {
    Router::new().route("/api/admin/{*rest}", any(admit))
}

/// Returns the routes that only operators reach.
fn operator_routes() -> Router<AppState> {
    Router::new()
        .route("/api/admin/users", get(search))
        .route("/api/admin/users/{user}", get(show))
        .route("/api/admin/users/{user}/suspend", post(suspend))
        .route("/api/admin/users/{user}/restore", post(restore))
        .route("/api/admin/users/{user}/rename", post(rename))
        .route("/api/admin/users/{user}/revoke", post(revoke))
        .merge(deletion::operator_routes())
        .merge(pairs::operator_routes())
        .merge(personal_data::operator_routes())
        .merge(reports::operator_routes())
        .merge(warnings::operator_routes())
        .merge(close_table::operator_routes())
        .fallback(not_found)
        .method_not_allowed_fallback(method_not_allowed)
}

/// The operator who has sent a request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operator {
    id: UserId,
    /// The address from which the request came.
    address: IpAddr,
}

impl Operator {
    /// Returns the id of the operator.
    pub(super) fn id(self) -> UserId {
        self.id
    }

    /// Returns an entry in the audit log about an action of the operator.
    pub(super) fn entry<'a>(self, action: AuditAction) -> AuditEntry<'a> {
        AuditEntry::new(action).by(self.id).from(self.address)
    }
}

impl<S: Sync> FromRequestParts<S> for Operator {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        Ok(*parts.extensions.get().expect("`admit` has let only operators through"))
    }
}

/// Passes a request of an operator on to its route. Answers all other requests like requests for
/// unknown paths, before the path and the method are looked at.
async fn admit(State(state): State<AppState>, peer: Peer, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let Some(operator) = state.operator(peer, &parts.method, &parts.headers).await else {
        return not_found().await.into_response();
    };
    // The new request does not have the parameters of this route's path.
    let mut request = Request::new(body);
    *request.method_mut() = parts.method;
    *request.uri_mut() = parts.uri;
    *request.headers_mut() = parts.headers;
    request.extensions_mut().insert(operator);
    let response = operator_routes().with_state(state).call(request).await;
    response.unwrap_or_else(|never| match never {})
}

/// The query of a list of users.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct UsersQuery {
    /// The beginning of the name.
    name: Option<String>,
    /// True for the suspended users.
    #[serde(default)]
    suspended: bool,
}

/// Lists the users whose names begin with a text, or the suspended users.
async fn search(
    State(state): State<AppState>,
    operator: Operator,
    uri: Uri,
) -> Result<Json<AdminUserList>, Refusal> {
    let now = state.now();
    let found = match parse_query(&uri)? {
        UsersQuery { name: Some(name), suspended: false } if !name.trim().is_empty() => {
            state.user_search.by_name(name.trim(), now).await
        }
        UsersQuery { name: None, suspended: true } => state.user_search.suspended(now).await,
        _ => return Err(Refusal::new(RefusalCode::Malformed, "send either a name or suspended=true")),
    };
    let found = found.map_err(|error| state.fault("search for users", &error))?;
    operator.entry(AuditAction::UsersSearched).count(found.len()).record();
    Ok(Json(AdminUserList { users: found.into_iter().map(view).collect() }))
}

/// Returns what operators see about a user.
async fn show(
    State(state): State<AppState>,
    operator: Operator,
    Path(user): Path<String>,
) -> Result<Json<AdminUserDetails>, Refusal> {
    let found = state.found_user(&user).await?;
    operator.entry(AuditAction::UserShown).on(found.user.id).record();
    state.details(found.user.id).await
}

/// Suspends a user: the user may read, but change nothing. Replaces an earlier suspension.
async fn suspend(
    State(state): State<AppState>,
    operator: Operator,
    Path(user): Path<String>,
    JsonBody(SuspendUser { reason, hours }): JsonBody<SuspendUser>,
) -> Result<Json<AdminUserDetails>, Refusal> {
    let reason = check_reason(&reason)?;
    if hours.is_some_and(|hours| !(1..=MAX_HOURS).contains(&hours)) {
        let message = format_args!("a suspension ends after 1 to {MAX_HOURS} hours, or never");
        return Err(Refusal::new(RefusalCode::BadSetting, message));
    }
    let user = state.found_user(&user).await?.user;
    state.check_target(&user)?;
    let since = state.now();
    let until = hours.map(|hours| since + Duration::from_secs(3_600 * u64::from(hours)));
    let suspension =
        UserSuspension { user: user.id, reason: reason.to_owned(), since, until, by: operator.id };
    let suspended = state.sessions.suspend(&suspension).await;
    suspended.map_err(|error| state.fault("suspend a user", &error))?;
    operator.entry(AuditAction::UserSuspended).on(user.id).because(reason).until(until).record();
    state.details(user.id).await
}

/// Ends the suspension of a user.
async fn restore(
    State(state): State<AppState>,
    operator: Operator,
    Path(user): Path<String>,
    JsonBody(AdminReason { reason }): JsonBody<AdminReason>,
) -> Result<Json<AdminUserDetails>, Refusal> {
    let reason = check_reason(&reason)?;
    let user = state.found_user(&user).await?.user.id;
    let has_ended = state.sessions.end_suspension(user, state.now()).await;
    if !has_ended.map_err(|error| state.fault("end a suspension", &error))? {
        return Err(Refusal::new(RefusalCode::NotFound, "this user is not suspended"));
    }
    operator.entry(AuditAction::UserRestored).on(user).because(reason).record();
    state.details(user).await
}

/// Changes the name of a user. At seats that the user already holds, and in past matches, the old
/// name stays.
async fn rename(
    State(state): State<AppState>,
    operator: Operator,
    Path(user): Path<String>,
    JsonBody(AdminRename { name, reason }): JsonBody<AdminRename>,
) -> Result<Json<AdminUserDetails>, Refusal> {
    let reason = check_reason(&reason)?;
    let user = state.found_user(&user).await?.user;
    state.check_target(&user)?;
    let name = choose_name(&name, &user)?;
    let Some(key) = name.key() else { return Err(no_name_of_account()) };
    if state.is_taken(&key, Some(user.id)).await? {
        return Err(Refusal::name_taken());
    }
    let renamed = state.accounts.rename_at_once(user.id, &name, state.now()).await;
    match renamed.map_err(|error| state.fault("rename a user", &error))? {
        NameChange::Changed(user) => {
            operator.entry(AuditAction::UserRenamed).on(user.id).because(reason).record();
            state.details(user.id).await
        }
        NameChange::NameTaken | NameChange::TooSoon { .. } => Err(Refusal::name_taken()),
        NameChange::NoUser => Err(no_user()),
    }
}

/// Ends all sessions of a user, revokes all tokens, and closes their connections to all servers.
async fn revoke(
    State(state): State<AppState>,
    operator: Operator,
    Path(user): Path<String>,
    JsonBody(AdminReason { reason }): JsonBody<AdminReason>,
) -> Result<Json<AdminUserDetails>, Refusal> {
    let reason = check_reason(&reason)?;
    let user = state.found_user(&user).await?.user;
    state.check_target(&user)?;
    let fault = |error| state.fault("end the sessions of a user", &error);
    let sessions = state.sessions.revoke_others(user.id, None, state.now()).await.map_err(fault)?;
    let tokens = state.sessions.revoke_tokens(user.id, state.now()).await.map_err(fault)?;
    let entry = operator.entry(AuditAction::AccessRevoked).on(user.id).because(reason);
    entry.count(sessions + tokens).record();
    state.details(user.id).await
}

impl AppState {
    /// Refuses actions on operators and on bots of the server.
    pub(super) fn check_target(&self, user: &User) -> Result<(), Refusal> {
        if NameKey::of(&user.name).is_some_and(|name| user.account && self.operators.contains(&name)) {
            let message = "this user is an operator: remove the account from the settings first";
            return Err(Refusal::new(RefusalCode::Forbidden, message));
        }
        if user.view().is_server_bot() {
            return Err(Refusal::new(RefusalCode::Forbidden, "this user is a bot of the server"));
        }
        Ok(())
    }

    /// Returns the operator who has sent a request, if an operator has sent it.
    async fn operator(&self, peer: Peer, method: &Method, headers: &HeaderMap) -> Option<Operator> {
        let identity = self.identify_even_suspended(method, headers).await.ok()?;
        let address = self.proxies.client_addr(peer.0, headers).ok()?;
        let id = identity.id().filter(|_| self.operators.admit(&identity))?;
        Some(Operator { id, address })
    }

    /// Returns the user with this id.
    pub(super) async fn found_user(&self, id: &str) -> Result<FoundUser, Refusal> {
        let found = match id.parse::<UserId>() {
            Ok(user) => self.user_search.find(user, self.now()).await,
            Err(_) => Ok(None),
        };
        let found = found.map_err(|error| self.fault("find a user", &error))?;
        found.ok_or_else(no_user)
    }

    /// Returns what operators see about a user. All matches of the user are listed, as they are for
    /// the user.
    pub(super) async fn details(&self, user: UserId) -> Result<Json<AdminUserDetails>, Refusal> {
        let FoundUser { user, suspension } = self.found_user(&user.to_string()).await?;
        let facts = self.user_search.facts_of(user.id, self.now()).await;
        let facts = facts.map_err(|error| self.fault("count the sessions of a user", &error))?;
        let query = ArchiveQuery {
            user: Some(user.id),
            player: None,
            variant: None,
            before: None,
            seen_by: Some(user.id),
            limit: MATCHES,
        };
        let listed = self.archive.list(query).await;
        let listed = listed.map_err(|error| self.fault("list matches", &error))?;
        let reports = self.reports.counts(user.id).await;
        let reports = reports.map_err(|error| self.fault("count reports", &error))?;
        let warnings = self.warnings.of(user.id).await;
        let warnings = warnings.map_err(|error| self.fault("list the warnings of a user", &error))?;
        Ok(Json(AdminUserDetails {
            user: user.view(),
            created_at_ms: user.created_at.as_millis(),
            account_created_at_ms: facts.account_created_at.map(|at| at.as_millis()),
            seen_at_ms: facts.seen_at.map(|at| at.as_millis()),
            sessions: facts.sessions,
            tokens: facts.tokens,
            suspended_by: suspension.as_ref().map(|suspension| suspension.by),
            suspension: suspension.as_ref().map(suspension_view),
            warnings: warnings.into_iter().map(warnings::admin_view).collect(),
            reports: reports.all,
            open_reports: reports.open,
            matches: listed.matches,
        }))
    }
}

fn view(FoundUser { user, suspension }: FoundUser) -> AdminUser {
    AdminUser {
        user: user.view(),
        created_at_ms: user.created_at.as_millis(),
        suspension: suspension.as_ref().map(suspension_view),
    }
}

/// Returns a suspension as the suspended user sees it.
pub(super) fn suspension_view(suspension: &UserSuspension) -> UserSuspensionView {
    UserSuspensionView {
        reason: suspension.reason.clone(),
        since_ms: suspension.since.as_millis(),
        until_ms: suspension.until.map(|until| until.as_millis()),
    }
}

fn no_user() -> Refusal {
    Refusal::new(RefusalCode::NotFound, "there is no such user")
}

/// Returns the reason for an action without the spaces around it.
pub(super) fn check_reason(reason: &str) -> Result<&str, Refusal> {
    check_line("a reason", reason)
}

/// Returns a short text of an operator without the spaces around it. `what` is what the text is, for
/// the refusal.
pub(super) fn check_line<'a>(what: &str, text: &'a str) -> Result<&'a str, Refusal> {
    let text = text.trim();
    if (1..=MAX_REASON).contains(&text.chars().count()) && !text.chars().any(char::is_control) {
        return Ok(text);
    }
    let message = format_args!("{what} has 1 to {MAX_REASON} characters on one line");
    Err(Refusal::new(RefusalCode::BadSetting, message))
}
