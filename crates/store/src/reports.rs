//! Reports of users about other users.

use quadrex_protocol::http::{OwnReport, ReportMoment, ReportOutcome, ReportReason};
use quadrex_protocol::user::UserView;
use quadrex_protocol::{MatchId, TableId, UserId};
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::Store;
use super::database::{Sql, execute, execute_returning, fetch_all, fetch_optional};
use super::error::{StoreError, unreadable};
use super::revocations::Retries;
use super::time_column::TimeColumn;
use super::users::read_view;

/// A report about a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewReport {
    /// The user who sends the report.
    pub reporter: UserId,
    /// The reported user.
    pub reported: UserId,
    /// The name of the reported user.
    pub reported_name: String,
    /// The reason.
    pub reason: ReportReason,
    /// The text, at most 1000 characters.
    pub text: Option<String>,
    /// The moment; `None` if the report is not about a match.
    pub moment: Option<ReportMoment>,
    /// The time of the report.
    pub at: Timestamp,
}

/// A report as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredReport {
    /// The number of the report. A later report has a greater number.
    pub number: u64,
    /// The user who has sent the report.
    pub reporter: UserView,
    /// The reported user, with the present name.
    pub reported: UserView,
    /// The name of the reported user at the time of the report.
    pub reported_name: String,
    /// The reason.
    pub reason: ReportReason,
    /// The text.
    pub text: Option<String>,
    /// The moment with the table of its match; `None` if the report is not about a match.
    pub moment: Option<(TableId, ReportMoment)>,
    /// The time of the report.
    pub at: Timestamp,
    /// The end of the report; `None` while it is open.
    pub closure: Option<StoredReportClosure>,
}

/// The end of a stored report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredReportClosure {
    /// The time at which the operator has closed the report.
    pub at: Timestamp,
    /// The operator.
    pub by: UserView,
    /// The outcome.
    pub outcome: ReportOutcome,
    /// The note of the operator.
    pub note: Option<String>,
}

/// The end that an operator gives to a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportClosing<'a> {
    /// The operator.
    pub by: UserId,
    /// The outcome.
    pub outcome: ReportOutcome,
    /// The note, 1 to 500 characters.
    pub note: Option<&'a str>,
    /// The time.
    pub at: Timestamp,
}

/// The criteria of a list of reports, which begins with the newest one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportQuery {
    /// True for the open reports, false for the closed ones; `None` for all.
    pub is_open: Option<bool>,
    /// If given, only reports with smaller numbers.
    pub before: Option<u64>,
    /// The maximum number of reports.
    pub limit: u16,
}

/// The numbers of reports about a user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReportCounts {
    /// The number of all reports.
    pub all: u32,
    /// The number of open reports.
    pub open: u32,
}

/// A row of `reports`, with the users and the table, as the databases return it.
#[derive(sqlx::FromRow)]
struct RawReport {
    number: i64,
    reporter: Uuid,
    reporter_name: String,
    reporter_account: bool,
    reporter_bot: Option<String>,
    reported: Uuid,
    present_name: String,
    reported_account: bool,
    reported_bot: Option<String>,
    reported_name: String,
    reason: String,
    text: Option<String>,
    table_id: Option<Uuid>,
    match_id: Option<Uuid>,
    at_seq: Option<i64>,
    message_seq: Option<i64>,
    created_at: TimeColumn,
    closed_at: Option<TimeColumn>,
    closed_by: Option<Uuid>,
    closer_name: Option<String>,
    outcome: Option<String>,
    note: Option<String>,
}

impl RawReport {
    fn read(self) -> Result<StoredReport, StoreError> {
        let moment = read_moment(self.match_id, self.at_seq, self.message_seq)?;
        let closure = match (self.closed_at, self.closed_by, self.closer_name, self.outcome) {
            (Some(at), Some(by), Some(name), Some(outcome)) => Some(StoredReportClosure {
                at: at.read("reports.closed_at")?,
                // An operator has an account.
                by: read_view(by, name, true, None)?,
                outcome: outcome.parse().map_err(|error| unreadable("reports.outcome", error))?,
                note: self.note,
            }),
            _ => None,
        };
        Ok(StoredReport {
            number: read_number(self.number, "reports.number")?,
            reporter: read_view(
                self.reporter,
                self.reporter_name,
                self.reporter_account,
                self.reporter_bot.as_deref(),
            )?,
            reported: read_view(
                self.reported,
                self.present_name,
                self.reported_account,
                self.reported_bot.as_deref(),
            )?,
            reported_name: self.reported_name,
            reason: self.reason.parse().map_err(|error| unreadable("reports.reason", error))?,
            text: self.text,
            moment: self.table_id.map(TableId).zip(moment),
            at: self.created_at.read("reports.created_at")?,
            closure,
        })
    }
}

/// A row of `reports` of a user who has sent it.
#[derive(sqlx::FromRow)]
struct RawOwnReport {
    reported: Uuid,
    reported_name: String,
    reason: String,
    text: Option<String>,
    match_id: Option<Uuid>,
    at_seq: Option<i64>,
    message_seq: Option<i64>,
    created_at: TimeColumn,
    is_open: bool,
}

fn read_number(number: i64, column: &'static str) -> Result<u64, StoreError> {
    u64::try_from(number).map_err(|_| unreadable(column, number))
}

fn read_moment(
    match_id: Option<Uuid>,
    at: Option<i64>,
    message: Option<i64>,
) -> Result<Option<ReportMoment>, StoreError> {
    let Some((match_id, at)) = match_id.zip(at) else { return Ok(None) };
    Ok(Some(ReportMoment {
        match_id: MatchId(match_id),
        at: read_number(at, "reports.at_seq")?,
        message: message.map(|seq| read_number(seq, "reports.message_seq")).transpose()?,
    }))
}

/// Returns a number as the databases store it. A number that is too large for them is no number of
/// an event or a report.
fn column(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

impl Store {
    /// Adds a report, and returns its number. Returns `None`, and adds nothing, if the reporter has
    /// an open report about the same user in the same match.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails, or there is no such user or match.
    pub async fn add_report(&self, report: &NewReport) -> Result<Option<u64>, StoreError> {
        let mut retries = Retries::default();
        loop {
            if self.has_open_report(report).await? {
                return Ok(None);
            }
            match self.try_to_add(report).await {
                Err(error) if retries.allow(&error) => {}
                added => return added.map_err(StoreError::database("add a report")).map(Some),
            }
        }
    }

    async fn has_open_report(&self, report: &NewReport) -> Result<bool, StoreError> {
        let sql = Sql {
            postgres: "select number from reports where reporter = $1 and reported = $2
                         and match_id is not distinct from $3 and closed_at is null",
            sqlite: "select number from reports where reporter = $1 and reported = $2
                       and match_id is $3 and closed_at_ms is null",
        };
        let match_id = report.moment.map(|moment| moment.match_id.0);
        let row = fetch_optional!(self, (i64,), sql, report.reporter.0, report.reported.0, match_id);
        Ok(row.map_err(StoreError::database("look up a report"))?.is_some())
    }

    /// Adds a report with the next number. Fails if another report gets the number at the same
    /// time, or if there is an open report about the same user in the same match.
    async fn try_to_add(&self, report: &NewReport) -> Result<u64, sqlx::Error> {
        let sql = Sql {
            postgres:
                "insert into reports (number, reporter, reported, reported_name, reason, text, match_id,
                                            at_seq, message_seq, created_at)
                       select coalesce(max(number), 0) + 1, $1, $2, $3, $4, $5, $6::uuid, $7, $8, $9
                       from reports returning number",
            sqlite: "insert into reports (number, reporter, reported, reported_name, reason, text, match_id,
                                          at_seq, message_seq, created_at_ms)
                     select coalesce(max(number), 0) + 1, $1, $2, $3, $4, $5, $6, $7, $8, $9
                     from reports returning number",
        };
        let NewReport { reporter, reported, reported_name, reason, text, moment, at } = report;
        let added = execute_returning!(
            self,
            (i64,),
            sql,
            reporter.0,
            reported.0,
            reported_name,
            reason.name(),
            text.as_deref(),
            moment.map(|moment| moment.match_id.0),
            moment.map(|moment| column(moment.at)),
            moment.and_then(|moment| moment.message).map(column),
            TimeColumn::from(*at),
        )?;
        let (number,) = added.first().expect("an inserted row is returned");
        Ok(u64::try_from(*number).expect("numbers begin with 1"))
    }

    /// Returns the reports that satisfy a query, newest first.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn reports(&self, query: ReportQuery) -> Result<Vec<StoredReport>, StoreError> {
        let sql = Sql {
            postgres: "
                select reports.number, reporter, sender.name as reporter_name, sender.bot::text as reporter_bot,
                       exists (select 1 from accounts where user_id = reporter) as reporter_account,
                       reported, target.name as present_name, target.bot::text as reported_bot,
                       exists (select 1 from accounts where user_id = reported) as reported_account,
                       reported_name, reason, text, table_id, match_id, at_seq, message_seq,
                       reports.created_at, closed_at, closed_by, closer.name as closer_name, outcome, note
                from reports
                join users as sender on sender.id = reporter
                join users as target on target.id = reported
                left join users as closer on closer.id = closed_by
                left join matches on matches.id = match_id
                where ($1::bigint is null or reports.number < $1)
                  and ($2::boolean is null or (closed_at is null) = $2)
                order by reports.number desc limit $3",
            sqlite: "
                select reports.number, reporter, sender.name as reporter_name, sender.bot as reporter_bot,
                       exists (select 1 from accounts where user_id = reporter) as reporter_account,
                       reported, target.name as present_name, target.bot as reported_bot,
                       exists (select 1 from accounts where user_id = reported) as reported_account,
                       reported_name, reason, text, table_id, match_id, at_seq, message_seq,
                       reports.created_at_ms as created_at, closed_at_ms as closed_at, closed_by,
                       closer.name as closer_name, outcome, note
                from reports
                join users as sender on sender.id = reporter
                join users as target on target.id = reported
                left join users as closer on closer.id = closed_by
                left join matches on matches.id = match_id
                where ($1 is null or reports.number < $1)
                  and ($2 is null or (closed_at_ms is null) = $2)
                order by reports.number desc limit $3",
        };
        let ReportQuery { is_open, before, limit } = query;
        let rows = fetch_all!(self, RawReport, sql, before.map(column), is_open, i64::from(limit));
        let rows = rows.map_err(StoreError::database("list reports"))?;
        rows.into_iter().map(RawReport::read).collect()
    }

    /// Returns the report with this number, or `None`.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn report(&self, number: u64) -> Result<Option<StoredReport>, StoreError> {
        let query = ReportQuery { is_open: None, before: Some(number.saturating_add(1)), limit: 1 };
        let found = self.reports(query).await?;
        Ok(found.into_iter().find(|report| report.number == number))
    }

    /// Closes a report. Returns false if there is no open report with this number.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database fails, or a value is invalid.
    pub async fn close_report(&self, number: u64, closing: ReportClosing<'_>) -> Result<bool, StoreError> {
        let sql = Sql {
            postgres: "update reports set closed_at = $2, closed_by = $3, outcome = $4, note = $5
                       where number = $1 and closed_at is null",
            sqlite: "update reports set closed_at_ms = $2, closed_by = $3, outcome = $4, note = $5
                     where number = $1 and closed_at_ms is null",
        };
        let ReportClosing { by, outcome, note, at } = closing;
        let closed = execute!(self, sql, column(number), TimeColumn::from(at), by.0, outcome.name(), note);
        Ok(closed.map_err(StoreError::database("close a report"))? > 0)
    }

    /// Returns the numbers of reports about a user.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn report_counts(&self, user: UserId) -> Result<ReportCounts, StoreError> {
        let sql = Sql {
            postgres: "select count(*), count(*) filter (where closed_at is null)
                       from reports where reported = $1",
            sqlite: "select count(*), count(*) filter (where closed_at_ms is null)
                     from reports where reported = $1",
        };
        let row = fetch_optional!(self, (i64, i64), sql, user.0);
        let (all, open) = row.map_err(StoreError::database("count reports"))?.unwrap_or_default();
        let count = |count| u32::try_from(count).unwrap_or(u32::MAX);
        Ok(ReportCounts { all: count(all), open: count(open) })
    }

    /// Returns the reports that a user has sent, newest first, as in the data of the user.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub async fn reports_by(&self, reporter: UserId) -> Result<Vec<OwnReport>, StoreError> {
        let sql = Sql {
            postgres: "select reported, reported_name, reason, text, match_id, at_seq, message_seq,
                              created_at, closed_at is null as is_open
                       from reports where reporter = $1 order by number desc",
            sqlite: "select reported, reported_name, reason, text, match_id, at_seq, message_seq,
                            created_at_ms as created_at, closed_at_ms is null as is_open
                     from reports where reporter = $1 order by number desc",
        };
        let rows = fetch_all!(self, RawOwnReport, sql, reporter.0);
        let rows = rows.map_err(StoreError::database("list the reports of a user"))?;
        let read = |row: RawOwnReport| {
            Ok(OwnReport {
                user: UserId(row.reported),
                name: row.reported_name,
                reason: row.reason.parse().map_err(|error| unreadable("reports.reason", error))?,
                text: row.text,
                moment: read_moment(row.match_id, row.at_seq, row.message_seq)?,
                created_at_ms: row.created_at.read("reports.created_at")?.as_millis(),
                open: row.is_open,
            })
        };
        rows.into_iter().map(read).collect()
    }
}
