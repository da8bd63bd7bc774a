//! `quadrex admin`: the actions of operators on a server, by its HTTP routes.

mod pairs;
mod report;
mod reports;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use quadrex_client::{Address, HttpClient, HttpError};
use quadrex_protocol::http::{
    AdminReason, AdminRename, AdminUserDetails, AdminUserList, PersonalData, SuspendUser, TableClosed,
    WarnUser,
};
use quadrex_protocol::{RefusalCode, TableId, UserId};
use quadrex_server::config::ADMIN_TOKEN_VARIABLE;
use serde::Serialize;
use serde::de::DeserializeOwned;

use pairs::Pairs;
use report::Report;
use reports::Reports;

/// The server, the token of the operator, and the action.
#[derive(Debug, Args)]
#[command(
    after_help = "The token is one of an operator with the scope admin. It comes from --token-file or from the \
    environment variable QUADREX_ADMIN_TOKEN.\n\n\
    Examples:\n  quadrex admin --server https://chess.example.org --token-file admin.token search rude\n  \
    quadrex admin --server https://chess.example.org suspend 'Rude Guest' --days 7 --reason 'insults in the chat'"
)]
pub(crate) struct Arguments {
    /// Server, such as `https://chess.example.org`.
    #[arg(long, value_name = "URL")]
    server: String,
    /// File with the token.
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Prints the answer of the server as JSON.
    #[arg(long)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Lists users by the beginning of their name, or the suspended users.
    Search(Search),
    /// Shows a user: account, sessions, suspension and last matches.
    Show(Target),
    /// Suspends a user, who may then only read and watch.
    Suspend(Suspend),
    /// Warns a user, who sees the text until it is acknowledged.
    Warn(Warn),
    /// Ends the suspension of a user.
    Restore(WithReason),
    /// Changes the name of a user.
    Rename(Rename),
    /// Ends all sessions of a user and revokes all tokens.
    Revoke(WithReason),
    /// Prints the personal data of a user as JSON.
    Export(Target),
    /// Closes a table, and aborts its match.
    CloseTable(CloseTable),
    /// Lists the reports about users, and shows and closes them.
    Reports(Reports),
    /// Lists pairs of users who spare each other in rated matches.
    Pairs(Pairs),
    /// Deletes a user. Past matches stay, without the name.
    Delete(WithReason),
}

#[derive(Debug, Args)]
struct Search {
    /// Beginning of the name; also finds the account with a name that looks like it.
    #[arg(required_unless_present = "suspended", conflicts_with = "suspended")]
    name: Option<String>,
    /// Lists the suspended users.
    #[arg(long)]
    suspended: bool,
}

#[derive(Debug, Args)]
struct Target {
    /// User: the id, or the whole name if no other user has it.
    user: String,
}

#[derive(Debug, Args)]
struct Suspend {
    #[command(flatten)]
    target: Target,
    /// Reason, which the user sees.
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Hours until the suspension ends [default: it does not end by itself].
    #[arg(long, value_name = "NUMBER")]
    hours: Option<u32>,
    /// Days until the suspension ends.
    #[arg(long, value_name = "NUMBER", conflicts_with = "hours", value_parser = clap::value_parser!(u32).range(1..=3650))]
    days: Option<u32>,
}

#[derive(Debug, Args)]
struct Warn {
    #[command(flatten)]
    target: Target,
    /// Text, which the user sees.
    #[arg(long, value_name = "TEXT")]
    text: String,
}

#[derive(Debug, Args)]
struct CloseTable {
    /// Id of the table.
    table: TableId,
    /// Reason, which everybody at the table sees.
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

#[derive(Debug, Args)]
struct WithReason {
    #[command(flatten)]
    target: Target,
    /// Reason for the audit log.
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

#[derive(Debug, Args)]
struct Rename {
    #[command(flatten)]
    target: Target,
    /// New name.
    #[arg(long, value_name = "NAME")]
    to: String,
    /// Reason for the audit log.
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

/// Sends the request of the action and prints the answer.
pub(crate) fn run(arguments: Arguments) -> Result<()> {
    let server = Address::parse(&arguments.server).context("--server")?;
    let token = read_token(arguments.token_file.as_ref())?;
    let operator = Operator { http: HttpClient::new(&server, Some(&token)), is_json: arguments.json };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(operator.execute(arguments.command))
}

/// Returns the token in the file or, without a file, in the environment.
fn read_token(file: Option<&PathBuf>) -> Result<String> {
    let text = match file {
        Some(file) => std::fs::read_to_string(file).with_context(|| file.display().to_string())?,
        None => std::env::var(ADMIN_TOKEN_VARIABLE)
            .with_context(|| format!("give the token with --token-file or as {ADMIN_TOKEN_VARIABLE}"))?,
    };
    Ok(text.trim().to_owned())
}

/// A connection to a server as an operator.
struct Operator {
    http: HttpClient,
    is_json: bool,
}

impl Operator {
    async fn execute(self, command: Command) -> Result<()> {
        match command {
            Command::Search(Search { name: Some(name), .. }) => self.print(&self.search(&name).await?),
            Command::Search(Search { name: None, .. }) => {
                self.print(&self.get::<AdminUserList>("/api/admin/users?suspended=true").await?)
            }
            Command::Show(Target { user }) => {
                let path = self.path(&user).await?;
                self.print(&self.get::<AdminUserDetails>(&path).await?)
            }
            Command::Suspend(Suspend { target, reason, hours, days }) => {
                let hours = hours.or(days.map(|days| 24 * days));
                self.act(&target.user, "suspend", &SuspendUser { reason, hours }).await
            }
            Command::Warn(Warn { target, text }) => self.act(&target.user, "warn", &WarnUser { text }).await,
            Command::Restore(WithReason { target, reason }) => {
                self.act(&target.user, "restore", &AdminReason { reason }).await
            }
            Command::Export(Target { user }) => {
                let path = format!("{}/export", self.path(&user).await?);
                let data: PersonalData = self.get(&path).await?;
                println!("{}", serde_json::to_string_pretty(&data)?);
                Ok(())
            }
            Command::CloseTable(CloseTable { table, reason }) => {
                let path = format!("/api/admin/tables/{table}/close");
                let closed = self.http.post(&path, &AdminReason { reason }).await;
                self.print::<TableClosed>(&closed.map_err(explain)?)
            }
            Command::Reports(reports) => reports.execute(&self).await,
            Command::Pairs(pairs) => pairs.execute(&self).await,
            Command::Delete(WithReason { target, reason }) => {
                self.act(&target.user, "delete", &AdminReason { reason }).await
            }
            Command::Rename(Rename { target, to, reason }) => {
                self.act(&target.user, "rename", &AdminRename { name: to, reason }).await
            }
            Command::Revoke(WithReason { target, reason }) => {
                self.act(&target.user, "revoke", &AdminReason { reason }).await
            }
        }
    }

    /// Sends the request of an action on a user, and prints the details of the user after it.
    async fn act(&self, user: &str, action: &str, request: &impl Serialize) -> Result<()> {
        let path = format!("{}/{action}", self.path(user).await?);
        let details: AdminUserDetails = self.http.post(&path, request).await.map_err(explain)?;
        self.print(&details)
    }

    async fn search(&self, name: &str) -> Result<AdminUserList> {
        self.get(&format!("/api/admin/users?name={}", percent_encoded(name))).await
    }

    /// Returns the path of the only user with this id or name.
    async fn path(&self, user: &str) -> Result<String> {
        Ok(format!("/api/admin/users/{}", self.user_id(user).await?))
    }

    /// Returns the id of the only user with this id or name.
    async fn user_id(&self, user: &str) -> Result<UserId> {
        match user.parse::<UserId>() {
            Ok(id) => Ok(id),
            Err(_) => self.id_of(user).await,
        }
    }

    async fn id_of(&self, name: &str) -> Result<UserId> {
        let AdminUserList { users } = self.search(name).await?;
        let lower_case = name.trim().to_lowercase();
        let named: Vec<_> =
            users.into_iter().filter(|found| found.user.name.to_lowercase() == lower_case).collect();
        match named.as_slice() {
            [] => bail!("there is no user with the name {name:?}"),
            [found] => Ok(found.user.id),
            _ => {
                let list = AdminUserList { users: named };
                bail!("several users have the name {name:?}; give the id of one:\n{}", list.report())
            }
        }
    }

    async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T> {
        self.http.get(path).await.map_err(explain)
    }

    fn print<T: Report + Serialize>(&self, answer: &T) -> Result<()> {
        if self.is_json {
            println!("{}", serde_json::to_string_pretty(answer)?);
        } else {
            print!("{}", answer.report());
        }
        Ok(())
    }
}

/// Adds an explanation to the answer of a server for which the client is no operator.
fn explain(error: HttpError) -> anyhow::Error {
    let is_unknown = matches!(&error, HttpError::Refused(refusal) if refusal.code == RefusalCode::NotFound);
    let error = anyhow::Error::from(error);
    if is_unknown { error.context("not found, or the token is not that of an operator") } else { error }
}

/// Encodes a text for the query of a URL (RFC 3986, section 2.1).
fn percent_encoded(text: &str) -> String {
    let encode = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    text.bytes().map(encode).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_encoded_for_a_query() {
        assert_eq!(percent_encoded("Zoë & Ben"), "Zo%C3%AB%20%26%20Ben");
        assert_eq!(percent_encoded("a-b_c.d~9"), "a-b_c.d~9");
    }
}
