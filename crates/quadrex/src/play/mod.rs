//! `quadrex play`: the command line of [`quadrex_bot`].

mod target;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use quadrex_bot::{
    AccountSettings, BotSettings, Draws, Rematches, ReplyPolicy, Takebacks, Target, ThinkTimeSettings,
};
use quadrex_client::Address;
use quadrex_driver::{Description, Engine, Launch};
use quadrex_server::config::{LogConfig, LogFormat, TOKEN_VARIABLE};
use quadrex_server::telemetry;

use target::TargetArgs;

/// The time limit for the start of an engine. Large engines take a while to load.
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// The server, the engine and the behavior of the bot.
#[derive(Debug, clap::Args)]
#[command(after_help = "Without --table and --open, the bot joins public tables as they are opened.\n\n\
    Ctrl-C finishes the running matches, joins no more tables, and exits; a second Ctrl-C exits at once. The bot never \
    resigns: restarted with the same token, it continues its matches.\n\n\
    Examples:\n  quadrex play --server https://chess.example.org --engine stockfish --variant classic --token-file bot.token\n  \
    quadrex play --table 'https://chess.example.org/t/ID#invite=SECRET' --engine quadrex -- uci")]
pub(crate) struct Arguments {
    /// Server to play on, such as `https://chess.example.org` [default: the server of the --table link].
    #[arg(long, value_name = "URL", required_unless_present = "table")]
    server: Option<String>,
    /// Program of the engine: a path, or a name to find in PATH.
    #[arg(long, value_name = "PROGRAM")]
    engine: PathBuf,
    /// Arguments of the engine's program.
    #[arg(last = true, value_name = "ARGUMENT")]
    arguments: Vec<String>,
    /// UCI option of the engine, such as Hash=64; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = option)]
    options: Vec<(String, String)>,
    /// Number of restarts per match when the engine exits, hangs or sends an illegal move.
    #[arg(long, value_name = "NUMBER", default_value_t = 3)]
    restarts: u32,
    /// Logs the communication with the engine.
    #[arg(long)]
    verbose: bool,
    #[command(flatten)]
    account: AccountArgs,
    #[command(flatten)]
    target: TargetArgs,
    /// Maximum thinking time per move in milliseconds [default: 3000 without a clock, unlimited with one].
    #[arg(long, value_name = "MS")]
    think: Option<u64>,
    /// Safety margin in milliseconds, kept on every clock for the network.
    #[arg(long, value_name = "MS", default_value_t = 200)]
    margin: u64,
    /// Answer to draw offers.
    #[arg(long, value_enum, default_value_t = Draws::Judge, value_name = "ANSWER")]
    draws: Draws,
    /// Answer to takeback requests.
    #[arg(long, value_enum, default_value_t = Takebacks::Accept, value_name = "ANSWER")]
    takebacks: Takebacks,
    /// Action after a match, and answer to rematch requests.
    #[arg(long, value_enum, default_value_t = Rematches::Accept, value_name = "ANSWER")]
    rematches: Rematches,
}

/// The account of the bot.
#[derive(Debug, clap::Args)]
struct AccountArgs {
    /// Token of the bot's account, from an earlier run or from POST /api/guests. Other users of the machine can see a command line:
    /// prefer the environment variable or --token-file.
    #[arg(long, value_name = "TOKEN", env = TOKEN_VARIABLE, hide_env_values = true)]
    token: Option<String>,
    /// File with the token. If it does not exist, creates a guest account and writes its token there, readable by its owner only.
    #[arg(long, value_name = "FILE", conflicts_with = "token")]
    token_file: Option<PathBuf>,
    /// Name of a new guest account [default: the engine's name].
    #[arg(long)]
    name: Option<String>,
}

/// Plays until the bot has nothing left to play, or until a signal stops it.
pub(crate) fn run(arguments: Arguments) -> Result<()> {
    let filter =
        if arguments.verbose { "warn,quadrex=debug,quadrex_driver=debug" } else { "warn,quadrex=info" };
    telemetry::init(&LogConfig { filter: filter.to_owned(), format: LogFormat::Text })?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let result = runtime.block_on(async { quadrex_bot::run(arguments.settings().await?).await });
    // A hanging engine must not delay the exit.
    runtime.shutdown_background();
    result
}

/// Starts the engine once, to check that it speaks UCI and accepts its options.
async fn describe(launch: &Launch) -> Result<Description> {
    let engine = Engine::start(launch).await?;
    for (name, value) in &launch.options {
        engine.description().check(name, value).with_context(|| format!("--option {name}={value}"))?;
    }
    Ok(engine.description().clone())
}

impl Arguments {
    /// Checks the arguments with the engine and the server, and returns the bot's settings.
    async fn settings(self) -> Result<BotSettings> {
        let launch = self.launch();
        let engine = self.engine.display();
        let description = describe(&launch).await.with_context(|| format!("--engine {engine}"))?;
        let target = self.target.target(&description)?;
        let server = self.address(&target)?;
        let AccountArgs { token, token_file, name } = self.account;
        let account = AccountSettings { token, token_file, name, token_variable: TOKEN_VARIABLE };
        let account = account.open(&server, description.name()).await?;
        let engine_name = description.name().unwrap_or("an engine without a name");
        tracing::info!("{} plays on {server}, with {engine_name}", account.me.user.name);
        Ok(BotSettings {
            server,
            account,
            launch,
            restarts: self.restarts,
            target,
            seat: self.target.seat,
            max_matches: self.target.games,
            max_tables: self.target.at_once,
            reply_policy: ReplyPolicy {
                draws: self.draws,
                takebacks: self.takebacks,
                rematches: self.rematches,
            },
            think_time: ThinkTimeSettings {
                max: self.think.map(Duration::from_millis),
                margin: Duration::from_millis(self.margin),
            },
        })
    }

    fn launch(&self) -> Launch {
        Launch {
            command: self.engine.clone(),
            arguments: self.arguments.clone(),
            options: self.options.iter().cloned().collect::<BTreeMap<_, _>>(),
            reply_timeout: START_TIMEOUT,
            nice: None,
            inherit_stderr: true,
        }
    }

    /// Returns the server given by `--server` or by the link of a table.
    fn address(&self, target: &Target) -> Result<Address> {
        let given = self.server.as_deref().map(Address::parse).transpose().context("--server")?;
        let linked = match target {
            Target::At(address) => address.server.clone(),
            Target::Open(_) | Target::Seek(_) => None,
        };
        if let (Some(given), Some(linked)) = (&given, &linked) {
            ensure!(given == linked, "--table is on {linked}, and --server is {given}");
        }
        given.or(linked).context("--server is missing: --table is not a link")
    }
}

/// Parses `NAME=VALUE`; a button has no value.
fn option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let is_plain = !text.contains(char::is_control) && !name.trim().is_empty();
    is_plain
        .then(|| (name.trim().to_owned(), value.trim().to_owned()))
        .ok_or_else(|| "expected NAME=VALUE".to_owned())
}
