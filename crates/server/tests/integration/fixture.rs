//! A lobby with its own database file, users and watchers.

use std::sync::Arc;
use std::time::Duration;

use quadrex_clock::{Clock, Entropy};
use quadrex_cluster::message::SeatOrigin;
use quadrex_protocol::bot::BotChoice;
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::lot::Nonce;
use quadrex_protocol::settings::{Privacy, TimeSetting};
use quadrex_protocol::user::UserView;
use quadrex_protocol::{Event, MatchId, TableId, UserId};
use quadrex_rules::{Color, Variant};
use quadrex_server::actor::{
    Answer, BotRunner, CommandRequest, InitialFrames, OutageRecord, ResumeFrom, RttHandle, TableDeps,
    TableHandle, WatchGuard, WatchRight, Watcher,
};
use quadrex_server::bots::Bots;
use quadrex_server::bus::{Frame, Listener, LocalBus, Publication, PublicationKind};
use quadrex_server::config::{Config, Flags};
use quadrex_server::fair_play::FairPlay;
use quadrex_server::lease::Lease;
use quadrex_server::lobby::Lobby;
use quadrex_store::{Location, LotKey, NewTable, Store, User};
use quadrex_table::{Action, CloseAfter, PlayerCommand, Viewer};
use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::mpsc;

/// Returns the rules of fair play with the default settings.
pub(crate) fn fair_play(store: &Store) -> FairPlay {
    FairPlay::new(store.clone(), Config::load(None, [], &Flags::default()).unwrap().fair_play)
}

/// The longest wait in these tests. Nothing takes this long.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// A lobby and its store.
pub(crate) struct Fixture {
    pub(crate) lobby: Lobby,
    pub(crate) store: Store,
    bots: Bots,
    folder: Arc<TempDir>,
}

impl Fixture {
    pub(crate) async fn open() -> Self {
        Self::on(Arc::new(tempfile::tempdir().unwrap()), None).await
    }

    /// Opens a lobby whose tables give their bots' tasks to this runner.
    pub(crate) async fn open_with(bot_runner: Arc<dyn BotRunner>) -> Self {
        Self::on(Arc::new(tempfile::tempdir().unwrap()), Some(bot_runner)).await
    }

    /// Opens another lobby on the same file, as after a restart. It has resumed the unfinished
    /// matches.
    pub(crate) async fn again(&self) -> Self {
        Self::on(self.folder.clone(), None).await
    }

    /// Opens another lobby on the same file that resumes nothing, like another process beside this
    /// one.
    pub(crate) async fn beside(&self) -> Self {
        Self::start_on(self.folder.clone(), None).await
    }

    async fn on(folder: Arc<TempDir>, bot_runner: Option<Arc<dyn BotRunner>>) -> Self {
        let fixture = Self::start_on(folder, bot_runner).await;
        let last_alive = fixture.store.last_heartbeat().await.unwrap();
        fixture.lobby.recover(last_alive, Duration::ZERO).await.unwrap();
        fixture
    }

    async fn start_on(folder: Arc<TempDir>, bot_runner: Option<Arc<dyn BotRunner>>) -> Self {
        let location = Location::parse("", folder.path()).unwrap();
        let store = Store::connect(&location, 2).await.unwrap();
        let Config { bots, analysis, engines, .. } = Config::load(None, [], &Flags::default()).unwrap();
        let (clock, entropy) = (Clock::system(), Entropy::system());
        let bots = Bots::start(bots, analysis, engines, store.clone(), clock, entropy);
        bots.register_built_in().await.unwrap();
        let tools = TableDeps {
            cluster: None,
            store: store.clone(),
            bus: LocalBus::default(),
            clock: Clock::system(),
            entropy: Entropy::system(),
            changed_tables: Arc::default(),
            started_turns: Arc::default(),
            close_after: CloseAfter {
                open: Duration::from_secs(600),
                ended: Duration::from_secs(120),
                asleep: Duration::from_secs(300),
                never_started: None,
            },
            max_resync_events: 3,
            grace: Duration::ZERO,
            hibernate_after: Duration::from_secs(3_600),
            outages: Arc::new(OutageRecord::new(store.clone(), Clock::system(), Duration::ZERO, None)),
            fair_play: fair_play(&store),
            bot_runner: bot_runner.unwrap_or_else(|| Arc::new(bots.clone())),
            lease: Lease::unlimited(),
        };
        let lobby = Lobby::start(tools);
        Self { lobby, store, bots, folder }
    }

    pub(crate) async fn user(&self, name: &str) -> UserView {
        let clock = Clock::system();
        let id = UserId(Entropy::system().uuid(clock.now()));
        let user = User { id, name: name.to_owned(), created_at: clock.now(), account: false, bot: None };
        self.store.add_user(&user).await.unwrap();
        user.view()
    }

    /// Returns a bot that plays at the lowest level of the server's engine.
    pub(crate) async fn bot(&self) -> UserView {
        self.bots.find(&BotChoice::BuiltIn { level: 1.try_into().unwrap() }, Variant::Classic).await.unwrap()
    }

    /// Opens a table of classic chess with `white` as its first seated user.
    pub(crate) async fn table(&self, white: &UserView, privacy: Privacy, time: TimeSetting) -> TableHandle {
        let request = CreateTable {
            seat: Some(Color::White),
            time: Some(time),
            ..CreateTable::plain(Variant::Classic, privacy)
        };
        self.lobby.open(request, white.clone(), Vec::new()).await.unwrap()
    }

    /// Stores a table with a corrupt log.
    pub(crate) async fn unreadable_table(&self, host: &UserView) -> TableId {
        let (at, entropy) = (Clock::system().now(), Entropy::system());
        let table = TableId(entropy.uuid(at));
        let new = NewTable {
            table,
            match_id: MatchId(entropy.uuid(at)),
            host: host.id,
            privacy: Privacy::Private,
            lot_key: LotKey(entropy.bytes()),
            at,
            events: vec![Event::Resumed {}],
            holders: Vec::new(),
        };
        self.store.open_table(&new).await.unwrap();
        table
    }

    /// Stops the table's actor, and returns the table from the lobby again.
    pub(crate) async fn orphan(&self, table: &TableHandle) -> TableHandle {
        table.stop().await;
        while self.lobby.running(table.table()).await.unwrap().is_some() {
            tokio::task::yield_now().await;
        }
        self.find(table.table()).await
    }

    pub(crate) async fn find(&self, table: TableId) -> TableHandle {
        self.lobby.find(table).await.unwrap().expect("the table is there")
    }
}

/// Returns a command with its id.
pub(crate) fn request(by: &UserView, cmd: &str, action: Action) -> CommandRequest {
    CommandRequest {
        command: PlayerCommand { by: by.clone(), seat: None, action },
        command_id: cmd.parse().unwrap(),
        match_id: None,
        redeemed_invite: None,
        origin: SeatOrigin::default(),
    }
}

/// Returns the nonce of a seat for the lot.
pub(crate) fn nonce() -> Nonce {
    "n".parse().unwrap()
}

/// Returns the action of taking any seat.
pub(crate) fn sit() -> Action {
    Action::Sit { seat: None, invite: None, nonce: nonce(), rating: None }
}

/// Returns a move for this head.
pub(crate) fn mv(after: u64, text: &str) -> Action {
    Action::Move { after, mv: text.parse().unwrap(), claim_draw: false }
}

/// Sends a command and returns its answer.
pub(crate) async fn send(table: &TableHandle, by: &UserView, cmd: &str, action: Action) -> Answer {
    table.send_command(request(by, cmd, action)).await.expect("the table is there")
}

/// Returns the match at a table.
pub(crate) fn match_of(table: &TableHandle) -> MatchId {
    table.overview().head.match_id
}

/// A listener that forwards everything it receives.
#[derive(Debug)]
pub(crate) struct Forward<M>(mpsc::UnboundedSender<M>);

impl<M: Clone + std::fmt::Debug + Send> Listener<M> for Forward<M> {
    fn notify(&self, item: &M) {
        // A send fails only if the receiver was dropped.
        self.0.send(item.clone()).ok();
    }
}

/// Returns a listener and the receiver of its items.
pub(crate) fn listener<M>() -> (Arc<Forward<M>>, mpsc::UnboundedReceiver<M>) {
    let (sender, received) = mpsc::unbounded_channel();
    (Arc::new(Forward(sender)), received)
}

/// Parses the text of a frame.
pub(crate) fn json_of(frame: &Frame) -> Value {
    serde_json::from_slice(frame.text()).unwrap()
}

/// Returns a watcher without a round-trip time.
pub(crate) fn watcher_info(viewer: Viewer, right: WatchRight) -> Watcher {
    Watcher {
        visitor: None,
        viewer,
        right,
        link: None,
        may_stay_when_kicked: true,
        is_preview: false,
        round_trip: RttHandle::new_unmeasured(),
    }
}

/// A watcher of a table, with the frames that it receives.
pub(crate) struct RecordingWatcher {
    shown: InitialFrames,
    received: mpsc::UnboundedReceiver<Publication>,
    viewer: Viewer,
    _watching: WatchGuard,
}

impl RecordingWatcher {
    pub(crate) async fn new(table: &TableHandle, viewer: Viewer, from: ResumeFrom) -> Self {
        let (listener, received) = listener();
        let watching = table.watch(watcher_info(viewer, WatchRight::Unconditional), from, listener).await;
        let (watching, shown) = watching.expect("it is there");
        Self { shown, received, viewer, _watching: watching }
    }

    /// Returns the first frames.
    pub(crate) fn shown(&self) -> Vec<Value> {
        self.shown.frames.iter().map(json_of).collect()
    }

    /// Returns the next frame with this `t`.
    pub(crate) async fn next(&mut self, kind: &str) -> Value {
        loop {
            let frame = self.next_of_any().await;
            if frame["t"] == kind {
                return frame;
            }
        }
    }

    /// Returns the next frame.
    pub(crate) async fn next_of_any(&mut self) -> Value {
        let next = async {
            loop {
                let publication = self.received.recv().await.expect("the watcher is subscribed");
                let Some(frame) = publication.frame_of(self.viewer) else { continue };
                let is_of_shown = publication.match_id == self.shown.match_id;
                let is_known =
                    matches!(publication.kind, PublicationKind::Event { seq, .. } if seq <= self.shown.head);
                if !(is_of_shown && is_known) {
                    return json_of(frame);
                }
            }
        };
        tokio::time::timeout(PATIENCE, next).await.expect("the frame comes in time")
    }
}
