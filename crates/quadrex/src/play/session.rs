//! The bot's session on a server: reconnects until nothing is left to do.

use std::time::Duration;

use anyhow::{Result, bail};
use quadrex_clock::{Clock, Entropy};
use quadrex_protocol::http::{CreateTable, LinkCreated, NewInvite, TableCreated, Uses};
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::{ClientFrame, CmdId, ServerFrame};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::account::Account;
use super::address::Address;
use super::bot::Bot;
use super::connection::{Connection, ConnectionError, MAX_SILENCE, PING_INTERVAL};
use super::engine_task::MoveResult;
use super::http::Refusal;
use super::target::Target;

/// The interval of [`Bot::tick`].
const TICK: Duration = Duration::from_secs(1);

/// The first pause before reconnecting; each further one is twice as long.
const MIN_PAUSE: Duration = Duration::from_millis(500);

/// The longest pause before reconnecting.
const MAX_PAUSE: Duration = Duration::from_secs(30);

/// The pause before another attempt to open a table.
const TABLE_PAUSE: Duration = Duration::from_secs(10);

/// The time limit for the last commands after a request to stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);

/// The parts of a running bot.
pub(super) struct Session {
    pub(super) server: Address,
    pub(super) account: Account,
    pub(super) target: Target,
    pub(super) bot: Bot,
    pub(super) results: mpsc::Receiver<MoveResult>,
    pub(super) clock: Clock,
    pub(super) entropy: Entropy,
    /// The id of a request for a table that has no answer yet.
    pub(super) next_table: Option<CmdId>,
}

/// Returns a new id for a request.
fn new_request_id(entropy: &Entropy, clock: &Clock) -> CmdId {
    entropy.uuid(clock.now()).to_string().parse().expect("a UUID names a command")
}

/// The end of a connection.
enum End {
    /// Nothing is left to do.
    Done,
    /// The connection broke; the server may have sent a time to wait before reconnecting.
    Lost(ConnectionError, Option<Duration>),
}

/// The signals that stop the program.
struct StopSignals {
    interrupt: Signal,
    terminate: Signal,
    /// The number of requests to stop.
    count: u32,
}

impl StopSignals {
    fn new() -> std::io::Result<Self> {
        let (interrupt, terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        Ok(Self { interrupt, terminate, count: 0 })
    }

    /// Waits for a request to stop and returns the number so far. SIGTERM counts twice, because it
    /// leaves no time for a match.
    async fn requested(&mut self) -> u32 {
        let more = tokio::select! {
            _ = self.interrupt.recv() => 1,
            _ = self.terminate.recv() => 2,
        };
        self.count += more;
        self.count
    }
}

impl Session {
    /// Plays until nothing is left to do, or until stopped.
    ///
    /// # Errors
    /// If the bot cannot continue: the token is refused, the engine has failed, or the table does
    /// not exist.
    pub(super) async fn run(mut self) -> Result<()> {
        let mut stop_signals = StopSignals::new()?;
        let mut connection = self.open().await?;
        let mut pause = MIN_PAUSE;
        loop {
            let connected_at = self.clock.now();
            match self.serve(connection, &mut stop_signals).await? {
                End::Done => return Ok(()),
                End::Lost(error, retry_after) => {
                    // A connection that lasted a while resets the pause.
                    if self.clock.now().since(connected_at) > MAX_PAUSE {
                        pause = MIN_PAUSE;
                    }
                    tracing::warn!("{error}; connecting again");
                    if let Some(retry_after) = retry_after {
                        sleep(retry_after.min(MAX_PAUSE)).await;
                    }
                }
            }
            connection = loop {
                // A random pause spreads the reconnects of many clients.
                let [part] = self.entropy.bytes::<1>();
                let pausing = sleep(pause.mul_f64(0.5 + f64::from(part) / 255.0));
                tokio::select! {
                    () = pausing => {}
                    _ = stop_signals.requested() => return self.give_up(),
                }
                match self.open().await {
                    Ok(connection) => break connection,
                    Err(error) if error.is_final() => return Err(error.into()),
                    Err(error) => tracing::warn!("{error}; trying again in about {pause:?}"),
                }
                pause = (pause * 2).min(MAX_PAUSE);
            };
            tracing::info!("connected again");
        }
    }

    async fn open(&self) -> Result<Connection, ConnectionError> {
        let (connection, user) = Connection::open(&self.server, &self.account.token).await?;
        tracing::debug!("the server greets {}", user.map(|user| user.name).unwrap_or_default());
        Ok(connection)
    }

    /// Ends the session while there is no connection.
    fn give_up(&self) -> Result<()> {
        self.warn_about_running_matches();
        Ok(())
    }

    fn warn_about_running_matches(&self) {
        for table in self.bot.running() {
            let server = &self.server;
            tracing::warn!(
                "the match at {server}/t/{table} goes on without the bot, whose clock runs: started again with the same token, it plays on"
            );
        }
    }

    /// Receives and sends frames over one connection until it ends.
    async fn serve(&mut self, mut connection: Connection, stop_signals: &mut StopSignals) -> Result<End> {
        self.bot.connected();
        let mut ticks = interval(TICK);
        let mut pings = interval(PING_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut last_frame_at = self.clock.now();
        let (mut table_at, mut goodbye_at, mut retry_after) = (last_frame_at, None, None);
        loop {
            for frame in self.bot.take_outbox() {
                if let Err(error) = connection.send(&frame).await {
                    return Ok(End::Lost(error, retry_after));
                }
            }
            if self.bot.is_done() || goodbye_at.is_some_and(|at| self.clock.now() >= at) {
                self.warn_about_running_matches();
                connection.close().await;
                return Ok(End::Done);
            }
            tokio::select! {
                frame = connection.next() => match frame {
                    Ok(frame) => {
                        last_frame_at = self.clock.now();
                        if let ServerFrame::Closing { retry_after_ms } = frame {
                            retry_after = Some(Duration::from_millis(retry_after_ms));
                        }
                        self.bot.handle_frame(frame)?;
                    }
                    Err(error) => return Ok(End::Lost(error, retry_after)),
                },
                Some(result) = self.results.recv() => self.bot.handle_result(result)?,
                _ = pings.tick() => {
                    if let Err(error) = connection.send(&ClientFrame::Ping {}).await {
                        return Ok(End::Lost(error, retry_after));
                    }
                }
                _ = ticks.tick() => {
                    let now = self.clock.now();
                    if now.since(last_frame_at) > MAX_SILENCE {
                        return Ok(End::Lost(ConnectionError::Silent, retry_after));
                    }
                    self.bot.tick()?;
                    if self.bot.wants_table() && now >= table_at {
                        table_at = now + TABLE_PAUSE;
                        self.make_table().await?;
                    }
                }
                count = stop_signals.requested() => {
                    let running = self.bot.end();
                    if running == 0 {
                        tracing::info!("stopping");
                        goodbye_at = Some(self.clock.now() + STOP_TIMEOUT);
                    } else if count == 1 {
                        tracing::info!("stopping: {running} of its matches still run, and the bot exits after the last of them. A second Ctrl-C exits at once");
                    } else {
                        // Frames already queued for other tables are still sent.
                        goodbye_at = Some(self.clock.now());
                    }
                }
            }
        }
    }

    /// Opens a table and attends it.
    async fn make_table(&mut self) -> Result<()> {
        let Target::Open(table_request) = &self.target else { return Ok(()) };
        // The same id until there is an answer, so that a lost one does not open a second table.
        let cmd = self.next_table.get_or_insert_with(|| new_request_id(&self.entropy, &self.clock)).clone();
        let table_request = CreateTable { cmd: Some(cmd), ..(**table_request).clone() };
        let made: Result<TableCreated> = self.account.http.post("/api/tables", &table_request).await;
        let table = match made {
            Ok(TableCreated { table, .. }) => {
                self.next_table = None;
                table
            }
            Err(error) => match error.downcast_ref::<Refusal>() {
                Some(refusal) if !refusal.is_transient() => {
                    bail!("the server opens no such table: {refusal}")
                }
                _ => {
                    tracing::warn!("no table was opened: {error:#}");
                    return Ok(());
                }
            },
        };
        let CreateTable { privacy, variant, .. } = &table_request;
        let server = &self.server;
        if *privacy == Privacy::Private {
            let invite = NewInvite { seat: None, uses: Uses::Open };
            let link: LinkCreated =
                self.account.http.post(&format!("/api/tables/{table}/invites"), &invite).await?;
            println!("Play with it: {server}/t/{table}#invite={}", link.secret);
        } else {
            tracing::info!("opened a table of {variant}: {server}/t/{table}");
        }
        self.bot.attend(table, None);
        Ok(())
    }
}
