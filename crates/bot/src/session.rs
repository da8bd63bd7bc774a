//! A bot's session on a server. It lasts until the bot has nothing left to do.

use std::time::Duration;

use anyhow::{Result, bail};
use quadrex_client::{Address, Client, ClientEvent, Credentials, HttpClient, HttpError};
use quadrex_clock::{Clock, Entropy};
use quadrex_protocol::http::{CreateTable, LinkCreated, NewInvite, TableCreated, Uses};
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{CommandId, TableId};
use quadrex_rules::Timestamp;
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval};

use crate::BotSettings;
use crate::account::Account;
use crate::bot::{Bot, PlaySettings, Purpose};
use crate::engine_task::{EngineSettings, MoveResult};
use crate::stop_signals::StopSignals;
use crate::target::Target;

/// The interval of [`Bot::tick`].
const TICK: Duration = Duration::from_secs(1);

/// The pause before another attempt to open a table.
const TABLE_PAUSE: Duration = Duration::from_secs(10);

/// The time for which the bot waits for answers to its last commands after a request to stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);

/// A bot with its connection and its timers.
struct Session {
    server: Address,
    http: HttpClient,
    target: Target,
    client: Client<Purpose>,
    bot: Bot,
    clock: Clock,
    /// The id of a request for a table that the server has not answered yet.
    unanswered_request: Option<CommandId>,
    /// The time of the next attempt to open a table.
    next_attempt_at: Timestamp,
    /// The time at which the program exits after a request to stop.
    exit_at: Option<Timestamp>,
}

/// Plays until the bot has nothing left to do, or until a signal stops it.
///
/// # Errors
/// Returns an error if the bot cannot continue: the token is refused, the engine has failed, or the
/// table does not exist.
pub async fn run(settings: BotSettings) -> Result<()> {
    let BotSettings { server, account: Account { http, token, me }, launch, target, .. } = settings;
    let mut stop_signals = StopSignals::new()?;
    let (clock, entropy) = (Clock::system(), Entropy::system());
    let credentials = Credentials { token: Some(token) };
    let client = Client::connect(server.clone(), credentials, clock.clone(), entropy).await?;
    let engine_settings = EngineSettings { launch, restarts: settings.restarts, clock: clock.clone() };
    let play_settings = PlaySettings {
        target: target.clone(),
        seat: settings.seat,
        max_matches: settings.max_matches,
        max_tables: settings.max_tables,
        reply_policy: settings.reply_policy,
        think_time: settings.think_time,
    };
    let (sender, results) = mpsc::channel(16);
    let bot = Bot::new(me.user.id, play_settings, engine_settings, sender);
    let next_attempt_at = clock.now();
    let mut session = Session {
        server,
        http,
        target,
        client,
        bot,
        clock,
        unanswered_request: None,
        next_attempt_at,
        exit_at: None,
    };
    let own_seat = |seat: &quadrex_protocol::view::SeatView| {
        seat.user.as_ref().is_some_and(|user| user.id == me.user.id)
    };
    for table in &me.tables {
        if table.seats.iter().any(own_seat) && table.phase != Phase::Ended {
            session.bot.attend(session.client.state_mut(), table.table, None);
        }
    }
    if let Target::At(address) = &session.target {
        session.bot.attend(session.client.state_mut(), address.table, address.invite.clone());
    }
    session.bot.connected(session.client.state_mut());
    session.play(results, &mut stop_signals).await
}

impl Session {
    async fn play(
        mut self,
        mut results: mpsc::Receiver<MoveResult>,
        stop_signals: &mut StopSignals,
    ) -> Result<()> {
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let shall_exit = self.exit_at.is_some_and(|at| self.clock.now() >= at);
            if self.bot.is_done(self.client.state()) || shall_exit {
                self.warn_about_running_matches();
                self.client.close().await;
                return Ok(());
            }
            tokio::select! {
                event = self.client.next() => match event? {
                    ClientEvent::Update(update) => {
                        self.bot.handle_update(self.client.state_mut(), update)?;
                    }
                    ClientEvent::Disconnected(error) => tracing::warn!("{error}; connecting again"),
                    ClientEvent::ConnectFailed(error, pause) => {
                        tracing::warn!("{error}; trying again in {pause:.1?}");
                    }
                    ClientEvent::Moved => tracing::info!("continues on another connection"),
                    ClientEvent::Reconnected => {
                        tracing::info!("connected again");
                        self.bot.connected(self.client.state_mut());
                    }
                },
                Some(result) = results.recv(), if self.client.is_connected() => {
                    self.bot.handle_result(self.client.state_mut(), result)?;
                }
                _ = ticks.tick() => {
                    if self.client.is_connected() {
                        self.tick().await?;
                    }
                }
                count = stop_signals.next_request() => {
                    if !self.client.is_connected() {
                        self.warn_about_running_matches();
                        return Ok(());
                    }
                    self.stop(count);
                }
            }
        }
    }

    /// Lets the bot handle its timeouts, and opens a table if the bot wants one.
    async fn tick(&mut self) -> Result<()> {
        self.bot.tick(self.client.state_mut());
        let now = self.clock.now();
        if self.bot.wants_table() && now >= self.next_attempt_at {
            self.next_attempt_at = now + TABLE_PAUSE;
            self.open_table().await?;
        }
        Ok(())
    }

    /// Handles a request to stop. `count` is the number of requests so far.
    fn stop(&mut self, count: u32) {
        let running_matches = self.bot.stop(self.client.state_mut());
        if running_matches == 0 {
            tracing::info!("stopping");
            self.exit_at = Some(self.clock.now() + STOP_TIMEOUT);
        } else if count == 1 {
            tracing::info!(
                "stopping: {running_matches} of its matches still run, and the bot exits after the last of them. A second Ctrl-C exits at once"
            );
        } else {
            // The frames that are queued for other tables are sent before the exit.
            self.exit_at = Some(self.clock.now());
        }
    }

    fn warn_about_running_matches(&self) {
        for table in self.bot.tables_with_match(self.client.state()) {
            let server = &self.server;
            tracing::warn!(
                "the match at {server}/t/{table} goes on without the bot, whose clock runs: started again with the same token, it plays on"
            );
        }
    }

    /// Opens a table and attends it.
    async fn open_table(&mut self) -> Result<()> {
        let Target::Open(request) = &self.target else { return Ok(()) };
        // The id stays the same until an answer arrives. If an answer is lost, the next request
        // therefore gets the same table.
        let command_id =
            self.unanswered_request.get_or_insert_with(|| self.client.state().new_command_id()).clone();
        let request = CreateTable { cmd: Some(command_id), ..(**request).clone() };
        let created: Result<TableCreated, HttpError> = self.http.post("/api/tables", &request).await;
        let table = match created {
            Ok(TableCreated { table, .. }) => table,
            Err(HttpError::Refused(refusal)) if !refusal.is_transient() => {
                bail!("the server opens no such table: {refusal}")
            }
            Err(error) => {
                tracing::warn!("no table was opened: {:#}", anyhow::Error::from(error));
                return Ok(());
            }
        };
        self.unanswered_request = None;
        self.announce(table, &request).await?;
        self.bot.attend(self.client.state_mut(), table, None);
        Ok(())
    }

    /// Prints the invite link of a private table, or logs the address of a public table.
    async fn announce(&self, table: TableId, request: &CreateTable) -> Result<()> {
        let server = &self.server;
        if request.privacy == Privacy::Private {
            let invite = NewInvite { seat: None, uses: Uses::Open };
            let link: LinkCreated = self.http.post(&format!("/api/tables/{table}/invites"), &invite).await?;
            println!("Play with it: {server}/t/{table}#invite={}", link.secret);
        } else {
            tracing::info!("opened a table of {}: {server}/t/{table}", request.variant);
        }
        Ok(())
    }
}
