//! Tests of the nodes of a cluster and of the matches that they own, on Postgres and on the database
//! of simulations. The tests set the time of the database.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use quadrex_protocol::MatchId;
use quadrex_store::{
    Append, ClaimedMatch, DEAD_AFTER, Epoch, Location, LockAttempt, LockClaim, NODE_LEASE, NoFaults, NodeId,
    NodeSession, NodeState, Outcome, SUCCESSOR_WAIT, ServerLock, Statement, Store,
};
use quadrex_tests::Postgres;
use sqlx::{Connection, PgConnection};
use uuid::Uuid;

use crate::simulated::ManualTime;
use crate::test_store::{NOW, TestStore, TestTable, after, assert_fenced, moved};

/// Replaces the clock of the database. Functions of `pg_catalog` are found first only if the search
/// path does not name that schema.
const MANUAL_CLOCK: &str = "
    create schema manual;
    create table manual.clock (now timestamptz not null);
    insert into manual.clock values ('epoch');
    create function manual.clock_timestamp() returns timestamptz language sql volatile
        as 'select now from manual.clock';
    alter database postgres set search_path = manual, pg_catalog, public";

/// A database of a cluster with a clock that tests set.
pub(crate) struct ClusterDatabase {
    pub(crate) kind: Kind,
    pub(crate) location: Location,
}

/// A kind of database for a cluster.
pub(crate) enum Kind {
    Postgres(Postgres),
    Simulated(ManualTime),
}

/// A node with its session.
pub(crate) struct TestNode {
    pub(crate) id: NodeId,
    pub(crate) session: NodeSession,
}

impl ClusterDatabase {
    pub(crate) async fn postgres() -> Self {
        let postgres = Postgres::start().unwrap();
        let location = Location::parse(&postgres.url(), Path::new("unused")).unwrap();
        Store::connect(&location, 2).await.unwrap().close().await;
        postgres.sql("postgres", MANUAL_CLOCK).unwrap();
        let database = Self { kind: Kind::Postgres(postgres), location };
        database.set_time(0);
        database
    }

    pub(crate) fn simulated() -> Self {
        let time = ManualTime::new();
        let location = Location::Simulated(time.database(Arc::new(NoFaults)));
        Self { kind: Kind::Simulated(time), location }
    }

    /// Sets the time of the database to this many milliseconds after [`NOW`].
    pub(crate) fn set_time(&self, millis: u64) {
        let at = after(millis);
        match &self.kind {
            Kind::Postgres(postgres) => {
                let millis = at.as_millis();
                let sql = format!("update manual.clock set now = to_timestamp({millis} / 1000.0)");
                postgres.sql("postgres", &sql).unwrap();
            }
            Kind::Simulated(time) => time.set(at),
        }
    }

    /// Returns a node that is not registered.
    pub(crate) fn node(&self, number: u64, store: &Store) -> TestNode {
        let id = NodeId(Uuid::from_u64_pair(0, number));
        TestNode { id, session: NodeSession::new(&self.location, store).unwrap() }
    }

    pub(crate) async fn registered(&self, number: u64, store: &Store) -> TestNode {
        let node = self.node(number, store);
        let registered = node.register().await;
        assert!(matches!(registered, Outcome::Renewed { .. }), "{registered:?}");
        node
    }

    /// Waits until the database has noticed that the session of a node has ended.
    pub(crate) async fn wait_for_end_of_session(&self, id: NodeId) {
        // A simulated database notices it at once.
        let Kind::Postgres(postgres) = &self.kind else { return };
        let (_, low) = id.0.as_u64_pair();
        let sql = format!("select count(*) from pg_locks where locktype = 'advisory' and objid = {low}");
        while postgres.sql("postgres", &sql).unwrap() != "0" {
            tokio::task::yield_now().await;
        }
    }
}

/// Defines tests that run on Postgres and on the database of simulations.
macro_rules! cluster_tests {
    ($($name:ident),+ $(,)?) => {
        mod on_postgres {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name($crate::ownership::ClusterDatabase::postgres().await).await;
            })+
        }

        mod on_a_simulated_database {
            $(#[tokio::test(start_paused = true)]
            async fn $name() {
                super::$name($crate::ownership::ClusterDatabase::simulated()).await;
            })+
        }
    };
}

pub(crate) use cluster_tests;

impl TestNode {
    pub(crate) async fn execute(&self, statement: Statement) -> Outcome {
        self.session.execute(&statement).await.unwrap()
    }

    async fn register(&self) -> Outcome {
        let name = format!("node {}", self.id.0.as_u64_pair().1);
        self.execute(Statement::Register { node: self.id, name, engines: vec!["quadrex".into()] }).await
    }

    pub(crate) async fn renew(&self) -> Outcome {
        self.execute(Statement::Renew {
            node: self.id,
            alive_at: None,
            is_connected: true,
            is_draining: false,
        })
        .await
    }

    /// Returns the numbers of the nodes that are dead after a survey by this node.
    pub(crate) async fn mark_dead(&self) -> Vec<u64> {
        let survey = Statement::Survey { node: self.id, may_mark_dead: true };
        let Outcome::Nodes(nodes) = self.execute(survey).await else { panic!("a survey returns nodes") };
        let dead = nodes.into_iter().filter(|node| node.state == NodeState::Dead);
        dead.map(|node| node.id.0.as_u64_pair().1).collect()
    }

    async fn claim(&self, matches: &[MatchId]) -> Vec<ClaimedMatch> {
        let claim = Statement::Claim { node: self.id, matches: matches.to_vec() };
        match self.execute(claim).await {
            Outcome::Claimed { claimed, .. } => claimed,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) async fn unowned(&self, is_complete: bool) -> Vec<MatchId> {
        match self.execute(Statement::Unowned { is_complete, limit: 100 }).await {
            Outcome::Unowned(unowned) => unowned.into_iter().map(|unowned| unowned.match_id).collect(),
            other => panic!("{other:?}"),
        }
    }
}

cluster_tests![
    a_match_is_claimed_from_a_dead_node_and_never_from_a_living_one,
    a_node_whose_session_lives_is_dead_when_its_lease_is_over,
    a_node_whose_session_is_broken_opens_another_one,
    a_released_match_waits_for_its_successor,
    of_concurrent_claims_exactly_one_succeeds,
    a_cluster_and_a_server_without_a_cluster_exclude_each_other,
];

pub(crate) fn millis(duration: Duration) -> u64 {
    duration.as_millis().try_into().unwrap()
}

fn ids(tables: &[TestTable]) -> Vec<MatchId> {
    let mut ids: Vec<_> = tables.iter().map(|table| table.match_id).collect();
    ids.sort();
    ids
}

async fn a_match_is_claimed_from_a_dead_node_and_never_from_a_living_one(database: ClusterDatabase) {
    let test = TestStore::open(database.location.clone()).await;
    let first = database.registered(1, &test.store).await;
    let second = database.registered(2, &test.store).await;
    let tables = test.tables(3).await;
    let matches = ids(&tables);

    assert_eq!(first.unowned(false).await, matches, "a server without a name has created them");
    let claimed = first.claim(&matches).await;
    assert_eq!(claimed.iter().map(|claimed| claimed.match_id).collect::<Vec<_>>(), matches);
    assert!(claimed.iter().all(|claimed| claimed.epoch == Epoch(2) && claimed.unowned_since.is_none()));
    assert_fenced(test.store.append(&tables[0].append(vec![moved()])).await);
    assert_eq!(second.claim(&matches).await, [], "their owner lives");
    assert_eq!(second.unowned(true).await, []);

    // The process of the first node dies. The lock of its session is free at once.
    first.session.reset();
    database.wait_for_end_of_session(first.id).await;
    database.set_time(millis(DEAD_AFTER) - 1);
    second.renew().await;
    assert_eq!(second.mark_dead().await, [0; 0], "it may still act");
    assert_eq!(second.claim(&matches).await, []);
    database.set_time(millis(DEAD_AFTER));
    assert_eq!(second.mark_dead().await, [1]);
    assert_eq!(second.unowned(false).await, matches);
    let claimed = second.claim(&matches).await;
    assert_eq!(claimed.len(), 3);
    assert!(claimed.iter().all(|claimed| claimed.epoch == Epoch(3) && claimed.unowned_since == Some(NOW)));
    assert_eq!(second.unowned(true).await, []);

    assert_eq!(first.renew().await, Outcome::Dead, "a dead node never comes back");
    assert_eq!(first.claim(&matches).await, []);
    let again = second.claim(&matches).await;
    let is_again = |claimed: &ClaimedMatch| claimed.epoch == Epoch(4) && claimed.unowned_since == Some(NOW);
    assert!(again.iter().all(is_again), "the answer to the first claim may have been lost: {again:?}");
    test.store.append(&Append { epoch: Epoch(4), ..tables[0].append(vec![moved()]) }).await.unwrap();
    let again = second.claim(&matches[..1]).await;
    assert_eq!(again[0].unowned_since, None, "it was known: the owner has appended since");
}

async fn a_node_whose_session_lives_is_dead_when_its_lease_is_over(database: ClusterDatabase) {
    let test = TestStore::open(database.location.clone()).await;
    let stopped = database.registered(1, &test.store).await;
    let second = database.registered(2, &test.store).await;
    let table = test.table().await;
    assert_eq!(stopped.claim(&[table.match_id]).await.len(), 1);

    database.set_time(millis(NODE_LEASE) - 1);
    assert_eq!(second.mark_dead().await, [0; 0]);
    stopped.renew().await;
    database.set_time(millis(NODE_LEASE));
    assert_eq!(second.mark_dead().await, [0; 0], "a node without a lease declares no node dead");
    assert_eq!(second.claim(&[table.match_id]).await, []);
    assert!(matches!(second.renew().await, Outcome::Renewed { .. }), "nobody has taken anything from it");
    assert_eq!(second.mark_dead().await, [0; 0]);

    database.set_time(2 * millis(NODE_LEASE) - 1);
    second.renew().await;
    let careful = Statement::Survey { node: second.id, may_mark_dead: false };
    assert!(matches!(second.execute(careful).await, Outcome::Nodes(nodes) if nodes.len() == 2));
    assert_eq!(second.mark_dead().await, [1]);
    let claimed = second.claim(&[table.match_id]).await;
    assert_eq!(claimed[0].unowned_since, Some(after(millis(NODE_LEASE) - 1)));
    assert_eq!(stopped.renew().await, Outcome::Dead);
}

/// A connection may break while both its ends live. The database may not notice it for hours.
async fn a_node_whose_session_is_broken_opens_another_one(database: ClusterDatabase) {
    let test = TestStore::open(database.location.clone()).await;
    let first = database.registered(1, &test.store).await;
    let second = database.registered(2, &test.store).await;
    first.session.reset();
    database.wait_for_end_of_session(first.id).await;
    assert_eq!(first.renew().await, Outcome::Renewed { at: NOW });
    database.set_time(millis(DEAD_AFTER));
    second.renew().await;
    assert_eq!(second.mark_dead().await, [0; 0], "the new session has the lock");

    let same = database.node(1, &test.store);
    assert_eq!(same.renew().await, Outcome::Renewed { at: after(millis(DEAD_AFTER)) });
    let broken = first.session.execute(&Statement::Survey { node: first.id, may_mark_dead: true }).await;
    assert!(broken.is_err(), "its session was terminated: {broken:?}");
}

async fn a_released_match_waits_for_its_successor(database: ClusterDatabase) {
    let test = TestStore::open(database.location.clone()).await;
    let first = database.registered(1, &test.store).await;
    let second = database.registered(2, &test.store).await;
    let matches = ids(&test.tables(4).await);
    first.claim(&matches).await;

    database.set_time(100);
    let release = |node, epoch, matches: &[MatchId]| Statement::Release {
        node,
        matches: matches.iter().map(|match_id| (*match_id, epoch)).collect(),
        since: None,
    };
    let nothing = Outcome::Released(Vec::new());
    assert_eq!(second.execute(release(second.id, Epoch(2), &matches)).await, nothing);
    assert_eq!(first.execute(release(first.id, Epoch(1), &matches)).await, nothing, "an old release");
    assert_eq!(first.execute(Statement::Owned { node: first.id }).await, Outcome::Owned(matches.clone()));
    let release = release(first.id, Epoch(2), &matches[..2]);
    assert_eq!(first.execute(release).await, Outcome::Released(matches[..2].to_vec()));
    assert_eq!(second.unowned(true).await, [], "the successor is about to claim them");
    let claimed = second.claim(&matches).await;
    assert_eq!(claimed.len(), 2);
    assert!(claimed.iter().all(|claimed| claimed.unowned_since == Some(after(100))));

    database.set_time(200);
    assert_eq!(first.execute(Statement::Leave { node: first.id }).await, Outcome::Left);
    assert_eq!(first.renew().await, Outcome::Dead);
    database.set_time(200 + millis(SUCCESSOR_WAIT));
    assert_eq!(second.unowned(false).await, matches[2..], "the request to the successor was lost");
    let claimed = second.claim(&matches[2..]).await;
    assert!(claimed.iter().all(|claimed| claimed.unowned_since == Some(after(200))));
    assert_eq!(second.mark_dead().await, [0; 0]);
}

/// All survivors claim the matches of a dead node at the same time.
async fn of_concurrent_claims_exactly_one_succeeds(database: ClusterDatabase) {
    let test = TestStore::open(database.location.clone()).await;
    let dead = database.registered(9, &test.store).await;
    let matches = ids(&test.tables(40).await);
    assert_eq!(dead.claim(&matches).await.len(), 40);
    dead.session.reset();
    database.wait_for_end_of_session(dead.id).await;
    database.set_time(millis(DEAD_AFTER));
    let survivors = join_all((1..=4).map(|number| database.registered(number, &test.store))).await;
    assert!(join_all(survivors.iter().map(TestNode::mark_dead)).await.concat().contains(&9));

    let claims = (0..8).map(|turn| {
        let (survivor, mut wanted) = (&survivors[turn % 4], matches.clone());
        if turn % 2 == 1 {
            wanted.reverse();
        }
        async move { (survivor.id, survivor.claim(&wanted).await) }
    });
    let mut owners: Vec<(MatchId, NodeId)> = Vec::new();
    for (id, claimed) in join_all(claims).await {
        owners.extend(claimed.iter().map(|claimed| (claimed.match_id, id)));
    }
    // A survivor may claim its own matches again.
    let owners: BTreeSet<_> = owners.into_iter().collect();
    let claimed: Vec<_> = owners.iter().map(|(match_id, _)| *match_id).collect();
    let skipped: Vec<_> = matches.iter().filter(|match_id| !claimed.contains(match_id)).copied().collect();
    assert!(claimed.is_sorted_by(|a, b| a < b), "two survivors have claimed a match: {owners:?}");
    assert_eq!(claimed.len() + survivors[0].claim(&skipped).await.len(), 40);
}

async fn a_cluster_and_a_server_without_a_cluster_exclude_each_other(database: ClusterDatabase) {
    let test = TestStore::open(database.location.clone()).await;
    let single =
        || ServerLock::attempt(&database.location, NodeId(Uuid::from_u64_pair(0, 7)), LockClaim::Free);
    let LockAttempt::Acquired(lock) = single().await.unwrap() else { panic!("nobody else runs") };
    let node = database.node(1, &test.store);
    assert_eq!(node.register().await, Outcome::Refused);
    drop(lock);
    while node.register().await == Outcome::Refused {
        tokio::task::yield_now().await;
    }
    let second = database.registered(2, &test.store).await;
    assert!(matches!(single().await.unwrap(), LockAttempt::Held(Some(_))));
    for node in [node, second] {
        assert_eq!(node.execute(Statement::Leave { node: node.id }).await, Outcome::Left);
    }
    while !matches!(single().await.unwrap(), LockAttempt::Acquired(_)) {
        tokio::task::yield_now().await;
    }
}

/// An interrupted connection is silent for a long time. Here a lock of the node's row is.
#[tokio::test(flavor = "multi_thread")]
async fn a_reset_gives_up_a_statement_that_waits() {
    let database = ClusterDatabase::postgres().await;
    let test = TestStore::open(database.location.clone()).await;
    let node = database.registered(1, &test.store).await;
    let Kind::Postgres(postgres) = &database.kind else { unreachable!("it is Postgres") };
    let mut holder = PgConnection::connect(&postgres.url()).await.unwrap();
    sqlx::raw_sql("begin; select id from nodes for update").execute(&mut holder).await.unwrap();

    let renew = Statement::Renew { node: node.id, alive_at: None, is_connected: true, is_draining: false };
    let reset = async {
        let waiting = "select count(*) from pg_stat_activity where wait_event_type = 'Lock'";
        while postgres.sql("postgres", waiting).unwrap() == "0" {
            tokio::task::yield_now().await;
        }
        node.session.reset();
    };
    let (given_up, ()) = tokio::join!(node.session.execute(&renew), reset);
    assert!(given_up.is_err(), "{given_up:?}");
    holder.close().await.unwrap();
    assert!(matches!(node.renew().await, Outcome::Renewed { .. }));
}

#[tokio::test]
async fn a_sqlite_file_is_not_shared_by_a_cluster() {
    let folder = tempfile::tempdir().unwrap();
    let location = Location::parse("", folder.path()).unwrap();
    let store = Store::connect(&location, 2).await.unwrap();
    let refusal = NodeSession::new(&location, &store).expect_err("it was accepted").to_string();
    let expected = format!("{location} cannot be shared by the servers of a cluster: use PostgreSQL");
    assert_eq!(refusal, expected);
}

/// The first server of a cluster makes its key.
pub(crate) async fn the_cluster_s_key_is_made_once(test: TestStore) {
    let keys = join_all([[1; 32], [2; 32]].map(|fresh| test.store.cluster_key(fresh))).await;
    let keys: Vec<[u8; 32]> = keys.into_iter().map(Result::unwrap).collect();
    assert_eq!(keys[0], keys[1]);
    assert_eq!(test.store.cluster_key([3; 32]).await.unwrap(), keys[0]);
}

/// A server that creates or claims a match becomes its owner, and a rematch has the same owner.
pub(crate) async fn a_server_owns_what_it_creates_and_claims(test: TestStore) {
    let [first, second] = [1, 2].map(|number| NodeId(Uuid::from_u64_pair(0, number)));
    let old = test.table().await;
    let store = test.store.clone().owned_by(first);
    let test_of_first = TestStore { store: store.clone(), ..test.clone() };
    let mut new = test_of_first.table().await;
    assert_eq!(test.owner_of(old.match_id).await, None);
    assert_eq!(test.owner_of(new.match_id).await, Some(first));
    new.epoch = test.store.clone().owned_by(second).claim(new.match_id).await.unwrap().unwrap();
    assert_eq!(test.owner_of(new.match_id).await, Some(second));
    let next = MatchId(test.entropy.uuid(NOW));
    store.append(&new.rematch(next)).await.unwrap();
    assert_eq!(test.owner_of(next).await, Some(second));
}
