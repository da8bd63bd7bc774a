//! The routes of groups.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, Method, StatusCode, Uri};
use axum::routing::{get, post};
use axum::{Json, Router};
use quadrex_protocol::http::{
    ChangeGroup, GroupList, GroupRole, GroupStanding, GroupStandings, GroupTables, GroupView,
    GroupVisibility, JoinGroup, NewGroup,
};
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::{GroupId, RefusalCode, UserId};
use quadrex_store::{Group, GroupJoined, ListedGroup};
use serde::Deserialize;

use super::matches::parse_query;
use crate::auth::{Identity, Token, is_visible};
use crate::http::body::JsonBody;
use crate::http::refusal::Refusal;
use crate::http::state::{AppState, Peer, require_all_rights};
use crate::people::{GROUP_LIMITS, MAX_OWN_GROUPS, StandingsPeriod};
use crate::telemetry::audit::{AuditAction, AuditEntry};

/// The header with the secret of a group's link. Unlike a URL, a header does not appear in logs and in
/// the browser's history.
const GROUP_SECRET: HeaderName = HeaderName::from_static("group-secret");

/// The longest name of a group, in characters.
const MAX_NAME: usize = 40;

/// The longest description of a group, in characters.
const MAX_TEXT: usize = 500;

/// Returns the routes.
pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/api/groups", post(create))
        .route("/api/me/groups", get(list_own))
        .route("/api/groups/{group}", get(show).patch(change).delete(dissolve))
        .route("/api/groups/{group}/join", post(join))
        .route("/api/groups/{group}/secret", post(renew_secret))
        .route("/api/groups/{group}/tables", get(list_tables))
        .route("/api/groups/{group}/standings", get(list_standings))
}

async fn create(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
    JsonBody(NewGroup { name, text, visibility }): JsonBody<NewGroup>,
) -> Result<(StatusCode, Json<GroupView>), Refusal> {
    let identity = state.identify(&method, &headers).await?;
    let user = require_all_rights(&identity)?;
    if !user.account {
        return Err(Refusal::new(RefusalCode::AccountNeeded, "only users with an account create groups"));
    }
    let address = state.proxies.client_addr(peer.0, &headers)?;
    state.rate_limits.check_table(user.id, address).await?;
    check_name(&name)?;
    let text = text.as_deref().map(check_text).transpose()?.flatten();
    let now = state.now();
    let group = Group {
        id: GroupId(state.entropy.uuid(now)),
        name,
        text: text.map(str::to_owned),
        visibility: visibility.unwrap_or(GroupVisibility::Private),
        secret: Token::draw(&state.entropy).as_str().to_owned(),
        created_at: now,
    };
    let created = state.groups.create(&group, user.id).await;
    if !created.map_err(|error| state.fault("create a group", &error))? {
        let message = format_args!(
            "you own {MAX_OWN_GROUPS} groups or are in {} already; leave one first",
            GROUP_LIMITS.groups
        );
        return Err(Refusal::new(RefusalCode::ListFull, message));
    }
    AuditEntry::new(AuditAction::GroupCreated).by(user.id).from(address).of_group(group.id).record();
    let view = view(ListedGroup { group, members: 1, role: Some(GroupRole::Owner) });
    Ok((StatusCode::CREATED, Json(view)))
}

async fn list_own(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<GroupList>, Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    let identity = state.identify(&method, &headers).await?;
    let groups = state.groups_of(require_all_rights(&identity)?.id).await?;
    Ok(Json(GroupList { groups }))
}

/// Returns a group. With the secret of its link, a user who is not a member sees a private group too.
async fn show(
    State(state): State<AppState>,
    Path(group): Path<String>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<GroupView>, Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    let identity = state.identify(&method, &headers).await?;
    let secret = headers.get(GROUP_SECRET).and_then(|value| value.to_str().ok());
    let found = state.find_group(&identity, &group).await?;
    if !is_shown(&found) && !is_secret_of(&found, secret) {
        return Err(no_group());
    }
    Ok(Json(view(found)))
}

async fn join(
    State(state): State<AppState>,
    Path(group): Path<String>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
    JsonBody(JoinGroup { secret }): JsonBody<JoinGroup>,
) -> Result<Json<GroupView>, Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    let identity = state.identify(&method, &headers).await?;
    let found = state.find_group(&identity, &group).await?;
    if !is_shown(&found) && !is_secret_of(&found, secret.as_deref()) {
        return Err(no_group());
    }
    let user = require_all_rights(&identity)?.id;
    let joined = state.groups.join(found.group.id, user, state.now()).await;
    match joined.map_err(|error| state.fault("join a group", &error))? {
        GroupJoined::Joined => Ok(Json(view(state.find_group(&identity, &group).await?))),
        // A private group does not exist for a user who was removed from it.
        GroupJoined::Removed if found.group.visibility == GroupVisibility::Private => Err(no_group()),
        GroupJoined::Removed => Err(Refusal::new(RefusalCode::Forbidden, "you were removed from this group")),
        GroupJoined::Gone => Err(no_group()),
        GroupJoined::GroupFull => {
            let message = format_args!("this group has {} members already", GROUP_LIMITS.members);
            Err(Refusal::new(RefusalCode::ListFull, message))
        }
        GroupJoined::UserFull => {
            let message = format_args!("you are in {} groups already; leave one first", GROUP_LIMITS.groups);
            Err(Refusal::new(RefusalCode::ListFull, message))
        }
    }
}

async fn change(
    State(state): State<AppState>,
    Path(group): Path<String>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
    JsonBody(ChangeGroup { name, text, visibility }): JsonBody<ChangeGroup>,
) -> Result<Json<GroupView>, Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    let identity = state.identify(&method, &headers).await?;
    let id = state.managed_group(&identity, &group).await?.group.id;
    name.as_deref().map(check_name).transpose()?;
    let text = text.as_deref().map(check_text).transpose()?;
    let changed = state.groups.change(id, name.as_deref(), text, visibility).await;
    changed.map_err(|error| state.fault("change a group", &error))?;
    Ok(Json(view(state.find_group(&identity, &group).await?)))
}

async fn renew_secret(
    State(state): State<AppState>,
    Path(group): Path<String>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<GroupView>, Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    let identity = state.identify(&method, &headers).await?;
    let id = state.managed_group(&identity, &group).await?.group.id;
    let changed = state.groups.set_secret(id, Token::draw(&state.entropy).as_str()).await;
    changed.map_err(|error| state.fault("renew the link of a group", &error))?;
    Ok(Json(view(state.find_group(&identity, &group).await?)))
}

async fn dissolve(
    State(state): State<AppState>,
    Path(group): Path<String>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<StatusCode, Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    let identity = state.identify(&method, &headers).await?;
    let managed = state.managed_group(&identity, &group).await?;
    if managed.role != Some(GroupRole::Owner) {
        return Err(not_owner());
    }
    let id = managed.group.id;
    let members = state.groups.delete(id, state.now()).await;
    let fault = |error| state.fault("delete a group", &error);
    for member in members.map_err(fault)? {
        state.sessions.lost_rights(member).await.map_err(fault)?;
    }
    let address = state.proxies.client_addr(peer.0, &headers)?;
    let user = require_all_rights(&identity)?.id;
    AuditEntry::new(AuditAction::GroupDeleted).by(user).from(address).of_group(id).record();
    Ok(StatusCode::NO_CONTENT)
}

async fn list_tables(
    State(state): State<AppState>,
    Path(group): Path<String>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<GroupTables>, Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    let identity = state.identify(&method, &headers).await?;
    let found = state.shown_group(&identity, &group).await?;
    let matches = state.groups.matches(found.group.id).await;
    let matches = matches.map_err(|error| state.fault("list the tables of a group", &error))?;
    let is_seen = |privacy| found.role.is_some() || privacy == Privacy::Public;
    let matches = matches.into_iter().filter(|(_, privacy)| is_seen(*privacy)).map(|(own, _)| own).collect();
    Ok(Json(GroupTables { tables: state.lobby.unfinished(matches).await? }))
}

/// The parameters of a list of standings.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct StandingsQuery {
    #[serde(default)]
    period: StandingsPeriod,
}

async fn list_standings(
    State(state): State<AppState>,
    Path(group): Path<String>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Json<GroupStandings>, Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    let identity = state.identify(&method, &headers).await?;
    let found = state.shown_group(&identity, &group).await?;
    let StandingsQuery { period } = parse_query(&uri)?;
    let fault = |error| state.fault("list the standings of a group", &error);
    state.archive.complete().await.map_err(fault)?;
    let standings = state.groups.standings(found.group.id, period, state.now()).await.map_err(fault)?;
    let view = |standing: quadrex_store::StoredGroupStanding| GroupStanding {
        user: standing.user.view(),
        member: standing.is_member,
        matches: standing.matches,
        wins: standing.wins,
        points: f64::from(standing.half_points) / 2.0,
        places: standing.places,
    };
    Ok(Json(GroupStandings { standings: standings.into_iter().map(view).collect() }))
}

impl AppState {
    /// Returns the groups of a user, the one that the user joined last first.
    pub(super) async fn groups_of(&self, user: UserId) -> Result<Vec<GroupView>, Refusal> {
        let groups = self.groups.of(user).await;
        let groups = groups.map_err(|error| self.fault("list the groups of a user", &error))?;
        Ok(groups.into_iter().map(view).collect())
    }

    /// Returns a group with the role of the client. Does not check whether the client may see it.
    async fn find_group(&self, identity: &Identity, group: &str) -> Result<ListedGroup, Refusal> {
        let id: GroupId = group.parse().map_err(|_| no_group())?;
        let found = self.groups.find(id, identity.id()).await;
        found.map_err(|error| self.fault("look up a group", &error))?.ok_or_else(no_group)
    }

    /// Returns a group that the client may see: a public group, or one of the user.
    pub(super) async fn shown_group(&self, identity: &Identity, group: &str) -> Result<ListedGroup, Refusal> {
        let found = self.find_group(identity, group).await?;
        if !is_shown(&found) {
            return Err(no_group());
        }
        Ok(found)
    }

    /// Returns a group that the client may change, as its owner or an admin.
    pub(super) async fn managed_group(
        &self,
        identity: &Identity,
        group: &str,
    ) -> Result<ListedGroup, Refusal> {
        let found = self.shown_group(identity, group).await?;
        require_all_rights(identity)?;
        if !is_managed(&found) {
            let message = "only the owner and the admins of the group may do this";
            return Err(Refusal::new(RefusalCode::Forbidden, message));
        }
        Ok(found)
    }
}

fn is_shown(found: &ListedGroup) -> bool {
    found.role.is_some() || found.group.visibility == GroupVisibility::Public
}

/// Returns whether the client is the owner or an admin of a group.
pub(super) fn is_managed(found: &ListedGroup) -> bool {
    matches!(found.role, Some(GroupRole::Owner | GroupRole::Admin))
}

/// Returns whether a text is the secret of a group's link. The hashes are compared, so that the time
/// does not depend on the number of equal letters.
fn is_secret_of(found: &ListedGroup, secret: Option<&str>) -> bool {
    secret.is_some_and(|secret| Token::hash_of(secret) == Token::hash_of(&found.group.secret))
}

/// Returns the refusal for a group that does not exist or is hidden. It is the same in both cases.
pub(super) fn no_group() -> Refusal {
    Refusal::new(RefusalCode::NotFound, "there is no such group, or it is not for you")
}

pub(super) fn not_owner() -> Refusal {
    Refusal::new(RefusalCode::Forbidden, "only the owner of the group may do this")
}

/// Returns a group as the current user sees it.
pub(super) fn view(listed: ListedGroup) -> GroupView {
    let has_secret = is_managed(&listed) && listed.group.visibility == GroupVisibility::Private;
    let ListedGroup { group, members, role } = listed;
    GroupView {
        group: group.id,
        name: group.name,
        text: group.text,
        visibility: group.visibility,
        created_at_ms: group.created_at.as_millis(),
        members,
        role,
        secret: has_secret.then_some(group.secret),
    }
}

fn check_name(name: &str) -> Result<(), Refusal> {
    let is_padded = name.starts_with(' ') || name.ends_with(' ') || name.contains("  ");
    if (1..=MAX_NAME).contains(&name.chars().count()) && name.chars().all(is_visible) && !is_padded {
        return Ok(());
    }
    let message = format_args!(
        "the name of a group has 1 to {MAX_NAME} visible characters, without spaces at its ends or two in a row"
    );
    Err(Refusal::new(RefusalCode::BadSetting, message))
}

/// Checks a description, which may have several lines. Returns `None` for an empty one.
fn check_text(text: &str) -> Result<Option<&str>, Refusal> {
    let text = text.trim();
    if text.chars().count() <= MAX_TEXT && text.chars().all(|letter| letter == '\n' || is_visible(letter)) {
        return Ok(Some(text).filter(|text| !text.is_empty()));
    }
    let message = format_args!("the description of a group has at most {MAX_TEXT} visible characters");
    Err(Refusal::new(RefusalCode::BadSetting, message))
}
