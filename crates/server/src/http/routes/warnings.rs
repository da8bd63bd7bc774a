//! Warnings: operators warn users, who acknowledge the warnings.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::routing::post;
use axum::{Json, Router};
use quadrex_protocol::http::{AdminUserDetails, AdminWarning, WarnUser, WarningView};
use quadrex_protocol::{RefusalCode, UserId};
use quadrex_store::{NewWarning, UserWarning};

use super::operators::{Operator, check_line};
use crate::http::body::JsonBody;
use crate::http::refusal::Refusal;
use crate::http::state::{AppState, require_all_rights};
use crate::telemetry::audit::AuditAction;

/// Returns the route for users.
pub(super) fn routes() -> Router<AppState> {
    Router::new().route("/api/me/warnings/{warning}/acknowledge", post(acknowledge))
}

/// Returns the route for operators.
pub(super) fn operator_routes() -> Router<AppState> {
    Router::new().route("/api/admin/users/{user}/warn", post(warn))
}

/// Warns a user, who sees the text until the user has acknowledged the warning.
async fn warn(
    State(state): State<AppState>,
    operator: Operator,
    Path(user): Path<String>,
    JsonBody(WarnUser { text }): JsonBody<WarnUser>,
) -> Result<Json<AdminUserDetails>, Refusal> {
    let text = check_line("a warning", &text)?;
    let user = state.found_user(&user).await?.user;
    state.check_target(&user)?;
    let warning = NewWarning { user: user.id, text, by: operator.id(), at: state.now() };
    let warned = state.sessions.warn(&warning).await;
    warned.map_err(|error| state.fault("warn a user", &error))?;
    operator.entry(AuditAction::UserWarned).on(user.id).because(text).record();
    state.details(user.id).await
}

/// Records that the user has read a warning. Suspended users acknowledge warnings too.
async fn acknowledge(
    State(state): State<AppState>,
    Path(warning): Path<String>,
    method: Method,
    headers: HeaderMap,
) -> Result<StatusCode, Refusal> {
    let identity = state.identify_even_suspended(&method, &headers).await?;
    let user = require_all_rights(&identity)?;
    let found = match warning.parse() {
        Ok(number) => state.warnings.acknowledge(user.id, number, state.now()).await,
        Err(_) => Ok(false),
    };
    if found.map_err(|error| state.fault("acknowledge a warning", &error))? {
        return Ok(StatusCode::NO_CONTENT);
    }
    Err(Refusal::new(RefusalCode::NotFound, "you have no such warning"))
}

impl AppState {
    /// Returns the warnings of a user as the user sees them, newest first.
    pub(super) async fn warnings_of(&self, user: UserId) -> Result<Vec<WarningView>, Refusal> {
        let warnings = self.warnings.of(user).await;
        let warnings = warnings.map_err(|error| self.fault("list the warnings of a user", &error))?;
        Ok(warnings.into_iter().map(view).collect())
    }
}

fn view(UserWarning { number, text, at, acknowledged_at, .. }: UserWarning) -> WarningView {
    let acknowledged_at_ms = acknowledged_at.map(|at| at.as_millis());
    WarningView { number, text, at_ms: at.as_millis(), acknowledged_at_ms }
}

/// Returns a warning as operators see it.
pub(super) fn admin_view(warning: UserWarning) -> AdminWarning {
    let by = warning.by;
    let WarningView { number, text, at_ms, acknowledged_at_ms } = view(warning);
    AdminWarning { number, text, at_ms, by, acknowledged_at_ms }
}
