//! Tests of the simulated database. Its other guarantees are tested with those of the other
//! databases.

mod crashes;
mod faults;
mod locks;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use quadrex_protocol::settings::Privacy;
use quadrex_protocol::{CommandId, Event, MatchId, TableId, UserId};
use quadrex_rules::Timestamp;
use uuid::Uuid;

use super::{Access, Fault, FaultPlan, NoFaults, SimulatedDatabase};
use crate::{Append, Author, Epoch, Location, LotKey, NewTable, Store, StoreError, User};

const NOW: Timestamp = Timestamp::from_millis(1_790_000_000_123);

/// The server whose accesses fail.
const CUT_OFF: &str = "a";

/// A plan with at most one fault: for the next access of a kind by the server [`CUT_OFF`].
#[derive(Debug, Default)]
struct OneFault {
    next: Mutex<Option<(Access, Fault)>>,
    /// The leases that were renewed, by which server.
    renewed: Mutex<Vec<(String, Duration)>>,
}

impl OneFault {
    fn set(&self, access: Access, fault: Fault) {
        *self.next.lock().unwrap() = Some((access, fault));
    }

    fn take_renewed(&self) -> Vec<(String, Duration)> {
        std::mem::take(&mut self.renewed.lock().unwrap())
    }
}

impl FaultPlan for OneFault {
    fn decide(&self, access: Access, _statement: &'static str, server: Option<&str>) -> Fault {
        let mut planned = self.next.lock().unwrap();
        match *planned {
            Some((next, fault)) if next == access && server == Some(CUT_OFF) => {
                *planned = None;
                fault
            }
            _ => Fault::None,
        }
    }

    fn renewed(&self, server: Option<&str>, lease: Duration) {
        self.renewed.lock().unwrap().push((server.unwrap().to_owned(), lease));
    }
}

/// Returns a function that returns the virtual time of the runtime.
#[expect(clippy::disallowed_methods, reason = "it is virtual time")]
fn virtual_time() -> impl Fn() -> Timestamp + Send + Sync + 'static {
    let start = tokio::time::Instant::now();
    move || NOW + start.elapsed()
}

/// A database, and the stores of two servers on it.
struct World {
    database: SimulatedDatabase,
    plan: Arc<OneFault>,
    /// The store of the server that has faults.
    cut_off: Store,
    other: Store,
}

impl World {
    async fn new() -> Self {
        let plan = Arc::new(OneFault::default());
        let database = SimulatedDatabase::new(virtual_time(), plan.clone());
        let cut_off = store_on(&database.for_server(CUT_OFF)).await;
        let other = store_on(&database.for_server("b")).await;
        other.add_user(&user(1)).await.unwrap();
        Self { database, plan, cut_off, other }
    }
}

async fn store_on(database: &SimulatedDatabase) -> Store {
    Store::connect(&Location::Simulated(database.clone()), 4).await.unwrap()
}

fn user(number: u64) -> User {
    let id = UserId(Uuid::from_u64_pair(1, number));
    User { id, name: "Quiet Otter".to_owned(), created_at: NOW, account: false, bot: None }
}

fn match_id(number: u64) -> MatchId {
    MatchId(Uuid::from_u64_pair(2, number))
}

fn new_table(number: u64) -> NewTable {
    NewTable {
        table: TableId(Uuid::from_u64_pair(3, number)),
        match_id: match_id(number),
        host: user(1).id,
        privacy: Privacy::Public,
        lot_key: LotKey([7; 32]),
        at: NOW,
        events: vec![Event::Paused {}],
        holders: Vec::new(),
    }
}

/// Returns the second append to the log of [`new_table`].
fn append(number: u64) -> Append {
    let command_id: CommandId = "again".parse().unwrap();
    Append {
        match_id: match_id(number),
        epoch: Epoch::FIRST,
        head_seq: 1,
        at: NOW,
        events: vec![Event::Resumed {}],
        holders: None,
        by: Some(Author { user: user(1).id, command_id, redeem: None }),
        next: None,
    }
}

async fn open(store: &Store, number: u64) -> Result<u64, StoreError> {
    store.open_table(&new_table(number)).await
}

async fn head(store: &Store, number: u64) -> u64 {
    store.events(match_id(number), 0).await.unwrap().len() as u64
}

async fn in_time<T>(limit: Duration, future: impl Future<Output = T>) -> Option<T> {
    tokio::time::timeout(limit, future).await.ok()
}

/// Returns the content of a database after some accesses.
async fn bytes_after_accesses() -> Vec<u8> {
    let world = World::new().await;
    for number in 0..20 {
        world.other.open_table(&new_table(number)).await.unwrap();
    }
    let appends: Vec<_> = (0..20).map(append).collect();
    let results = futures_util::future::join_all(appends.iter().map(|append| world.cut_off.append(append)));
    assert!(results.await.into_iter().all(|result| result.is_ok_and(|head| head == 2)));
    world.other.claim(match_id(3)).await.unwrap();
    world.database.bytes().await
}

#[tokio::test(start_paused = true)]
async fn databases_with_the_same_accesses_have_the_same_bytes() {
    let (first, second) = (bytes_after_accesses().await, bytes_after_accesses().await);
    assert!(first.starts_with(b"SQLite format 3\0"));
    assert!(first == second, "the contents differ");
    let empty = SimulatedDatabase::new(|| NOW, Arc::new(NoFaults)).bytes().await;
    assert!(first != empty, "the accesses have changed nothing");
}

/// sqlx records the system's time of each migration.
#[tokio::test(start_paused = true)]
async fn the_schema_has_no_time_of_the_system() {
    let database = SimulatedDatabase::new(|| NOW, Arc::new(NoFaults));
    let sql = "select count(*), count(distinct installed_on), sum(execution_time) from _sqlx_migrations
               where installed_on = '1970-01-01 00:00:00'";
    let rows = sqlx::query_as::<_, (i64, i64, i64)>(sql);
    let (migrations, times, durations) =
        database.run_unchecked(async |connection| rows.fetch_one(connection).await).await.unwrap();
    assert!(migrations > 40, "{migrations}");
    assert_eq!((times, durations), (1, 0));
}

/// The runtime has one thread, and virtual time only advances when no task can run.
#[tokio::test(start_paused = true)]
async fn accesses_take_no_virtual_time() {
    let world = World::new().await;
    let time = virtual_time();
    let accesses = async {
        for number in 0..50 {
            world.other.open_table(&new_table(number)).await.unwrap();
            assert_eq!(world.other.append(&append(number)).await.unwrap(), 2);
            assert_eq!(head(&world.other, number).await, 2);
        }
    };
    let ticks = async {
        let mut interval = tokio::time::interval(Duration::from_millis(1));
        interval.tick().await;
        interval.tick().await;
    };
    tokio::select! {
        biased;
        () = accesses => {}
        () = ticks => panic!("virtual time has advanced"),
    }
    assert_eq!(time(), NOW);
}
