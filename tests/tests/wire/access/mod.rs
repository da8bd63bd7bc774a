//! Every route and every command, used by every kind of user: at public tables, at tables that may
//! be watched by link, and at private ones. The files in this folder are the specification. Each
//! cell is `ok`, the code of a refusal, `match` if the user may try and the match has refused, or
//! `blank` for a picture without contents.

mod commands;
mod routes;
mod table;
mod users;

use std::fmt::Write;

use anyhow::{Result, ensure};
use quadrex_tests::operator::{OPERATORS, add_operator};
use quadrex_tests::{Guest, InProcessServer};

use commands::Command;
use routes::Route;
use table::{Kind, Stage, Table};
use users::{User, Users};

/// The limits that this many requests from one address would exceed.
const LIMITS: [&str; 18] = [
    "CONNECTIONS_PER_ADDRESS",
    "GUESTS_PER_MINUTE",
    "GUESTS_BURST",
    "SIGN_INS_PER_MINUTE",
    "SIGN_INS_BURST",
    "TABLES_PER_MINUTE",
    "TABLES_BURST",
    "LINKS_PER_MINUTE",
    "LINKS_BURST",
    "REPORTS_PER_HOUR",
    "EXPLORE_PER_MINUTE",
    "EXPLORE_BURST",
    "ANALYSES_PER_MINUTE",
    "ANALYSES_BURST",
    "PICTURES_PER_MINUTE",
    "PICTURES_BURST",
    "ARCHIVE_PER_MINUTE",
    "ARCHIVE_BURST",
];

/// Starts a server. Returns it with an operator.
async fn start() -> Result<(InProcessServer, Guest)> {
    let names = LIMITS.map(|name| format!("QUADREX_LIMITS__{name}"));
    let mut settings: Vec<_> = names.iter().map(|name| (name.as_str(), "1000000")).collect();
    settings.push(("QUADREX_REVIEWS__AUTOMATIC", "false"));
    settings.push(OPERATORS);
    // Nobody listens there, so no mail is sent.
    settings.push(("QUADREX_MAIL__URL", "smtp://127.0.0.1:1"));
    settings.push(("QUADREX_MAIL__FROM", "post@chess.example"));
    settings.push(("QUADREX_SERVER__PUBLIC_URL", "https://chess.example"));
    let server = InProcessServer::start_with(&settings).await?;
    let operator = add_operator(&server.location()?).await?;
    Ok((server, operator))
}

/// The lines of a specification, one for each route or command.
struct Matrix(String);

impl Matrix {
    fn new(users: &[User]) -> Self {
        let mut matrix = Self(String::new());
        matrix.add("", &users.iter().map(|user| user.name.to_owned()).collect::<Vec<_>>());
        matrix
    }

    fn add(&mut self, name: &str, cells: &[String]) {
        let mut line = format!("{name:<50}");
        if name.len() >= 50 {
            line.push(' ');
        }
        for cell in cells {
            write!(line, "{cell:<18}").expect("a string can be written");
        }
        self.0.push_str(line.trim_end());
        self.0.push('\n');
    }

    fn compare(&self, expected: &str) -> Result<()> {
        let differences: Vec<_> =
            self.0.lines().zip(expected.lines()).filter(|(is, was)| is != was).collect();
        ensure!(self.0 == expected, "{differences:#?}, all lines:\n{}", self.0);
        Ok(())
    }
}

/// Something that a user tries.
enum Attempt {
    Route(Route),
    Command(Command),
}

impl Attempt {
    /// Returns all routes, and then all commands.
    fn all() -> impl Iterator<Item = Self> {
        Route::all().into_iter().map(Self::Route).chain(Command::ALL.map(Self::Command))
    }

    /// Returns the progress of the match at which it makes sense; `None` if it concerns no table.
    fn stage(&self) -> Option<Stage> {
        match self {
            Self::Route(route) => route.stage,
            Self::Command(command) => command.stage(),
        }
    }

    /// Returns its name, after the progress of the match.
    fn title(&self) -> String {
        let name = match self {
            Self::Route(route) => route.name(),
            Self::Command(command) => command.name().to_owned(),
        };
        self.stage().map_or(name.clone(), |stage| format!("{stage}: {name}"))
    }

    /// Returns true if the table or the user is another one after it.
    fn changes(&self) -> bool {
        match self {
            Self::Route(route) => route.changes(),
            Self::Command(command) => command.changes(),
        }
    }

    /// Lets a user try it, and returns the outcome.
    async fn cell(&self, server: &InProcessServer, user: &User, table: Option<&Table>) -> Result<String> {
        match self {
            Self::Route(route) => route.cell(server, user, table).await,
            Self::Command(command) => command.cell(server, user, table).await,
        }
    }
}

/// Uses all routes and commands that concern a table of this kind.
async fn check_tables(kind: Kind, expected: &str) -> Result<()> {
    let (server, operator) = start().await?;
    let users = Users::create(&server, &operator).await?;
    let mut matrix = Matrix::new(users.all());
    for stage in [Stage::Open, Stage::Running, Stage::Ended] {
        let mut table = Table::create(&server, &users, kind, stage).await?;
        for attempt in Attempt::all().filter(|attempt| attempt.stage() == Some(stage)) {
            let mut cells = Vec::new();
            for user in users.all() {
                let cell = attempt.cell(&server, user, Some(&table)).await?;
                if cell == "ok" && attempt.changes() {
                    table = Table::create(&server, &users, kind, stage).await?;
                }
                cells.push(cell);
            }
            matrix.add(&attempt.title(), &cells);
        }
    }
    matrix.compare(expected)
}

#[tokio::test]
async fn at_public_tables() -> Result<()> {
    check_tables(Kind::Public, include_str!("public.txt")).await
}

#[tokio::test]
async fn at_tables_that_may_be_watched_by_link() -> Result<()> {
    check_tables(Kind::Link, include_str!("link.txt")).await
}

#[tokio::test]
async fn at_private_tables() -> Result<()> {
    check_tables(Kind::Private, include_str!("private.txt")).await
}

#[tokio::test]
async fn without_a_table() -> Result<()> {
    let (server, operator) = start().await?;
    let mut users = Users::create(&server, &operator).await?;
    let mut matrix = Matrix::new(users.without_table());
    for attempt in Attempt::all().filter(|attempt| attempt.stage().is_none()) {
        let mut cells = Vec::new();
        for index in 0..users.without_table().len() {
            let cell = attempt.cell(&server, &users.without_table()[index], None).await?;
            if cell == "ok" && attempt.changes() {
                users = Users::create(&server, &operator).await?;
            }
            cells.push(cell);
        }
        matrix.add(&attempt.title(), &cells);
    }
    matrix.compare(include_str!("without_table.txt"))
}
