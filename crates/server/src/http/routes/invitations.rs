//! The routes of the invitations of users to tables.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::routing::{delete, get, post};
use axum::{Json, Router};
use quadrex_protocol::http::{
    InvitationList, LinkCreated, NewInvitation, SentInvitation, SentInvitations, TokenScope,
};
use quadrex_protocol::view::Phase;
use quadrex_protocol::{RefusalCode, UserId};
use quadrex_rules::Color;
use quadrex_store::InvitationAdded;
use quadrex_table::check_player;

use super::links::check_seat;
use super::table_id;
use crate::actor::TableOverview;
use crate::auth::{Acceptance, MAX_INVITATIONS, User};
use crate::http::body::JsonBody;
use crate::http::refusal::Refusal;
use crate::http::state::{AppState, Peer, require_scope, require_user};
use crate::people::RelationKind;
use crate::telemetry::audit::{AuditAction, AuditEntry};

/// Returns the routes.
pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/api/tables/{table}/invitations", get(list_sent).post(invite))
        .route("/api/tables/{table}/invitations/{user}", delete(withdraw))
        .route("/api/me/invitations", get(list))
        .route("/api/me/invitations/{table}", delete(decline))
        .route("/api/me/invitations/{table}/accept", post(accept))
}

/// Invites a user to a table. If the user has blocked the host, the answer is the same, but the user
/// does not see the invitation.
async fn invite(
    State(state): State<AppState>,
    Path(table): Path<String>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
    JsonBody(NewInvitation { user, seat }): JsonBody<NewInvitation>,
) -> Result<StatusCode, Refusal> {
    let (identity, table, handle) = state.hosted_table(&method, &headers, &table).await?;
    let audit = state.check_link_rate(&identity, peer, &headers).await?;
    let (host, overview) = (require_user(&identity)?.id, handle.overview());
    check_seat(&overview, seat)?;
    check_open(&overview)?;
    let user = state.find_user(&user.to_string()).await?;
    state.check_acquainted(host, &user).await?;
    check_user(&overview, &user)?;
    match state.invite(&overview, host, user.id, seat).await? {
        InvitationAdded::Added => audit(AuditAction::UserInvited).on(user.id).at(table).record(),
        InvitationAdded::Known => {}
        InvitationAdded::Gone => return Err(cannot_invite()),
        InvitationAdded::Full => {
            let message = format_args!(
                "{MAX_INVITATIONS} invitations to this table wait for an answer; withdraw one first"
            );
            return Err(Refusal::new(RefusalCode::ListFull, message));
        }
    }
    Ok(StatusCode::NO_CONTENT)
}

async fn list_sent(
    State(state): State<AppState>,
    Path(table): Path<String>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<SentInvitations>, Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    let (_, table, _) = state.hosted_table(&method, &headers, &table).await?;
    let sent = state.invitations.to(table, state.now()).await;
    let sent = sent.map_err(|error| state.fault("list the invitations to a table", &error))?;
    let view = |sent: quadrex_store::SentInvitation| SentInvitation {
        user: sent.user.view(),
        seat: sent.seat,
        invited_at_ms: sent.at.as_millis(),
        expires_at_ms: sent.expires_at.as_millis(),
        declined: sent.declined,
    };
    Ok(Json(SentInvitations { invitations: sent.into_iter().map(view).collect() }))
}

async fn withdraw(
    State(state): State<AppState>,
    Path((table, user)): Path<(String, String)>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<StatusCode, Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    let (identity, table, _) = state.hosted_table(&method, &headers, &table).await?;
    let user = state.find_user(&user).await?.id;
    let withdrawn = state.invitations.withdraw(table, user).await;
    if withdrawn.map_err(|error| state.fault("withdraw an invitation", &error))? {
        let address = state.proxies.client_addr(peer.0, &headers)?;
        let entry = AuditEntry::new(AuditAction::InvitationWithdrawn);
        entry.by(require_user(&identity)?.id).from(address).on(user).at(table).record();
        state.lobby.invitations_changed(user);
    }
    Ok(StatusCode::NO_CONTENT)
}

async fn list(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<InvitationList>, Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    let identity = state.identify(&method, &headers).await?;
    let user = require_scope(&identity, TokenScope::Play)?.id;
    Ok(Json(InvitationList { invitations: state.lobby.invitations_of(user).await? }))
}

/// Accepts an invitation. The answer has the secret of an invite, with which the user takes a seat.
async fn accept(
    State(state): State<AppState>,
    Path(table): Path<String>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<(StatusCode, Json<LinkCreated>), Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    let identity = state.identify(&method, &headers).await?;
    let user = require_scope(&identity, TokenScope::Play)?.id;
    let accepted = state.invitations.accept(table_id(&table)?, user, state.now()).await;
    match accepted.map_err(|error| state.fault("accept an invitation", &error))? {
        Acceptance::Accepted(secret, expires_at) => {
            state.lobby.invitations_changed(user);
            Ok((StatusCode::CREATED, Json(state.link_created(&secret, expires_at, &headers))))
        }
        Acceptance::Gone => Err(Refusal::new(RefusalCode::NotFound, "there is no such invitation any more")),
        Acceptance::TooManyLinks => Err(state.too_many_links()),
    }
}

async fn decline(
    State(state): State<AppState>,
    Path(table): Path<String>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<StatusCode, Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    let identity = state.identify_even_suspended(&method, &headers).await?;
    let user = require_scope(&identity, TokenScope::Play)?.id;
    let declined = state.invitations.decline(table_id(&table)?, user).await;
    if declined.map_err(|error| state.fault("decline an invitation", &error))? {
        state.lobby.invitations_changed(user);
    }
    Ok(StatusCode::NO_CONTENT)
}

impl AppState {
    /// Invites a user to an open table, and notifies the user.
    pub(super) async fn invite(
        &self,
        table: &TableOverview,
        host: UserId,
        user: UserId,
        seat: Option<Color>,
    ) -> Result<InvitationAdded, Refusal> {
        let added = self.invitations.invite(table.status.table, user, host, seat, self.now()).await;
        let added = added.map_err(|error| self.fault("invite a user", &error))?;
        if added == InvitationAdded::Added {
            self.lobby.invitations_changed(user);
        }
        Ok(added)
    }

    /// Checks that a user may invite another one to tables. This must not reveal a block by the other
    /// user.
    async fn check_acquainted(&self, host: UserId, user: &User) -> Result<(), Refusal> {
        if user.id == host || user.view().is_server_bot() {
            return Err(cannot_invite());
        }
        let fault = |error| self.fault("look up the relation of two users", &error);
        if self.relations.to(host, user.id).await.map_err(fault)?.contains(&RelationKind::Block) {
            let message = "you have blocked this user; end the block before you invite the user";
            return Err(Refusal::new(RefusalCode::PlayerBlocked, message));
        }
        self.archive.complete().await.map_err(fault)?;
        match self.relations.are_acquainted(host, user.id).await.map_err(fault)? {
            true => Ok(()),
            false => Err(cannot_invite()),
        }
    }
}

fn cannot_invite() -> Refusal {
    let message = "you can invite users whom you follow, who follow you, who are in a group with you, or with whom you \
         have played lately";
    Refusal::new(RefusalCode::Forbidden, message)
}

fn check_open(table: &TableOverview) -> Result<(), Refusal> {
    match table.phase() {
        Phase::Open => Ok(()),
        Phase::Running => {
            Err(Refusal::new(RefusalCode::AlreadyStarted, "the match has started; nobody can join it"))
        }
        Phase::Ended => Err(Refusal::new(RefusalCode::Ended, "the match is over; nobody can join it")),
    }
}

/// Checks that a user could take a seat at a table.
fn check_user(table: &TableOverview, user: &User) -> Result<(), Refusal> {
    // At an anonymous table, the answer would show that the user plays there.
    if !table.hides_names() && table.seated().any(|seated| seated == user.id) {
        return Err(Refusal::new(RefusalCode::AlreadySeated, "this user is at the table already"));
    }
    if table.kicked.contains(&user.id) {
        return Err(Refusal::new(RefusalCode::Kicked, "this user was removed from the table"));
    }
    Ok(check_player(table.settings(), &user.view())?)
}
