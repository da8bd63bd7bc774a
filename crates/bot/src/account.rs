//! The account under which a bot plays. A token identifies it, or a new guest is created.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use quadrex_client::{Address, HttpClient, HttpError, Refusal};
use quadrex_protocol::RefusalCode;
use quadrex_protocol::bot::BotView;
use quadrex_protocol::http::{GuestCreated, Me, NewGuest};

/// The settings of a bot's account: a token, or the name of a new guest.
pub struct AccountSettings {
    /// The token, from the command line or the environment.
    pub token: Option<String>,
    /// The file that contains the token. If the file does not exist, a new guest is created and its
    /// token is written to the file.
    pub token_file: Option<PathBuf>,
    /// The name of a new guest; `None` for the engine's name.
    pub name: Option<String>,
    /// The name of the environment variable that may contain the token. Messages mention this name.
    pub token_variable: &'static str,
}

/// The account under which a bot plays.
#[derive(Clone)]
pub struct Account {
    /// An HTTP client that sends the account's token.
    pub http: HttpClient,
    /// The token by which the server knows the account.
    pub token: String,
    /// The account's user, with the tables at which it plays.
    pub me: Me,
}

/// The longest name that a server accepts.
const MAX_NAME_CHARS: usize = 24;

impl AccountSettings {
    /// Returns the account on this server. If the account is new, prints where its token is stored.
    ///
    /// # Errors
    /// Returns an error if the server cannot be reached or refuses the token, or the account is not
    /// a bot's.
    pub async fn open(&self, server: &Address, engine: Option<&str>) -> Result<Account> {
        let (token, origin) = match (&self.token, &self.token_file) {
            (Some(token), _) => {
                (Some(token.trim().to_owned()), format!("--token or {}", self.token_variable))
            }
            (None, Some(file)) => (read_token(file)?, file.display().to_string()),
            (None, None) => (None, String::new()),
        };
        let token = match token {
            Some(token) => token,
            None => self.create_guest(server, engine).await?,
        };
        let http = HttpClient::new(server, Some(&token));
        let me: Me = http.get("/api/me").await.map_err(|error| {
            let is_refused_token = matches!(
                &error,
                HttpError::Refused(Refusal {
                    code: RefusalCode::Unauthenticated | RefusalCode::BadToken,
                    ..
                })
            );
            let error = anyhow::Error::from(error);
            if is_refused_token {
                error.context(format!("{server} does not accept the token of {origin}"))
            } else {
                error
            }
        })?;
        let name = &me.user.name;
        ensure!(
            me.user.bot == Some(BotView::Account {}),
            "{name} is not a bot: the token of {origin} is a person's, and engines play under accounts of bots. \
             Without a token, a new account is created"
        );
        Ok(Account { http, token, me })
    }

    /// Creates a guest account and returns its token.
    async fn create_guest(&self, server: &Address, engine: Option<&str>) -> Result<String> {
        let name = self.name.clone().or_else(|| engine.map(guest_name));
        let guest = NewGuest { name: name.clone(), bot: true };
        let created: Result<GuestCreated, HttpError> =
            HttpClient::new(server, None).post("/api/guests", &guest).await;
        let GuestCreated { user, token } = created.with_context(|| match name {
            Some(name) => format!("{server} does not create a guest called {name:?}"),
            None => format!("{server} does not create a guest"),
        })?;
        match &self.token_file {
            Some(file) => {
                write_token(file, &token)?;
                println!("{} is new on {server}; its token is in {}", user.name, file.display());
            }
            // This is the only time that the token is shown.
            None => {
                let variable = self.token_variable;
                println!(
                    "{} is new on {server}. To continue with the same account: {variable}={token}",
                    user.name
                );
            }
        }
        Ok(token)
    }
}

/// Returns the token in a file, if the file exists.
fn read_token(file: &Path) -> Result<Option<String>> {
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("reading {}", file.display())),
    };
    let token = text.trim();
    if token.is_empty() || token.contains(char::is_whitespace) {
        bail!("{} has no token: expected one word", file.display());
    }
    Ok(Some(token.to_owned()))
}

/// Writes a token to a new file that only its owner may read.
fn write_token(file: &Path, token: &str) -> Result<()> {
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
