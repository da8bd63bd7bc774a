//! Reports: users report other users, and operators read and close the reports. The reported user
//! learns nothing about a report.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::routing::{get, post};
use axum::{Json, Router};
use quadrex_protocol::http::{
    AdminReport, AdminReportDetails, AdminReportList, AdminReportMoment, CloseReport, NewReport,
    ReportClosure, ReportMoment, ReportedMessage,
};
use quadrex_protocol::{RefusalCode, UserId};
use quadrex_rules::notation::Tags;
use quadrex_store::{ReportClosing, ReportQuery, StoredReport};
use quadrex_table::{Viewer, notation, real_user};
use serde::Deserialize;

use super::matches::parse_query;
use super::operators::{Operator, check_line};
use crate::auth::{Identity, User};
use crate::http::body::JsonBody;
use crate::http::refusal::Refusal;
use crate::http::state::{AppState, Peer, require_all_rights};
use crate::telemetry::audit::{AuditAction, AuditEntry};

/// The maximum length of a report's text, in characters.
const MAX_TEXT: usize = 1_000;

/// The default number of reports in a list.
const DEFAULT_LIMIT: u16 = 50;

/// The largest number of reports in a list.
const MAX_LIMIT: u16 = 100;

/// Returns the route for users.
pub(super) fn routes() -> Router<AppState> {
    Router::new().route("/api/reports", post(send_report))
}

/// Returns the routes for operators.
pub(super) fn operator_routes() -> Router<AppState> {
    Router::new()
        .route("/api/admin/reports", get(list))
        .route("/api/admin/reports/{report}", get(show))
        .route("/api/admin/reports/{report}/close", post(close))
}

/// Stores a report about a user. If the sender has an open report about the same user in the same
/// match, the answer is the same, and nothing changes.
async fn send_report(
    State(state): State<AppState>,
    peer: Peer,
    method: Method,
    headers: HeaderMap,
    JsonBody(NewReport { user, reason, text, moment }): JsonBody<NewReport>,
) -> Result<StatusCode, Refusal> {
    state.check_lookup_rate(peer, &headers)?;
    let identity = state.identify(&method, &headers).await?;
    let reporter = require_all_rights(&identity)?;
    let text = text.as_deref().map(check_text).transpose()?.flatten();
    let user = state.reported_user(user, moment).await?;
    let reported = state.find_user(&user.to_string()).await?;
    check_reported(reporter, &reported)?;
    match moment {
        Some(moment) => state.check_moment(&identity, &reported, moment, &headers).await?,
        None if reason.needs_moment() => {
            let message = format_args!("a report with the reason {reason} names a moment of a match");
            return Err(Refusal::new(RefusalCode::BadSetting, message));
        }
        None => {}
    }
    let address = state.proxies.client_addr(peer.0, &headers)?;
    state.rate_limits.check_report(reporter.id, address).await?;
    let report = quadrex_store::NewReport {
        reporter: reporter.id,
        reported: reported.id,
        reported_name: reported.name,
        reason,
        text,
        moment,
        at: state.now(),
    };
    let added = state.reports.add(&report).await.map_err(|error| state.fault("add a report", &error))?;
    if let Some(number) = added {
        let entry = AuditEntry::new(AuditAction::UserReported).by(reporter.id).from(address);
        entry.on(reported.id).report(number).record();
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Returns the text of a report without the space around it, or `None` if nothing remains.
fn check_text(text: &str) -> Result<Option<String>, Refusal> {
    let text = text.trim();
    if text.chars().any(|character| character.is_control() && character != '\n') {
        return Err(Refusal::new(RefusalCode::BadText, "the text contains control characters"));
    }
    if text.chars().count() > MAX_TEXT {
        let message = format_args!("the text of a report has at most {MAX_TEXT} characters");
        return Err(Refusal::new(RefusalCode::BadText, message));
    }
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

fn check_reported(reporter: &User, reported: &User) -> Result<(), Refusal> {
    if reporter.id == reported.id {
        return Err(Refusal::new(RefusalCode::Forbidden, "you cannot report yourself"));
    }
    if reported.view().is_server_bot() {
        return Err(Refusal::new(RefusalCode::Forbidden, "this user is a bot of the server"));
    }
    Ok(())
}

/// The query of a list of reports.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReportsQuery {
    #[serde(default)]
    state: ReportState,
    before: Option<u64>,
    limit: Option<u16>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ReportState {
    #[default]
    Open,
    Closed,
}

/// Lists the open or the closed reports.
async fn list(
    State(state): State<AppState>,
    operator: Operator,
    uri: Uri,
) -> Result<Json<AdminReportList>, Refusal> {
    let ReportsQuery { state: wanted, before, limit } = parse_query(&uri)?;
    let limit = limit.unwrap_or(DEFAULT_LIMIT);
    if !(1..=MAX_LIMIT).contains(&limit) {
        let message = format_args!("limit is {limit}, it must be 1 to {MAX_LIMIT}");
        return Err(Refusal::new(RefusalCode::BadSetting, message));
    }
    let query = ReportQuery { is_open: Some(wanted == ReportState::Open), before, limit: limit + 1 };
    let found = state.reports.list(query).await;
    let mut found = found.map_err(|error| state.fault("list reports", &error))?;
    let has_more = found.len() > usize::from(limit);
    found.truncate(limit.into());
    operator.entry(AuditAction::ReportsListed).count(found.len()).record();
    let next = found.last().filter(|_| has_more).map(|report| report.number);
    Ok(Json(AdminReportList { reports: found.into_iter().map(view).collect(), next }))
}

/// Returns a report with the match around the moment.
async fn show(
    State(state): State<AppState>,
    operator: Operator,
    Path(report): Path<String>,
) -> Result<Json<AdminReportDetails>, Refusal> {
    let report = state.found_report(&report).await?;
    operator.entry(AuditAction::ReportShown).on(report.reported.id).report(report.number).record();
    state.report_details(report).await
}

/// Closes a report with an outcome. It does nothing else: warning or suspending the user is another
/// request.
async fn close(
    State(state): State<AppState>,
    operator: Operator,
    Path(report): Path<String>,
    JsonBody(CloseReport { outcome, note }): JsonBody<CloseReport>,
) -> Result<Json<AdminReportDetails>, Refusal> {
    let note = note.as_deref().map(|note| check_line("a note", note)).transpose()?;
    let StoredReport { number, reported, .. } = state.found_report(&report).await?;
    let closing = ReportClosing { by: operator.id(), outcome, note, at: state.now() };
    let is_closed = state.reports.close(number, closing).await;
    if !is_closed.map_err(|error| state.fault("close a report", &error))? {
        return Err(Refusal::new(RefusalCode::NotFound, "this report is closed already"));
    }
    let entry = operator.entry(AuditAction::ReportClosed).on(reported.id).report(number);
    note.map_or(entry, |note| entry.because(note)).record();
    state.report_details(state.found_report(&report).await?).await
}

impl AppState {
    /// Returns the reported user. While names are hidden in the match of the report, a player is
    /// reported by the made-up id, and by no other one: the answer would show who plays.
    async fn reported_user(&self, user: UserId, moment: Option<ReportMoment>) -> Result<UserId, Refusal> {
        let Some(ReportMoment { match_id, .. }) = moment else { return Ok(user) };
        let Ok((table, _)) = self.find_match(&match_id.to_string()).await else { return Ok(user) };
        let overview = self.table(table).await?.overview();
        if !overview.hides_names() || overview.head.match_id != match_id {
            return Ok(user);
        }
        let no_player = || Refusal::new(RefusalCode::NotFound, "there is no such player in this match");
        real_user(overview.outline(), user).ok_or_else(no_player)
    }

    /// Checks that the sender of a report may read the match, and that the moment has to do with
    /// the reported user.
    async fn check_moment(
        &self,
        identity: &Identity,
        reported: &User,
        moment: ReportMoment,
        headers: &HeaderMap,
    ) -> Result<(), Refusal> {
        let (table, match_id) = self.match_for(identity, &moment.match_id.to_string(), headers).await?;
        let reporter = identity.id().map_or(Viewer::Anonymous, Viewer::User);
        let reported = reported.id;
        let check = move |history: &quadrex_table::History| history.check_report(reported, moment, reporter);
        let checked = self.read_match(&self.workers, table, match_id, check).await?;
        checked.map_err(|error| Refusal::new(RefusalCode::BadSetting, error))
    }

    async fn found_report(&self, number: &str) -> Result<StoredReport, Refusal> {
        let found = match number.parse() {
            Ok(number) => self.reports.find(number).await,
            Err(_) => Ok(None),
        };
        let found = found.map_err(|error| self.fault("look up a report", &error))?;
        found.ok_or_else(|| Refusal::new(RefusalCode::NotFound, "there is no such report"))
    }

    async fn report_details(&self, report: StoredReport) -> Result<Json<AdminReportDetails>, Refusal> {
        let counts = self.reports.counts(report.reported.id).await;
        let counts = counts.map_err(|error| self.fault("count reports", &error))?;
        let context = match report.moment {
            Some((table, ReportMoment { match_id, at, message })) => {
                let seq = message.unwrap_or(at);
                let read = move |history: &quadrex_table::History| ReportContext {
                    path: format!("/m/{match_id}?ply={}", history.ply_at(seq)),
                    messages: history.messages_around(seq),
                    notation: notation(history, &Tags::new()),
                };
                Some(self.read_match(&self.workers, table, match_id, read).await?)
            }
            None => None,
        };
        let (path, messages, notation) = context
            .map_or((None, Vec::new(), None), |ReportContext { path, messages, notation }| {
                (Some(path), messages, notation)
            });
        Ok(Json(AdminReportDetails {
            report: view(report),
            path,
            messages,
            notation,
            reports_about: counts.all,
            open_reports_about: counts.open,
        }))
    }
}

/// The part of a match that operators see with a report.
struct ReportContext {
    path: String,
    messages: Vec<ReportedMessage>,
    notation: Option<String>,
}

fn view(report: StoredReport) -> AdminReport {
    AdminReport {
        number: report.number,
        reporter: report.reporter,
        reported: report.reported,
        reported_name: report.reported_name,
        reason: report.reason,
        text: report.text,
        moment: report.moment.map(|(table, moment)| AdminReportMoment {
            table,
            match_id: moment.match_id,
            at: moment.at,
            message: moment.message,
        }),
        created_at_ms: report.at.as_millis(),
        closed: report.closure.map(|closure| ReportClosure {
            at_ms: closure.at.as_millis(),
            by: closure.by,
            outcome: closure.outcome,
            note: closure.note,
        }),
    }
}
