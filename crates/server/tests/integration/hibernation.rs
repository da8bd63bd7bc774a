//! Hibernating matches: a match whose actor has ended meanwhile behaves in every respect as one
//! whose actor has always run.

use std::sync::Arc;
use std::time::Duration;

use quadrex_clock::{Clock, Entropy};
use quadrex_protocol::chat::{ChatMessage, Phrase, Room};
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::lot::Nonce;
use quadrex_protocol::settings::{Absence, Privacy, TimeSetting};
use quadrex_protocol::user::UserView;
use quadrex_protocol::view::Phase;
use quadrex_protocol::{MatchId, RequestAction, TableId, UserId};
use quadrex_rules::{Color, Request, Timestamp, Variant};
use quadrex_server::actor::{
    Answer, BotRunner, OutageRecord, ResumeFrom, TableDeps, TableHandle, TableOverview, replay,
};
use quadrex_server::app::Waker;
use quadrex_server::bus::LocalBus;
use quadrex_server::lease::Lease;
use quadrex_server::lobby::Lobby;
use quadrex_store::{Location, LoggedEvent, Store, User};
use quadrex_table::{Action, BotTask, CloseAfter, Invitation, Viewer, legal_moves};
use tempfile::TempDir;
use tokio::sync::watch;

use crate::fixture::{PATIENCE, RecordingWatcher, fair_play, request};

const START: Timestamp = Timestamp::from_millis(1_790_000_000_000);
const GRACE: Duration = Duration::from_secs(3);

/// The quiet time after which matches hibernate in these tests.
const QUIET: Duration = Duration::from_secs(1);

/// A time that is longer than the quiet time of every match.
const LONGER_THAN_QUIET: Duration = Duration::from_secs(2);

/// A runner for tables without bots.
#[derive(Debug)]
struct NoBots;

impl BotRunner for NoBots {
    fn run_bots(&self, _table: TableHandle, _tasks: watch::Receiver<Option<Arc<BotTask>>>) {}
}

/// A step of a schedule.
#[derive(Clone, Copy, Debug)]
enum Step {
    Advance(Duration),
    /// The process stalls.
    Stall(Duration),
    /// The server ends. Its last heartbeat was `silent` earlier, and the next server starts after
    /// `away`.
    Restart {
        silent: Duration,
        away: Duration,
    },
    /// The player to move makes one of the legal moves.
    Move(usize),
    Resign(usize),
    Chat(usize),
    Draw(usize, RequestAction),
    /// A user watches the table from now on; the user after the last one is a stranger.
    Watch(usize),
    /// Nobody watches the table any more.
    Leave,
    /// A stranger reads the table.
    Look,
}

fn steps(seed: u64, count: usize) -> Vec<Step> {
    let entropy = Entropy::seeded(seed);
    let pick = |below: usize| u64::from_le_bytes(entropy.bytes()) as usize % below;
    let time = || {
        let seconds = [1, 40, 70, 1_000, 20_000, 50_000, 90_000][pick(7)];
        Duration::from_millis(seconds * 1_000 + pick(900) as u64)
    };
    let step = |_| match pick(20) {
        0..=3 => Step::Advance(time()),
        4 => Step::Stall(time()),
        5..=6 => Step::Restart { silent: Duration::from_millis(pick(2_000) as u64), away: time() },
        7..=11 => Step::Move(pick(1_000)),
        12 => Step::Chat(pick(2)),
        13 => {
            Step::Draw(pick(2), [RequestAction::Ask, RequestAction::Accept, RequestAction::Decline][pick(3)])
        }
        14..=15 => Step::Watch(pick(3)),
        16..=17 => Step::Leave,
        18 if pick(8) == 0 => Step::Resign(pick(2)),
        _ => Step::Look,
    };
    (0..count).map(step).collect()
}

/// A server with one table. Its clock stands still unless the test moves it.
struct World {
    folder: TempDir,
    clock: Clock,
    /// The quiet time, or a time that never passes.
    hibernate_after: Duration,
    server: Parts,
    table: TableId,
    match_id: MatchId,
    users: Vec<UserView>,
    watchers: Vec<RecordingWatcher>,
    commands: u32,
    /// The number of hibernations.
    hibernations: u32,
}

/// The parts that end with a server.
struct Parts {
    store: Store,
    lobby: Lobby,
    outages: Arc<OutageRecord>,
    waker: Waker,
}

async fn start_parts(folder: &TempDir, clock: &Clock, hibernate_after: Duration) -> Parts {
    let location = Location::parse("", folder.path()).unwrap();
    let store = Store::connect(&location, 2).await.unwrap();
    let outages = Arc::new(OutageRecord::new(store.clone(), clock.clone(), GRACE, None));
    let lobby = Lobby::start(TableDeps {
        store: store.clone(),
        bus: LocalBus::default(),
        clock: clock.clone(),
        entropy: Entropy::seeded(7),
        changed_tables: Arc::default(),
        started_turns: Arc::default(),
        close_after: CloseAfter {
            open: Duration::from_secs(600),
            ended: Duration::from_secs(1_000_000),
            asleep: Duration::from_secs(300),
            never_started: None,
        },
        max_resync_events: 3,
        grace: GRACE,
        hibernate_after,
        outages: Arc::clone(&outages),
        fair_play: fair_play(&store),
        bot_runner: Arc::new(NoBots),
        cluster: None,
        lease: Lease::unlimited(),
    });
    let last_alive = store.last_heartbeat().await.unwrap();
    lobby.recover(last_alive, GRACE).await.unwrap();
    let waker = Waker::new(lobby.clone(), store.clone(), clock.clone(), None);
    Parts { store, lobby, outages, waker }
}

impl World {
    /// Starts a server with a match that two users play.
    async fn start(hibernate_after: Duration, time: TimeSetting, absence: Absence) -> Self {
        let (folder, clock) = (tempfile::tempdir().unwrap(), Clock::manual(START));
        let server = start_parts(&folder, &clock, hibernate_after).await;
        let mut users = Vec::new();
        for (number, name) in (1..).zip(["Ann", "Ben", "Cid"]) {
            let id = UserId(uuid::Uuid::from_u128(number));
            let user = User { id, name: name.to_owned(), created_at: START, account: false, bot: None };
            server.store.add_user(&user).await.unwrap();
            users.push(user.view());
        }
        // Only a private table waits for absent players.
        let privacy = if absence == Absence::Wait { Privacy::Private } else { Privacy::Public };
        let request = CreateTable {
            seat: Some(Color::White),
            time: Some(time),
            absence: Some(absence),
            ..CreateTable::plain(Variant::Classic, privacy)
        };
        let table = server.lobby.open(request, users[0].clone(), Vec::new()).await.unwrap();
        let (table, match_id) = (table.table(), table.overview().head.match_id);
        let (watchers, commands, hibernations) = (Vec::new(), 0, 0);
        let mut world = Self {
            folder,
            clock,
            hibernate_after,
            server,
            table,
            match_id,
            users,
            watchers,
            commands,
            hibernations,
        };
        let nonce: Nonce = "n".parse().unwrap();
        world
            .send(1, Action::Sit { seat: None, invite: Some(Invitation { seat: None }), nonce, rating: None })
            .await;
        world
    }

    async fn handle(&self) -> TableHandle {
        self.server.lobby.find(self.table).await.unwrap().expect("the table exists")
    }

    /// Sends a command of a user.
    async fn send(&mut self, user: usize, action: Action) -> Answer {
        self.commands += 1;
        let request = request(&self.users[user], &format!("c{}", self.commands), action);
        self.handle().await.send_command(request).await.expect("the table has an actor")
    }

    /// Returns the log without the epochs, which count the claims.
    async fn log(&self) -> Vec<LoggedEvent> {
        let mut log = self.server.store.events(self.match_id, 0).await.unwrap();
        log.iter_mut().for_each(|logged| logged.epoch = quadrex_store::Epoch(0));
        log
    }

    async fn is_hibernating(&self) -> bool {
        self.server.store.is_hibernating(self.match_id).await.unwrap()
            && self.server.lobby.running(self.table).await.unwrap().is_none()
    }

    /// Waits until the actor, if there is one, has run its timers.
    async fn run_timers(&mut self) {
        self.server.outages.record_stall().await.unwrap();
        self.server.waker.wake_due().await;
        if let Some(handle) = self.server.lobby.running(self.table).await.unwrap() {
            // The actor runs its timers first. A command that is refused changes nothing. If the
            // actor ends before it answers, its timers have run too.
            let sync = request(&self.users[2], "sync", Action::Resign);
            handle.send_command(sync).await.ok();
        }
    }

    /// Lets the quiet time pass. If the match can hibernate now, waits until it does.
    async fn settle(&mut self) {
        self.run_timers().await;
        let running = self.server.lobby.running(self.table).await.unwrap();
        let overview = running.map(|handle| handle.overview());
        self.clock.advance(LONGER_THAN_QUIET);
        self.run_timers().await;
        // The last message began the quiet time anew.
        self.clock.advance(LONGER_THAN_QUIET);
        if overview.is_some_and(|overview| self.must_hibernate(&overview)) {
            self.until_hibernating().await;
            self.hibernations += 1;
        } else {
            self.run_timers().await;
        }
    }

    /// Returns whether the match must hibernate now, after the quiet time. It may also hibernate in
    /// other cases.
    fn must_hibernate(&self, overview: &TableOverview) -> bool {
        let deadline = overview.open_turn.and_then(|turn| turn.deadline);
        let is_far = deadline.is_some_and(|deadline| deadline.since(self.clock.now()).as_secs() > 80);
        let is_correspondence = matches!(overview.settings().time, TimeSetting::Correspondence { .. });
        let is_quiet = self.watchers.is_empty() && overview.phase() == Phase::Running;
        self.hibernate_after == QUIET && is_quiet && is_far && is_correspondence
    }

    async fn until_hibernating(&self) {
        let hibernating = async {
            while !self.is_hibernating().await {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(PATIENCE, hibernating).await.expect("the match hibernates");
    }

    async fn watch(&mut self, viewer: Viewer) {
        let handle = self.handle().await;
        self.watchers.push(RecordingWatcher::new(&handle, viewer, ResumeFrom::Nothing).await);
    }

    /// Ends all subscriptions, and waits until the actor knows it.
    async fn leave(&mut self) {
        self.watchers.clear();
        self.run_timers().await;
    }

    async fn restart(&mut self, silent: Duration, away: Duration) {
        let alive = Timestamp::from_millis(self.clock.now().as_millis() - silent.as_millis() as u64);
        self.server.store.record_heartbeat(alive).await.unwrap();
        self.watchers.clear();
        self.server.lobby.stop().await;
        self.server.store.close().await;
        self.clock.advance(away);
        self.server = start_parts(&self.folder, &self.clock, self.hibernate_after).await;
    }

    /// Makes one of the legal moves.
    async fn mv(&mut self, number: usize) {
        let history = replay(&self.server.store, self.table, self.match_id).await.unwrap();
        let state = history.state();
        let Some((color, moves)) = legal_moves(state) else { return };
        let player = state.holder(color).unwrap().id;
        let user = self.users.iter().position(|user| user.id == player).unwrap();
        let (mv, after) = (moves[number % moves.len()], state.head());
        self.send(user, Action::Move { after, mv, claim_draw: false }).await;
    }

    async fn apply(&mut self, step: Step) {
        match step {
            Step::Advance(time) => self.clock.advance(time),
            Step::Stall(time) => self.clock.stall(time),
            Step::Restart { silent, away } => self.restart(silent, away).await,
            Step::Move(number) => self.mv(number).await,
            Step::Resign(user) => drop(self.send(user, Action::Resign).await),
            Step::Chat(user) => {
                let message = ChatMessage::Phrase(Phrase::Hello);
                self.send(user, Action::Chat { room: Room::Seated, message }).await;
            }
            Step::Draw(user, action) => {
                self.send(user, Action::Request { request: Request::Draw, action }).await;
            }
            Step::Watch(user) => {
                let viewer = self.users.get(user).map_or(Viewer::Anonymous, |user| Viewer::User(user.id));
                self.watch(viewer).await;
            }
            Step::Leave => self.leave().await,
            Step::Look => drop(self.handle().await),
        }
        self.settle().await;
    }
}

/// The same schedule gives the same log, with the same times, whether the match hibernates or its
/// actor always runs. At each look, the deadline is the same too.
#[tokio::test]
async fn a_match_that_hibernates_has_the_same_log_as_one_that_never_does() {
    let mut hibernations = 0;
    for seed in 0..24 {
        let (time, absence) = match seed % 4 {
            0 => (TimeSetting::None, Absence::Wait),
            1 => (TimeSetting::Correspondence { days: 3 }, Absence::Bot),
            _ => (TimeSetting::Correspondence { days: 1 }, Absence::Eliminate),
        };
        let mut awake = World::start(Duration::from_secs(1_000_000_000), time, absence).await;
        let mut asleep = World::start(QUIET, time, absence).await;
        for (number, step) in steps(seed, 40).into_iter().enumerate() {
            awake.apply(step).await;
            asleep.apply(step).await;
            assert_eq!(awake.clock.now(), asleep.clock.now());
            if matches!(step, Step::Look) {
                let turns = [awake.handle().await.overview(), asleep.handle().await.overview()];
                let [awake_turn, asleep_turn] = turns.map(|overview| overview.open_turn);
                assert_eq!(awake_turn, asleep_turn, "seed {seed}, step {number}");
            }
        }
        for world in [&mut awake, &mut asleep] {
            world.handle().await.claim().await.unwrap();
        }
        assert_eq!(awake.log().await, asleep.log().await, "seed {seed}");
        hibernations += asleep.hibernations;
    }
    assert!(hibernations > 100, "the schedules are of no use: {hibernations} hibernations");
}
