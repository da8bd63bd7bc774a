//! The route by which operators close tables.

use axum::extract::{Path, State};
use axum::routing::post;
use axum::{Json, Router};
use quadrex_cluster::message::SeatOrigin;
use quadrex_protocol::CommandId;
use quadrex_protocol::http::{AdminReason, TableClosed};
use quadrex_table::{Action, PlayerCommand};

use super::operators::{Operator, check_line};
use super::table_id;
use crate::actor::{Answer, CommandRequest};
use crate::http::body::JsonBody;
use crate::http::refusal::Refusal;
use crate::http::state::AppState;
use crate::telemetry::audit::AuditAction;

/// The id of the command. A match is closed only once, so an operator needs no other one.
const COMMAND_ID: &str = "close-by-operator";

/// The number of attempts to send the command, if the actor of the table has just ended.
const ATTEMPTS: usize = 2;

/// Returns the route.
pub(super) fn operator_routes() -> Router<AppState> {
    Router::new().route("/api/admin/tables/{table}/close", post(close_table))
}

/// Closes a table. A running match is aborted. Everybody at the table sees the reason.
async fn close_table(
    State(state): State<AppState>,
    operator: Operator,
    Path(table): Path<String>,
    JsonBody(AdminReason { reason }): JsonBody<AdminReason>,
) -> Result<Json<TableClosed>, Refusal> {
    let reason = check_line("a reason", &reason)?;
    let table = table_id(&table)?;
    let by = state.found_user(&operator.id().to_string()).await?.user.view();
    let request = CommandRequest {
        command: PlayerCommand { by, seat: None, action: Action::Close { reason: reason.to_owned() } },
        command_id: COMMAND_ID.parse::<CommandId>().expect("the id is short and visible"),
        match_id: None,
        redeemed_invite: None,
        origin: SeatOrigin::default(),
    };
    for _ in 0..ATTEMPTS {
        let Ok(answer) = state.table(table).await?.send_command(request.clone()).await else { continue };
        return match answer {
            Answer::Done { match_id, .. } => {
                let entry = operator.entry(AuditAction::TableClosedByOperator).at(table);
                entry.of_match(match_id).because(reason).record();
                Ok(Json(TableClosed { table, match_id }))
            }
            Answer::Refused { code, text, .. } => Err(Refusal::new(code, text)),
            Answer::InviteUsed => Err(Refusal::bad_invite()),
            Answer::Fault(fault) => Err(Refusal::fault(fault)),
        };
    }
    Err(Refusal::closing())
}
