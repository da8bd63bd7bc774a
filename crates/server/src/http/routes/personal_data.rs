//! The export of a user's personal data, for the user and for operators.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Json, Router};
use quadrex_protocol::archive::{MatchList, MatchSummary};
use quadrex_protocol::http::{PersonalData, TableSummary};
use quadrex_protocol::{RefusalCode, UserId};
use quadrex_store::FoundUser;

use super::operators::{Operator, suspension_view};
use super::{sessions, tokens};
use crate::archive::ArchiveQuery;
use crate::auth::User;
use crate::http::refusal::Refusal;
use crate::http::state::{AppState, Peer, require_all_rights};
use crate::lobby::TablePage;
use crate::people::RelationKind;
use crate::telemetry::audit::{AuditAction, AuditEntry};

/// The number of matches and tables that are read at a time.
const PAGE: u16 = 100;

/// Returns the route for users.
pub(super) fn routes() -> Router<AppState> {
    Router::new().route("/api/me/export", get(export_own))
}

/// Returns the route for operators.
pub(super) fn operator_routes() -> Router<AppState> {
    Router::new().route("/api/admin/users/{user}/export", get(export_of_user))
}

/// Returns the personal data of the current user.
async fn export_own(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Refusal> {
    let identity = state.identify(&method, &headers).await?;
    let user = require_all_rights(&identity)?;
    let address = state.proxies.client_addr(peer.0, &headers)?;
    state.rate_limits.check_handover(user.id, address).await?;
    let data = state.personal_data(user.id).await?;
    AuditEntry::new(AuditAction::DataExported).by(user.id).from(address).on(user.id).record();
    Ok(as_file(data))
}

/// Returns the personal data of a user for an operator.
async fn export_of_user(
    State(state): State<AppState>,
    operator: Operator,
    Path(user): Path<String>,
) -> Result<impl IntoResponse, Refusal> {
    let user = state.found_user(&user).await?.user.id;
    let data = state.personal_data(user).await?;
    operator.entry(AuditAction::DataExported).on(user).record();
    Ok(as_file(data))
}

/// Returns an answer that a browser saves as a file.
fn as_file(data: PersonalData) -> impl IntoResponse {
    let disposition = HeaderValue::from_static("attachment; filename=\"quadrex-data.json\"");
    ([(header::CONTENT_DISPOSITION, disposition)], Json(data))
}

impl AppState {
    async fn personal_data(&self, user: UserId) -> Result<PersonalData, Refusal> {
        let now = self.now();
        let FoundUser { user, suspension } = self.found_user(&user.to_string()).await?;
        let fault = |error| self.fault("export the data of a user", &error);
        let facts = self.user_search.facts_of(user.id, now).await.map_err(fault)?;
        let recovery_key = self.recovery_keys.exists_for(user.id).await.map_err(fault)?;
        let ratings = self.archive.ratings_of(user.id, now).await.map_err(fault)?;
        let sessions = self.sessions.of(user.id, now).await.map_err(fault)?;
        let tokens = self.access_tokens.of(user.id, now).await.map_err(fault)?;
        let reports = self.reports.by(user.id).await.map_err(fault)?;
        let left_matches = self.fair_play.left_matches(user.id).await.map_err(fault)?;
        let acts = self.fair_play.acts_by(user.id).await.map_err(fault)?;
        let seat_networks = self.fair_play.seat_networks(user.id).await.map_err(fault)?;
        let vacation = self.vacations.status(user.id, now).await.map_err(fault)?;
        Ok(PersonalData {
            vacation,
            warnings: self.warnings_of(user.id).await?,
            reports,
            groups: self.groups_of(user.id).await?,
            invitations: self.lobby.invitations_of(user.id).await?,
            tables: self.all_tables_of(&user).await?,
            conditional_moves: self.all_conditional_moves(user.id).await?,
            matches: self.all_matches_of(&user).await?,
            created_at_ms: user.created_at.as_millis(),
            account_created_at_ms: facts.account_created_at.map(|at| at.as_millis()),
            providers: self.sign_ins_of(&user).await?.providers,
            recovery_key,
            suspension: suspension.as_ref().map(suspension_view),
            sessions: sessions.into_iter().map(|session| sessions::view(session, None)).collect(),
            tokens: tokens.into_iter().map(tokens::view).collect(),
            notifications: self.notification_settings(&user).await?,
            webhooks: self.webhooks_of(user.id).await?,
            ratings,
            left_matches,
            seat_networks,
            acts,
            follows: self.related_users(user.id, RelationKind::Follow).await?,
            blocks: self.related_users(user.id, RelationKind::Block).await?,
            mutes: self.related_users(user.id, RelationKind::Mute).await?,
            user: user.view(),
        })
    }

    pub(super) async fn all_tables_of(&self, user: &User) -> Result<Vec<TableSummary>, Refusal> {
        let (mut tables, mut before) = (Vec::new(), None);
        loop {
            let (page, next) = self.lobby.tables_of(user.id, TablePage { before, limit: PAGE }).await?;
            tables.extend(page);
            before = next;
            if before.is_none() {
                return Ok(tables);
            }
        }
    }

    async fn all_matches_of(&self, user: &User) -> Result<Vec<MatchSummary>, Refusal> {
        let (mut matches, mut before) = (Vec::new(), None);
        loop {
            let query = ArchiveQuery {
                user: Some(user.id),
                player: None,
                variant: None,
                before,
                seen_by: Some(user.id),
                limit: PAGE,
            };
            let listed = self.archive.list(query).await;
            let listed = listed.map_err(|error| self.fault("list matches", &error))?;
            let MatchList { matches: page, next } = listed;
            matches.extend(page);
            let Some(next) = next else { return Ok(matches) };
            let place = next.parse().map_err(|error| Refusal::new(RefusalCode::Malformed, error))?;
            before = Some(place);
        }
    }
}
