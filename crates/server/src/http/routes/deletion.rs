//! The deletion of a user, by the user and by operators.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::routing::post;
use axum::{Json, Router};
use quadrex_cluster::message::SeatOrigin;
use quadrex_protocol::RefusalCode;
use quadrex_protocol::http::{AdminReason, AdminUserDetails, DeleteUser, TableSummary};
use quadrex_protocol::view::Phase;
use quadrex_rules::Color;
use quadrex_table::{Action, PlayerCommand};

use super::operators::{Operator, check_reason};
use crate::actor::{Answer, CommandRequest};
use crate::auth::{NameKey, Password, User};
use crate::http::body::JsonBody;
use crate::http::refusal::Refusal;
use crate::http::state::{AppState, Peer, require_all_rights};
use crate::lobby::Stopped;
use crate::telemetry::audit::{AuditAction, AuditEntry};

/// Returns the route for users.
pub(super) fn routes() -> Router<AppState> {
    Router::new().route("/api/me/delete", post(delete_own))
}

/// Returns the route for operators.
pub(super) fn operator_routes() -> Router<AppState> {
    Router::new().route("/api/admin/users/{user}/delete", post(delete_other))
}

/// Deletes the current user. An account with a password needs the password.
async fn delete_own(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
    JsonBody(DeleteUser { password }): JsonBody<DeleteUser>,
) -> Result<StatusCode, Refusal> {
    let identity = state.identify_even_suspended(&method, &headers).await?;
    let user = require_all_rights(&identity)?;
    let address = state.proxies.client_addr(peer.0, &headers)?;
    let name = NameKey::of(&user.name).filter(|_| user.account);
    state.rate_limits.check_sign_in(name.as_ref().map(NameKey::as_str), address).await?;
    let account = state.accounts.of(user.id).await;
    let account = account.map_err(|error| state.fault("look up an account", &error))?;
    if password.is_some() || account.as_ref().is_some_and(|account| account.password_hash.is_some()) {
        let password = Password::entered(&password.unwrap_or_default());
        state.verify_password(&password, account).await?.ok_or_else(Refusal::wrong_credentials)?;
    }
    state.delete(user).await?;
    AuditEntry::new(AuditAction::UserDeleted).by(user.id).from(address).on(user.id).record();
    Ok(StatusCode::NO_CONTENT)
}

/// Deletes a user for an operator.
async fn delete_other(
    State(state): State<AppState>,
    operator: Operator,
    Path(user): Path<String>,
    JsonBody(AdminReason { reason }): JsonBody<AdminReason>,
) -> Result<Json<AdminUserDetails>, Refusal> {
    let reason = check_reason(&reason)?;
    let user = state.found_user(&user).await?.user;
    state.check_target(&user)?;
    state.delete(&user).await?;
    operator.entry(AuditAction::UserDeleted).on(user.id).because(reason).record();
    state.details(user.id).await
}

impl AppState {
    /// Deletes a user, whose seats are given up first.
    async fn delete(&self, user: &User) -> Result<(), Refusal> {
        for table in self.all_tables_of(user).await? {
            self.give_up(user, &table).await?;
        }
        // The names of matches that have just ended are replaced too.
        self.archive.catch_up().await;
        let is_deleted = self.sessions.delete_user(user.id, self.now()).await;
        if is_deleted.map_err(|error| self.fault("delete a user", &error))? {
            return Ok(());
        }
        Err(Refusal::new(RefusalCode::NotFound, "this user was deleted already"))
    }

    /// Leaves an open table, or resigns at all seats of the user in a running match.
    async fn give_up(&self, user: &User, table: &TableSummary) -> Result<(), Refusal> {
        let is_own = |seat: &Color| {
            let holder = table.seats.iter().find(|known| known.color == *seat);
            holder.and_then(|seat| seat.user.as_ref()).is_some_and(|holder| holder.id == user.id)
        };
        let own = table.seats.iter().map(|seat| seat.color).filter(is_own);
        let commands: Vec<(Option<Color>, Action)> = match table.phase {
            Phase::Open => own.take(1).map(|_| (None, Action::Leave)).collect(),
            Phase::Running => own.map(|seat| (Some(seat), Action::Resign)).collect(),
            Phase::Ended => Vec::new(),
        };
        for (seat, action) in commands {
            let Some(handle) = self.lobby.find(table.table).await? else { continue };
            let command_id = self.entropy.uuid(self.now()).to_string();
            let request = CommandRequest {
                command: PlayerCommand { by: user.view(), seat, action },
                command_id: command_id.parse().expect("a UUID is a valid command id"),
                match_id: None,
                redeemed_invite: None,
                origin: SeatOrigin::default(),
            };
            // A refusal means that the user is not in the match any more.
            match handle.send_command(request).await {
                Ok(Answer::Fault(fault)) => return Err(fault.into()),
                Ok(Answer::Done { .. } | Answer::Refused { .. } | Answer::InviteUsed) => {}
                Err(_) => return Err(Stopped.into()),
            }
        }
        Ok(())
    }
}
