//! A store for tests, and helpers that fill it.

use futures_util::future::join_all;
use quadrex_clock::Entropy;
use quadrex_protocol::http::CreateTable;
use quadrex_protocol::lot::{Nonce, Secret};
use quadrex_protocol::settings::Privacy;
use quadrex_protocol::user::UserView;
use quadrex_protocol::{CommandId, Event, MatchId, TableId, TableSettings, UserId};
use quadrex_rules::{Color, Reason, Timestamp, Variant};
use quadrex_store::{
    Append, AppendError, Author, Epoch, Location, LotKey, NewTable, NextMatch, NodeId, SeatHolder,
    SecretHash, Store, User,
};
use quadrex_table::validate_settings;
use sqlx::Connection;
use uuid::Uuid;

/// The time at which tests start; any time would do.
pub(crate) const NOW: Timestamp = Timestamp::from_millis(1_790_000_000_123);

/// Returns the time this many milliseconds after [`NOW`].
pub(crate) fn after(millis: u64) -> Timestamp {
    Timestamp::from_millis(NOW.as_millis() + millis)
}

/// A store and the data to fill it.
#[derive(Clone)]
pub(crate) struct TestStore {
    pub(crate) store: Store,
    pub(crate) location: Location,
    /// The location of the database for its owner, if the store uses a role with fewer privileges.
    pub(crate) owner: Option<Location>,
    pub(crate) entropy: Entropy,
}

/// A table with its match, its host, and the epoch and head of its log.
#[derive(Clone, Debug)]
pub(crate) struct TestTable {
    pub(crate) table: TableId,
    pub(crate) match_id: MatchId,
    pub(crate) host: User,
    pub(crate) epoch: Epoch,
    pub(crate) head: u64,
}

impl TestStore {
    pub(crate) async fn open(location: Location) -> Self {
        let store = Store::connect(&location, 4).await.unwrap();
        Self { store, location, owner: None, entropy: Entropy::seeded(1) }
    }

    /// Opens a store with the server's role. [`run`](Self::run) uses the owner's role.
    pub(crate) async fn owned_by(location: Location, owner: Location) -> Self {
        Self { owner: Some(owner), ..Self::open(location).await }
    }

    /// Runs SQL directly on the database.
    pub(crate) async fn run(&self, sql: &'static str) {
        match self.owner.as_ref().unwrap_or(&self.location) {
            Location::Sqlite(file) => {
                let url = format!("sqlite://{}", file.display());
                let mut connection = sqlx::SqliteConnection::connect(&url).await.unwrap();
                sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
            }
            Location::Postgres(options) => {
                let mut connection = sqlx::PgConnection::connect_with(options).await.unwrap();
                sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
            }
            Location::Simulated(database) => {
                database.run_unchecked(async |c| sqlx::raw_sql(sql).execute(c).await).await.unwrap();
            }
        }
    }

    /// Returns the node that owns a match.
    pub(crate) async fn owner_of(&self, match_id: MatchId) -> Option<NodeId> {
        let sql = "select owner from matches where id = $1";
        let owner: Option<Uuid> = match self.owner.as_ref().unwrap_or(&self.location) {
            Location::Sqlite(file) => {
                let url = format!("sqlite://{}", file.display());
                let mut connection = sqlx::SqliteConnection::connect(&url).await.unwrap();
                sqlx::query_scalar(sql).bind(match_id.0).fetch_one(&mut connection).await.unwrap()
            }
            Location::Postgres(options) => {
                let mut connection = sqlx::PgConnection::connect_with(options).await.unwrap();
                sqlx::query_scalar(sql).bind(match_id.0).fetch_one(&mut connection).await.unwrap()
            }
            Location::Simulated(database) => {
                let query = sqlx::query_scalar(sql).bind(match_id.0);
                database.run_unchecked(async |connection| query.fetch_one(connection).await).await.unwrap()
            }
        };
        owner.map(NodeId)
    }

    pub(crate) fn secret(&self) -> SecretHash {
        SecretHash(self.entropy.bytes())
    }

    /// Returns a user that is not stored.
    pub(crate) fn stranger(&self, name: &str) -> User {
        User {
            id: UserId(self.entropy.uuid(NOW)),
            name: name.to_owned(),
            created_at: NOW,
            account: false,
            bot: None,
        }
    }

    pub(crate) async fn user(&self, name: &str) -> User {
        let user = self.stranger(name);
        self.store.add_user(&user).await.unwrap();
        user
    }

    pub(crate) fn new_table(&self, host: &User, at: Timestamp) -> NewTable {
        let events = vec![opened(host), seated(Color::Red, host)];
        NewTable {
            table: TableId(self.entropy.uuid(at)),
            match_id: MatchId(self.entropy.uuid(at)),
            host: host.id,
            privacy: Privacy::Public,
            lot_key: LotKey(self.entropy.bytes()),
            at,
            events,
            holders: vec![holder(host, false)],
        }
    }

    /// Creates a table with a new host. Its log has `opened` and `seated`.
    pub(crate) async fn table(&self) -> TestTable {
        let host = self.user("Quiet Otter").await;
        let new = self.new_table(&host, NOW);
        let head = self.store.open_table(&new).await.unwrap();
        TestTable { table: new.table, match_id: new.match_id, host, epoch: Epoch::FIRST, head }
    }
}

impl TestStore {
    /// Creates this number of tables with the same host.
    pub(crate) async fn tables(&self, count: usize) -> Vec<TestTable> {
        let host = self.user("Quiet Otter").await;
        let open = async || {
            let new = self.new_table(&host, NOW);
            let head = self.store.open_table(&new).await.unwrap();
            let (table, match_id) = (new.table, new.match_id);
            TestTable { table, match_id, host: host.clone(), epoch: Epoch::FIRST, head }
        };
        join_all((0..count).map(|_| open())).await
    }
}

impl TestTable {
    /// Returns an append of the next events of this table, without a user.
    pub(crate) fn append(&self, events: Vec<Event>) -> Append {
        Append {
            match_id: self.match_id,
            epoch: self.epoch,
            head_seq: self.head,
            at: NOW,
            events,
            holders: None,
            by: None,
            next: None,
        }
    }

    /// Returns an append of one move by a user's command.
    pub(crate) fn command(&self, user: &User, name: &str) -> Append {
        let by = Author { user: user.id, command_id: command_id(name), redeem: None };
        Append { by: Some(by), ..self.append(vec![moved()]) }
    }

    /// Returns an append that ends the match and begins the next match.
    pub(crate) fn rematch(&self, next: MatchId) -> Append {
        let events = vec![opened(&self.host), seated(Color::Blue, &self.host), started(Color::Red)];
        let by = Author { user: self.host.id, command_id: command_id("again"), redeem: None };
        let ended = Event::Ended { reason: Reason::Agreement, places: [(Color::Red, 1)].into() };
        let last = Event::Rematched { match_id: next };
        Append {
            by: Some(by),
            next: Some(NextMatch { match_id: next, events, holders: vec![holder(&self.host, true)] }),
            ..self.append(vec![started(Color::Red), ended, last])
        }
    }

    /// Returns an append that seats a user with an invite.
    pub(crate) fn redeem(&self, user: &User, name: &str, invite: SecretHash) -> Append {
        let by = Author { user: user.id, command_id: command_id(name), redeem: Some(invite) };
        Append { by: Some(by), ..self.append(vec![seated(Color::Blue, user)]) }
    }
}

/// Returns the seat holder for a user in a match of [`settings`].
pub(crate) fn holder(user: &User, is_playing: bool) -> SeatHolder {
    SeatHolder { user: user.id, variant: settings().variant, is_playing }
}

pub(crate) fn command_id(name: &str) -> CommandId {
    name.parse().unwrap()
}

pub(crate) fn opened(host: &User) -> Event {
    Event::Opened {
        settings: settings(),
        host: view(host),
        commitment: secret().commitment(),
        previous: None,
        kicked: Vec::new(),
    }
}

pub(crate) fn secret() -> Secret {
    Secret::new([5; 32])
}

pub(crate) fn nonce() -> Nonce {
    "it's a \"nonce\"".parse().unwrap()
}

pub(crate) fn started(first_player: Color) -> Event {
    Event::Started { first_player, secret: secret(), seats: Default::default() }
}

pub(crate) fn settings() -> TableSettings {
    validate_settings(CreateTable::plain(Variant::Dilkel, Privacy::Public)).unwrap()
}

pub(crate) fn seated(color: Color, user: &User) -> Event {
    Event::Seated { color, user: view(user), nonce: nonce() }
}

pub(crate) fn moved() -> Event {
    Event::Moved {
        color: Color::Red,
        mv: "h2h4".parse().unwrap(),
        left_ms: Some(59_000),
        away_ms: 0,
        lag_ms: 0,
    }
}

fn view(user: &User) -> UserView {
    user.view()
}

/// Returns the numbers of the events in the log of a match.
pub(crate) async fn numbers(store: &Store, match_id: MatchId) -> Vec<u64> {
    store.events(match_id, 0).await.unwrap().iter().map(|logged| logged.seq).collect()
}

#[track_caller]
pub(crate) fn assert_fenced(result: Result<u64, AppendError>) {
    assert!(matches!(result, Err(AppendError::Fenced)), "{result:?}");
}

#[track_caller]
pub(crate) fn assert_link_used(result: Result<u64, AppendError>) {
    assert!(matches!(result, Err(AppendError::LinkUsed)), "{result:?}");
}

#[track_caller]
pub(crate) fn assert_duplicate(result: Result<u64, AppendError>, of: u64) {
    assert!(matches!(result, Err(AppendError::Duplicate { seq }) if seq == of), "{result:?}");
}
