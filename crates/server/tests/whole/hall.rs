//! A lobby on a database file of its own, and people to come in.

use std::sync::Arc;
use std::time::Duration;

use quadrex_protocol::http::CreateTable;
use quadrex_protocol::lot::Nonce;
use quadrex_protocol::settings::{Privacy, TimeSetting};
use quadrex_protocol::user::UserView;
use quadrex_protocol::{Event, MatchId, TableId, UserId};
use quadrex_rules::{Color, Variant};
use quadrex_server::bots::Bots;
use quadrex_server::bus::{Frame, Listener, LocalBus, News, Published, Viewer};
use quadrex_server::clock::Clock;
use quadrex_server::config::{Config, Flags};
use quadrex_server::entropy::Entropy;
use quadrex_server::lease::Lease;
use quadrex_server::lobby::Lobby;
use quadrex_server::table::{
    Action, Answer, CloseAfter, CommandRequest, InitialFrames, ResumeFrom, RoundTrip, TableHandle, Tools,
    WatchGuard, WatchRight, WatcherInfo,
};
use quadrex_store::{Location, LotKey, NewTable, Store, User};
use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::mpsc;

/// Nothing in these tests takes this long.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// A lobby, and what it stands on.
pub(crate) struct Hall {
    pub(crate) lobby: Lobby,
    pub(crate) store: Store,
    folder: Arc<TempDir>,
}

impl Hall {
    pub(crate) async fn open() -> Self {
        Self::on(Arc::new(tempfile::tempdir().unwrap())).await
    }

    /// Another lobby on the same file, as after a restart: it has taken up the unfinished matches.
    pub(crate) async fn again(&self) -> Self {
        Self::on(self.folder.clone()).await
    }

    async fn on(folder: Arc<TempDir>) -> Self {
        let location = Location::parse("", folder.path()).unwrap();
        let store = Store::connect(&location, 2).await.unwrap();
        let Config { bots, analysis, engines, .. } = Config::load(None, [], &Flags::default()).unwrap();
        let (clock, entropy) = (Clock::system(), Entropy::system());
        let bots = Bots::start(bots, analysis, engines, store.clone(), clock, entropy);
        bots.settle_in().await.unwrap();
        let tools = Tools {
            store: store.clone(),
            bus: LocalBus::default(),
            clock: Clock::system(),
            entropy: Entropy::system(),
            changed: Arc::default(),
            close_after: CloseAfter {
                open: Duration::from_secs(600),
                ended: Duration::from_secs(120),
                asleep: Duration::from_secs(300),
            },
            resync_events: 3,
            grace: Duration::ZERO,
            runner: Arc::new(bots),
            lease: Lease::unlimited(),
        };
        let lobby = Lobby::start(tools);
        lobby.recover(store.last_beat().await.unwrap(), Duration::ZERO).await.unwrap();
        Self { lobby, store, folder }
    }

    pub(crate) async fn user(&self, name: &str) -> UserView {
        let clock = Clock::system();
        let id = UserId(Entropy::system().uuid(clock.now()));
        let user = User { id, name: name.to_owned(), created_at: clock.now(), bot: None };
        self.store.add_user(&user).await.unwrap();
        user.view()
    }

    /// A table of classic chess where `white` sits already.
    pub(crate) async fn table(&self, white: &UserView, privacy: Privacy, time: TimeSetting) -> TableHandle {
        let request = CreateTable {
            seat: Some(Color::White),
            time: Some(time),
            ..CreateTable::plain(Variant::Classic, privacy)
        };
        self.lobby.open(request, white.clone(), Vec::new()).await.unwrap()
    }

    /// A table in the store whose log makes no sense.
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
        };
        self.store.open_table(&new).await.unwrap();
        table
    }

    /// The table as somebody finds it who looks at it after its actor has gone.
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

/// A command of somebody with a name of its own.
pub(crate) fn order(by: &UserView, cmd: &str, action: Action) -> CommandRequest {
    CommandRequest {
        by: by.clone(),
        seat: None,
        action,
        cmd: cmd.parse().unwrap(),
        match_id: None,
        redeem: None,
    }
}

/// What a seat adds to the lot.
pub(crate) fn nonce() -> Nonce {
    "n".parse().unwrap()
}

/// A wish for any seat.
pub(crate) fn sit() -> Action {
    Action::Sit { seat: None, invite: None, nonce: nonce() }
}

/// A move made at an event.
pub(crate) fn mv(at: u64, text: &str) -> Action {
    Action::Move { at, mv: text.parse().unwrap(), claim_draw: false }
}

/// What became of a command.
pub(crate) async fn ask(table: &TableHandle, by: &UserView, cmd: &str, action: Action) -> Answer {
    table.command(order(by, cmd, action)).await.expect("the table is there")
}

/// The match at a table.
pub(crate) fn match_of(table: &TableHandle) -> MatchId {
    table.overview().head.match_id
}

/// Passes on all that is told.
#[derive(Debug)]
pub(crate) struct Ear<M>(mpsc::UnboundedSender<M>);

impl<M: Clone + std::fmt::Debug + Send> Listener<M> for Ear<M> {
    fn hear(&self, told: &M) {
        // An error says that nobody is interested any more.
        self.0.send(told.clone()).ok();
    }
}

/// An ear, and what it will hear.
pub(crate) fn ear<M>() -> (Arc<Ear<M>>, mpsc::UnboundedReceiver<M>) {
    let (ear, heard) = mpsc::unbounded_channel();
    (Arc::new(Ear(ear)), heard)
}

/// What a frame says.
pub(crate) fn said(frame: &Frame) -> Value {
    serde_json::from_slice(frame.text()).unwrap()
}

/// Who comes to watch, by a line that is not measured.
pub(crate) fn visitor(viewer: Viewer, right: WatchRight) -> WatcherInfo {
    WatcherInfo {
        viewer,
        right,
        link: None,
        outlasts_kick: true,
        is_preview: false,
        round_trip: RoundTrip::unmeasured(),
    }
}

/// Somebody who watches a table, and reads what it is told.
pub(crate) struct Watcher {
    shown: InitialFrames,
    heard: mpsc::UnboundedReceiver<Published>,
    viewer: Viewer,
    _watching: WatchGuard,
}

impl Watcher {
    pub(crate) async fn new(table: &TableHandle, viewer: Viewer, from: ResumeFrom) -> Self {
        let (ear, heard) = ear();
        let watching = table.watch(visitor(viewer, WatchRight::Lasting), from, ear).await;
        let (watching, shown) = watching.expect("it is there");
        Self { shown, heard, viewer, _watching: watching }
    }

    /// The frames it was shown first.
    pub(crate) fn shown(&self) -> Vec<Value> {
        self.shown.frames.iter().map(said).collect()
    }

    /// The next frame with this `t`.
    pub(crate) async fn next(&mut self, kind: &str) -> Value {
        loop {
            let frame = self.next_of_any().await;
            if frame["t"] == kind {
                return frame;
            }
        }
    }

    /// The next frame.
    pub(crate) async fn next_of_any(&mut self) -> Value {
        let next = async {
            loop {
                let published = self.heard.recv().await.expect("it watches");
                let Some(frame) = published.frame_of(self.viewer) else { continue };
                let is_of_shown = published.match_id == self.shown.match_id;
                let is_known = matches!(published.news, News::Event { seq, .. } if seq <= self.shown.head);
                if !(is_of_shown && is_known) {
                    return said(frame);
                }
            }
        };
        tokio::time::timeout(PATIENCE, next).await.expect("the frame comes in time")
    }
}
