//! The bot's life on a server: lines that are opened again when they break, until there is nothing left to do.

use std::time::Duration;

use anyhow::{Result, bail};
use quadrex_protocol::http::{CreateTable, LinkCreated, NewInvite, TableCreated, Uses};
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::{ClientFrame, CmdId, ServerFrame};
use quadrex_server::clock::Clock;
use quadrex_server::entropy::Entropy;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::account::Account;
use super::address::Address;
use super::bot::Bot;
use super::goal::Goal;
use super::http::Refusal;
use super::line::{Line, LineError, PING, SILENCE};
use super::mind::Thought;

/// How often the bot looks after what time brings.
const TICK: Duration = Duration::from_secs(1);

/// The first pause before a line is opened again; each is twice the one before.
const FIRST_PAUSE: Duration = Duration::from_millis(500);

/// The longest.
const LAST_PAUSE: Duration = Duration::from_secs(30);

/// How long to wait before another try to open a table.
const TABLE_PAUSE: Duration = Duration::from_secs(10);

/// How long the goodbyes of one who was told to end may take.
const GOODBYE: Duration = Duration::from_secs(5);

/// What the bot needs to live.
pub(super) struct Session {
    pub(super) server: Address,
    pub(super) account: Account,
    pub(super) goal: Goal,
    pub(super) bot: Bot,
    pub(super) thoughts: mpsc::Receiver<Thought>,
    pub(super) clock: Clock,
    pub(super) entropy: Entropy,
    /// The name of the request for a table that has no answer yet.
    pub(super) next_table: Option<CmdId>,
}

/// A name for a request.
fn name(entropy: &Entropy, clock: &Clock) -> CmdId {
    entropy.uuid(clock.now()).to_string().parse().expect("a UUID names a command")
}

/// How a line ended.
enum End {
    /// There is nothing left to do.
    Done,
    /// It broke, and the server may have said when to come again.
    Lost(LineError, Option<Duration>),
}

/// The keys and signals that end a program.
struct Stops {
    interrupt: Signal,
    terminate: Signal,
    /// How often it was told to end.
    count: u32,
}

impl Stops {
    fn new() -> std::io::Result<Self> {
        let (interrupt, terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        Ok(Self { interrupt, terminate, count: 0 })
    }

    /// Waits to be told. SIGTERM counts as having been told twice: it has no time for a match.
    async fn told(&mut self) -> u32 {
        let more = tokio::select! {
            _ = self.interrupt.recv() => 1,
            _ = self.terminate.recv() => 2,
        };
        self.count += more;
        self.count
    }
}

impl Session {
    /// Plays until there is nothing left to do, or it is told to end.
    ///
    /// # Errors
    /// When it cannot go on: the token is refused, the engine broken, the table not there.
    pub(super) async fn run(mut self) -> Result<()> {
        let mut stops = Stops::new()?;
        let mut line = self.open().await?;
        let mut pause = FIRST_PAUSE;
        loop {
            let begun = self.clock.now();
            match self.serve(line, &mut stops).await? {
                End::Done => return Ok(()),
                End::Lost(error, wanted) => {
                    // A line that stood for a while is a good sign.
                    if self.clock.now().since(begun) > LAST_PAUSE {
                        pause = FIRST_PAUSE;
                    }
                    tracing::warn!("{error}; connecting again");
                    if let Some(wanted) = wanted {
                        sleep(wanted.min(LAST_PAUSE)).await;
                    }
                }
            }
            line = loop {
                // Not all at the same moment, where many lost their lines at the same moment.
                let [part] = self.entropy.bytes::<1>();
                let pausing = sleep(pause.mul_f64(0.5 + f64::from(part) / 255.0));
                tokio::select! {
                    () = pausing => {}
                    _ = stops.told() => return self.give_up(),
                }
                match self.open().await {
                    Ok(line) => break line,
                    Err(error) if error.is_final() => return Err(error.into()),
                    Err(error) => tracing::warn!("{error}; trying again in about {pause:?}"),
                }
                pause = (pause * 2).min(LAST_PAUSE);
            };
            tracing::info!("connected again");
        }
    }

    async fn open(&self) -> Result<Line, LineError> {
        let (line, user) = Line::open(&self.server, &self.account.token).await?;
        tracing::debug!("the server greets {}", user.map(|user| user.name).unwrap_or_default());
        Ok(line)
    }

    /// Told to end while there is no line.
    fn give_up(&self) -> Result<()> {
        self.say_what_runs();
        Ok(())
    }

    fn say_what_runs(&self) {
        for table in self.bot.running() {
            let server = &self.server;
            tracing::warn!(
                "the match at {server}/t/{table} goes on without the bot, whose clock runs: started again with the same token, it plays on"
            );
        }
    }

    /// Hears and speaks over one line until it breaks.
    async fn serve(&mut self, mut line: Line, stops: &mut Stops) -> Result<End> {
        self.bot.connected();
        let mut ticks = interval(TICK);
        let mut pings = interval(PING);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut heard = self.clock.now();
        let (mut table_at, mut goodbye_at, mut retry_after) = (heard, None, None);
        loop {
            for frame in self.bot.take_outbox() {
                if let Err(error) = line.send(&frame).await {
                    return Ok(End::Lost(error, retry_after));
                }
            }
            if self.bot.is_done() || goodbye_at.is_some_and(|at| self.clock.now() >= at) {
                self.say_what_runs();
                line.close().await;
                return Ok(End::Done);
            }
            tokio::select! {
                frame = line.next() => match frame {
                    Ok(frame) => {
                        heard = self.clock.now();
                        if let ServerFrame::Closing { retry_after_ms } = frame {
                            retry_after = Some(Duration::from_millis(retry_after_ms));
                        }
                        self.bot.hear(frame)?;
                    }
                    Err(error) => return Ok(End::Lost(error, retry_after)),
                },
                Some(thought) = self.thoughts.recv() => self.bot.thought(thought)?,
                _ = pings.tick() => {
                    if let Err(error) = line.send(&ClientFrame::Ping {}).await {
                        return Ok(End::Lost(error, retry_after));
                    }
                }
                _ = ticks.tick() => {
                    let now = self.clock.now();
                    if now.since(heard) > SILENCE {
                        return Ok(End::Lost(LineError::Silent, retry_after));
                    }
                    self.bot.tick()?;
                    if self.bot.wants_table() && now >= table_at {
                        table_at = now + TABLE_PAUSE;
                        self.make_table().await?;
                    }
                }
                count = stops.told() => {
                    let running = self.bot.end();
                    if running == 0 {
                        tracing::info!("told to end");
                        goodbye_at = Some(self.clock.now() + GOODBYE);
                    } else if count == 1 {
                        tracing::info!("told to end: {running} of its matches still run, and it ends with the last of them. Ctrl-C once more ends it at once");
                    } else {
                        // What was just said to other tables is still sent.
                        goodbye_at = Some(self.clock.now());
                    }
                }
            }
        }
    }

    /// Opens a table of its own and goes there.
    async fn make_table(&mut self) -> Result<()> {
        let Goal::Open(wish) = &self.goal else { return Ok(()) };
        // The same name until there is an answer: one that got lost makes no second table.
        let cmd = self.next_table.get_or_insert_with(|| name(&self.entropy, &self.clock)).clone();
        let wish = CreateTable { cmd: Some(cmd), ..(**wish).clone() };
        let made: Result<TableCreated> = self.account.http.post("/api/tables", &wish).await;
        let table = match made {
            Ok(TableCreated { table, .. }) => {
                self.next_table = None;
                table
            }
            Err(error) => match error.downcast_ref::<Refusal>() {
                Some(refusal) if !refusal.is_passing() => bail!("the server opens no such table: {refusal}"),
                _ => {
                    tracing::warn!("no table was opened: {error:#}");
                    return Ok(());
                }
            },
        };
        let CreateTable { privacy, variant, .. } = &wish;
        let server = &self.server;
        if *privacy == Privacy::Private {
            let invite = NewInvite { seat: None, uses: Uses::Open };
            let link: LinkCreated =
                self.account.http.post(&format!("/api/tables/{table}/invites"), &invite).await?;
            println!("Play with it: {server}/t/{table}#invite={}", link.secret);
        } else {
            tracing::info!("opened a table of {variant}: {server}/t/{table}");
        }
        self.bot.visit(table, None);
        Ok(())
    }
}
