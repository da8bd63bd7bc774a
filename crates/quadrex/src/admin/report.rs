//! The answers to operators as text for people.

use std::fmt::Write;

use quadrex_protocol::http::{AdminUser, AdminUserDetails, AdminUserList, TableClosed, UserSuspensionView};
use quadrex_protocol::user::UserView;
use time::OffsetDateTime;

/// An answer that can be printed as text.
pub(super) trait Report {
    /// Returns the text, with a line break at its end.
    fn report(&self) -> String;
}

impl Report for AdminUserList {
    fn report(&self) -> String {
        if self.users.is_empty() {
            return "no users\n".to_owned();
        }
        self.users.iter().map(line).collect()
    }
}

impl Report for AdminUserDetails {
    fn report(&self) -> String {
        let mut lines = vec![
            ("name", self.user.name.clone()),
            ("id", self.user.id.to_string()),
            ("kind", kind(&self.user).to_owned()),
            ("created", date(self.created_at_ms)),
        ];
        lines.extend(self.account_created_at_ms.map(|at| ("account since", date(at))));
        lines.push(("last seen", self.seen_at_ms.map_or_else(|| "unknown".to_owned(), date)));
        lines.push(("sessions", self.sessions.to_string()));
        lines.push(("tokens", self.tokens.to_string()));
        lines.push(("reports", format!("{}, {} open", self.reports, self.open_reports)));
        if let Some(suspension) = &self.suspension {
            let by = self.suspended_by.map(|by| format!(" by {by}")).unwrap_or_default();
            lines.push(("suspended", format!("{}{by}", describe(suspension))));
        }
        for warning in &self.warnings {
            let read =
                warning.acknowledged_at_ms.map_or("not read".to_owned(), |at| format!("read {}", date(at)));
            lines.push((
                "warned",
                format!("{} by {}, {read}: {}", date(warning.at_ms), warning.by, warning.text),
            ));
        }
        let mut text = String::new();
        for (name, value) in lines {
            // Writing into a String cannot fail.
            let _ = writeln!(text, "{:<14} {value}", format!("{name}:"));
        }
        for listed in &self.matches {
            let _ = writeln!(
                text,
                "match {}  {}  {}",
                listed.match_id,
                date(listed.started_at_ms),
                listed.variant
            );
        }
        text
    }
}

impl Report for TableClosed {
    fn report(&self) -> String {
        format!("closed {}, match {}\n", self.table, self.match_id)
    }
}

fn line(found: &AdminUser) -> String {
    let suspension =
        found.suspension.as_ref().map(|suspension| format!("  suspended {}", describe(suspension)));
    format!(
        "{}  {:<24}  {:<7}  {}{}\n",
        found.user.id,
        found.user.name,
        kind(&found.user),
        date(found.created_at_ms),
        suspension.unwrap_or_default()
    )
}

fn kind(user: &UserView) -> &'static str {
    match (&user.bot, user.account) {
        (Some(_), _) => "bot",
        (None, true) => "account",
        (None, false) => "guest",
    }
}

fn describe(suspension: &UserSuspensionView) -> String {
    let until = suspension.until_ms.map(|until| format!(" until {}", date(until))).unwrap_or_default();
    format!("since {}{until}: {}", date(suspension.since_ms), suspension.reason)
}

/// Returns a time in UTC, to the minute.
pub(super) fn date(at_ms: u64) -> String {
    let seconds = i64::try_from(at_ms / 1_000).unwrap_or(i64::MAX);
    let Ok(at) = OffsetDateTime::from_unix_timestamp(seconds) else { return format!("{at_ms} ms") };
    format!("{} {:02}:{:02} UTC", at.date(), at.hour(), at.minute())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_a_line_for_each_user() {
        let suspension =
            UserSuspensionView { reason: "insults".into(), since_ms: 0, until_ms: Some(86_400_000) };
        let user = serde_json::from_str::<UserView>(
            r#"{"id": "00000000-0000-0000-0000-000000000001", "name": "Rude", "account": true}"#,
        );
        let found =
            AdminUser { user: user.unwrap(), created_at_ms: 1_790_000_000_000, suspension: Some(suspension) };
        let list = AdminUserList { users: vec![found] };
        assert_eq!(
            list.report(),
            "00000000-0000-0000-0000-000000000001  Rude                      account  2026-09-21 14:13 UTC  suspended \
             since 1970-01-01 00:00 UTC until 1970-01-02 00:00 UTC: insults\n"
        );
        assert_eq!(AdminUserList { users: vec![] }.report(), "no users\n");
    }
}
