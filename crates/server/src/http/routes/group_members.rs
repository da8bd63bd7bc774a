//! The routes of the members of groups.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::routing::{get, put};
use axum::{Json, Router};
use quadrex_protocol::RefusalCode;
use quadrex_protocol::http::{ChangeGroupRole, GroupMember, GroupMembers, GroupRole};
use quadrex_store::{GroupLeft, StoredGroupMember};

use super::groups::{is_managed, not_owner};
use crate::http::body::JsonBody;
use crate::http::refusal::Refusal;
use crate::http::state::{AppState, Peer, require_all_rights};
use crate::telemetry::audit::{AuditAction, AuditEntry};

/// Returns the routes.
pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/api/groups/{group}/members", get(list))
        .route("/api/groups/{group}/members/{user}", put(set_role).delete(remove))
}

async fn list(
    State(state): State<AppState>,
    Path(group): Path<String>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<GroupMembers>, Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    let identity = state.identify(&method, &headers).await?;
    let found = state.shown_group(&identity, &group).await?;
    let stored = state.groups.members(found.group.id).await;
    let stored = stored.map_err(|error| state.fault("list the members of a group", &error))?;
    let ids: Vec<_> = stored.iter().filter(|stored| stored.role.is_some()).map(|it| it.user.id).collect();
    let online = state.lobby.online_among(&ids).await;
    let is_manager = is_managed(&found);
    let (mut members, mut removed) = (Vec::new(), Vec::new());
    for StoredGroupMember { user, role, since } in stored {
        match role {
            Some(role) => members.push(GroupMember {
                online: found.role.is_some() && online.contains(&user.id),
                user: user.view(),
                role,
                since_ms: since.as_millis(),
            }),
            None if is_manager => removed.push(user.view()),
            None => {}
        }
    }
    Ok(Json(GroupMembers { members, removed }))
}

/// Gives a member another role, or lets a removed user back into the group. Only the owner decides who
/// is the owner or an admin.
async fn set_role(
    State(state): State<AppState>,
    Path((group, user)): Path<(String, String)>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
    JsonBody(ChangeGroupRole { role }): JsonBody<ChangeGroupRole>,
) -> Result<StatusCode, Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    let identity = state.identify(&method, &headers).await?;
    let managed = state.managed_group(&identity, &group).await?;
    let (id, user) = (managed.group.id, state.find_user(&user).await?);
    let members = state.groups.members(id).await;
    let members = members.map_err(|error| state.fault("list the members of a group", &error))?;
    let known = members.iter().find(|member| member.user.id == user.id).ok_or_else(no_member)?;
    let is_return = known.role.is_none() && role == GroupRole::Member;
    if managed.role != Some(GroupRole::Owner) && !is_return {
        return Err(not_owner());
    }
    if known.role == Some(GroupRole::Owner) && role != GroupRole::Owner {
        return Err(Refusal::new(RefusalCode::Forbidden, "make another member the owner first"));
    }
    if role == GroupRole::Owner && !user.account {
        return Err(Refusal::new(RefusalCode::AccountNeeded, "the owner of a group needs an account"));
    }
    let is_set = state.groups.set_role(id, user.id, role).await;
    if !is_set.map_err(|error| state.fault("change the role of a member", &error))? {
        return Err(no_member());
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Removes a member, or ends the own membership. In both cases the user's connections are closed, so
/// that they are opened again without the rights of a member.
async fn remove(
    State(state): State<AppState>,
    Path((group, user)): Path<(String, String)>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<StatusCode, Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    let identity = state.identify(&method, &headers).await?;
    let found = state.shown_group(&identity, &group).await?;
    let (id, now) = (found.group.id, state.now());
    let own = require_all_rights(&identity)?.id;
    let fault = |error| state.fault("end the membership in a group", &error);
    if user == own.to_string() {
        return match state.groups.leave(id, own, now).await.map_err(fault)? {
            GroupLeft::NotMember => Err(no_member()),
            GroupLeft::Left | GroupLeft::Dissolved => {
                state.sessions.lost_rights(own).await.map_err(fault)?;
                Ok(StatusCode::NO_CONTENT)
            }
        };
    }
    let managed = state.managed_group(&identity, &group).await?;
    let user = state.find_user(&user).await?.id;
    let members = state.groups.members(id).await.map_err(fault)?;
    let role = members.iter().find(|member| member.user.id == user).and_then(|member| member.role);
    match role {
        None => return Err(no_member()),
        Some(GroupRole::Owner | GroupRole::Admin) if managed.role != Some(GroupRole::Owner) => {
            return Err(not_owner());
        }
        Some(_) => {}
    }
    if !state.groups.remove(id, user, now).await.map_err(fault)? {
        return Err(no_member());
    }
    state.sessions.lost_rights(user).await.map_err(fault)?;
    let address = state.proxies.client_addr(peer.0, &headers)?;
    let entry = AuditEntry::new(AuditAction::GroupMemberRemoved).by(own).from(address);
    entry.on(user).of_group(id).record();
    Ok(StatusCode::NO_CONTENT)
}

fn no_member() -> Refusal {
    Refusal::new(RefusalCode::NotFound, "the group has no such member")
}
