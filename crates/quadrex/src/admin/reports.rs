//! `quadrex admin reports`: the reports about users.

use std::fmt::Write;

use anyhow::Result;
use clap::{Args, Subcommand};
use quadrex_protocol::chat::{ChatMessage, Room};
use quadrex_protocol::http::{
    AdminReport, AdminReportDetails, AdminReportList, CloseReport, ReportOutcome, ReportedMessage,
};

use super::report::{Report, date};
use super::{Operator, explain};

/// The list of reports, or an action on a report.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Reports {
    /// Lists the closed reports instead of the open ones.
    #[arg(long)]
    closed: bool,
    /// Lists only reports with smaller numbers.
    #[arg(long, value_name = "NUMBER")]
    before: Option<u64>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Shows a report with the chat and the moves of the match.
    Show(Target),
    /// Closes a report with an outcome. It does nothing to the user.
    Close(Close),
}

#[derive(Debug, Args)]
struct Target {
    /// Number of the report.
    number: u64,
}

#[derive(Debug, Args)]
struct Close {
    #[command(flatten)]
    target: Target,
    /// Outcome: no_action, warned, suspended, renamed, table_closed or other.
    #[arg(long, value_name = "OUTCOME")]
    outcome: ReportOutcome,
    /// Note for other operators.
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
}

impl Reports {
    pub(super) async fn execute(self, operator: &Operator) -> Result<()> {
        match self.command {
            None => {
                let state = if self.closed { "closed" } else { "open" };
                let before = self.before.map(|number| format!("&before={number}")).unwrap_or_default();
                let path = format!("/api/admin/reports?state={state}{before}");
                operator.print(&operator.get::<AdminReportList>(&path).await?)
            }
            Some(Command::Show(Target { number })) => {
                let path = format!("/api/admin/reports/{number}");
                operator.print(&operator.get::<AdminReportDetails>(&path).await?)
            }
            Some(Command::Close(Close { target, outcome, note })) => {
                let path = format!("/api/admin/reports/{}/close", target.number);
                let closed = operator.http.post(&path, &CloseReport { outcome, note }).await;
                operator.print::<AdminReportDetails>(&closed.map_err(explain)?)
            }
        }
    }
}

impl Report for AdminReportList {
    fn report(&self) -> String {
        if self.reports.is_empty() {
            return "no reports\n".to_owned();
        }
        let mut text: String = self.reports.iter().map(line).collect();
        if let Some(next) = self.next {
            // Writing into a String cannot fail.
            let _ = writeln!(text, "more with --before {next}");
        }
        text
    }
}

fn line(report: &AdminReport) -> String {
    let closed = report.closed.as_ref().map(|closed| format!("  {}", closed.outcome)).unwrap_or_default();
    let text = report.text.as_deref().map(|text| format!("  {}", text.replace('\n', " ")));
    format!(
        "{:>6}  {}  {:<11}  {} by {}{closed}{}\n",
        report.number,
        date(report.created_at_ms),
        report.reason.name(),
        report.reported_name,
        report.reporter.name,
        text.unwrap_or_default()
    )
}

impl Report for AdminReportDetails {
    fn report(&self) -> String {
        let AdminReport { reporter, reported, .. } = &self.report;
        let mut lines = vec![
            ("report", self.report.number.to_string()),
            ("created", date(self.report.created_at_ms)),
            ("reason", self.report.reason.to_string()),
            ("reported", format!("{} {}", reported.id, self.report.reported_name)),
        ];
        if reported.name != self.report.reported_name {
            lines.push(("name now", reported.name.clone()));
        }
        lines.push(("reports", format!("{}, {} open", self.reports_about, self.open_reports_about)));
        lines.push(("reporter", format!("{} {}", reporter.id, reporter.name)));
        lines.extend(self.report.moment.map(|moment| ("match", moment.match_id.to_string())));
        lines.extend(self.path.clone().map(|path| ("moment", path)));
        if let Some(closed) = &self.report.closed {
            let note = closed.note.as_deref().map(|note| format!(": {note}")).unwrap_or_default();
            let closed = format!("{} by {}, {}{note}", date(closed.at_ms), closed.by.name, closed.outcome);
            lines.push(("closed", closed));
        }
        let mut text = String::new();
        for (name, value) in lines {
            let _ = writeln!(text, "{:<10} {value}", format!("{name}:"));
        }
        if let Some(given) = &self.report.text {
            let _ = writeln!(text, "\n{given}");
        }
        if !self.messages.is_empty() {
            let reported = self.report.moment.and_then(|moment| moment.message);
            text.push_str("\nchat:\n");
            text.extend(self.messages.iter().map(|message| message_line(message, reported)));
        }
        if let Some(notation) = &self.notation {
            let _ = writeln!(text, "\n{}", notation.trim_end());
        }
        text
    }
}

fn message_line(message: &ReportedMessage, reported: Option<u64>) -> String {
    let mark = if reported == Some(message.seq) { '>' } else { ' ' };
    let room = match message.room {
        Room::Seated => "",
        Room::Bystanders => " (spectators)",
    };
    let words = match &message.message {
        ChatMessage::Text(text) => text.clone(),
        ChatMessage::Phrase(phrase) => format!("[{phrase:?}]"),
    };
    format!("{mark} {}  {}{room}: {words}\n", date(message.at_ms), message.user.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_shows_the_reported_message_in_the_chat() {
        let user = |id: u8, name: &str| serde_json::json!({"id": format!("00000000-0000-0000-0000-{id:012}"), "name": name});
        let message = |seq: u64, text: &str| {
            serde_json::json!({"seq": seq, "at_ms": 60_000 * seq, "user": user(2, "Rude"), "color": "red",
                "room": "seated", "message": {"text": text}})
        };
        let moment = serde_json::json!({"table": "00000000-0000-0000-0000-000000000007",
            "match": "00000000-0000-0000-0000-000000000008", "at": 9, "message": 8});
        let details: AdminReportDetails = serde_json::from_value(serde_json::json!({
            "report": {"number": 3, "reporter": user(1, "Ann"), "reported": user(2, "Polite"),
                "reported_name": "Rude", "reason": "chat", "text": "insults", "moment": moment,
                "created_at_ms": 0, "closed": {"at_ms": 60_000, "by": user(4, "Olga"), "outcome": "renamed"}},
            "path": "/m/00000000-0000-0000-0000-000000000008?ply=4",
            "messages": [message(7, "hi"), message(8, "you fool")],
            "reports_about": 2, "open_reports_about": 1,
        }))
        .unwrap();
        assert_eq!(
            details.report(),
            "report:    3\n\
             created:   1970-01-01 00:00 UTC\n\
             reason:    chat\n\
             reported:  00000000-0000-0000-0000-000000000002 Rude\n\
             name now:  Polite\n\
             reports:   2, 1 open\n\
             reporter:  00000000-0000-0000-0000-000000000001 Ann\n\
             match:     00000000-0000-0000-0000-000000000008\n\
             moment:    /m/00000000-0000-0000-0000-000000000008?ply=4\n\
             closed:    1970-01-01 00:01 UTC by Olga, renamed\n\
             \ninsults\n\
             \nchat:\n  1970-01-01 00:07 UTC  Rude: hi\n> 1970-01-01 00:08 UTC  Rude: you fool\n"
        );
        let list = AdminReportList { reports: vec![details.report], next: Some(3) };
        assert_eq!(
            list.report(),
            "     3  1970-01-01 00:00 UTC  chat         Rude by Ann  renamed  insults\nmore with --before 3\n"
        );
        assert_eq!(AdminReportList { reports: vec![], next: None }.report(), "no reports\n");
    }
}
