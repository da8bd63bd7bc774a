//! The bot's account on a server: given by a token, or a new guest.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use quadrex_protocol::RefusalCode;
use quadrex_protocol::bot::BotView;
use quadrex_protocol::http::{GuestCreated, Me, NewGuest};

use super::address::Address;
use super::http::{HttpClient, Refusal};

/// The environment variable that holds a token.
pub(super) const VARIABLE: &str = quadrex_server::config::TOKEN_VARIABLE;

/// The account of the bot.
#[derive(Debug, clap::Args)]
pub(crate) struct Identity {
    /// Token of the bot's account, from an earlier run or from POST /api/guests. Other users of the machine can see a command line:
    /// prefer the environment variable or --token-file.
    #[arg(long, value_name = "TOKEN", env = VARIABLE, hide_env_values = true)]
    token: Option<String>,
    /// File with the token. If it does not exist, creates a guest account and writes its token there, readable by its owner only.
    #[arg(long, value_name = "FILE", conflicts_with = "token")]
    token_file: Option<PathBuf>,
    /// Name of a new guest account [default: the engine's name].
    #[arg(long)]
    name: Option<String>,
}

/// The account that the bot plays under.
#[derive(Clone, Debug)]
pub(super) struct Account {
    pub(super) http: HttpClient,
    pub(super) token: String,
    /// The user and its unfinished tables.
    pub(super) me: Me,
}

/// The longest name that a server accepts.
const MAX_NAME_CHARS: usize = 24;

impl Identity {
    /// Returns the account on this server, and prints where a new account's token is.
    ///
    /// # Errors
    /// If the server cannot be reached or refuses the token, or the account is not a bot's.
    pub(super) async fn find(&self, server: &Address, engine: Option<&str>) -> Result<Account> {
        let (token, origin) = match (&self.token, &self.token_file) {
            (Some(token), _) => (Some(token.trim().to_owned()), format!("--token or {VARIABLE}")),
            (None, Some(file)) => (read(file)?, file.display().to_string()),
            (None, None) => (None, String::new()),
        };
        let token = match token {
            Some(token) => token,
            None => self.create_guest(server, engine).await?,
        };
        let http = HttpClient::new(server, Some(&token));
        let me: Me = http.get("/api/me").await.map_err(|error| match error.downcast_ref::<Refusal>() {
            Some(Refusal { code: RefusalCode::Unauthenticated | RefusalCode::BadToken, .. }) => {
                error.context(format!("{server} does not take the token of {origin}"))
            }
            _ => error,
        })?;
        let name = &me.user.name;
        ensure!(
            me.user.bot == Some(BotView::Account {}),
            "{name} is no bot: the token of {origin} is a person's, and engines play under accounts that say what they are. \
             Without a token a new one is created"
        );
        Ok(Account { http, token, me })
    }

    /// Creates a guest account and returns its token.
    async fn create_guest(&self, server: &Address, engine: Option<&str>) -> Result<String> {
        let name = self.name.clone().or_else(|| engine.map(guest_name));
        let guest = NewGuest { name: name.clone(), bot: true };
        let created: Result<GuestCreated> = HttpClient::new(server, None).post("/api/guests", &guest).await;
        let GuestCreated { user, token } = created.with_context(|| match name {
            Some(name) => format!("{server} makes no guest called {name:?}"),
            None => format!("{server} makes no guest"),
        })?;
        match &self.token_file {
            Some(file) => {
                write(file, &token)?;
                println!("{} is new on {server}; its token is in {}", user.name, file.display());
            }
            // This is the only time that the token is shown.
            None => {
                println!("{} is new on {server}. To play on as the same: {VARIABLE}={token}", user.name);
            }
        }
        Ok(token)
    }
}

/// Returns the token in a file, if the file exists.
fn read(file: &Path) -> Result<Option<String>> {
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("reading {}", file.display())),
    };
    let token = text.trim();
    if token.is_empty() || token.contains(char::is_whitespace) {
        bail!("{} holds no token: it must be one word", file.display());
    }
    Ok(Some(token.to_owned()))
}

/// Writes a token to a new file that only its owner may read.
fn write(file: &Path, token: &str) -> Result<()> {
    let write = || {
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(file)?;
        writeln!(file, "{token}")
    };
    write().with_context(|| format!("writing {}", file.display()))
}

/// Returns an engine's name, cut to the length of a guest's name.
fn guest_name(name: &str) -> String {
    name.chars().take(MAX_NAME_CHARS).collect::<String>().trim().to_owned()
}
