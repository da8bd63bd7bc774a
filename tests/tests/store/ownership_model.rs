//! The model of the statements about nodes and owners has the same outcomes as Postgres and the
//! database of simulations.

use std::collections::BTreeMap;
use std::time::Duration;

use quadrex_cluster::membership::model::Model;
use quadrex_cluster::membership::simulation::{self, Fault, Schedule, Step, match_id};
use quadrex_protocol::TableId;
use quadrex_rules::Timestamp;
use quadrex_store::{Epoch, Location, NodeId, NodeSession, Outcome, Statement, Store};
use quadrex_tests::rng::Rng;
use sqlx::{Connection, PgConnection};
use uuid::Uuid;

use crate::ownership::{ClusterDatabase, Kind, cluster_tests};
use crate::test_store::{NOW, TestStore};

/// A database on which steps are repeated.
struct Replay {
    database: ClusterDatabase,
    /// A connection to the database, if it is Postgres.
    connection: Option<PgConnection>,
    store: Store,
    host: Uuid,
    sessions: BTreeMap<NodeId, NodeSession>,
}

impl Replay {
    async fn on(database: ClusterDatabase) -> Self {
        let test = TestStore::open(database.location.clone()).await;
        let host = test.user("Quiet Otter").await.id.0;
        let connection = match &database.kind {
            Kind::Postgres(postgres) => Some(PgConnection::connect(&postgres.url()).await.unwrap()),
            Kind::Simulated(_) => None,
        };
        Self { database, connection, store: test.store, host, sessions: BTreeMap::new() }
    }

    async fn add_match(&mut self, number: u64, is_running: bool, owner: Option<NodeId>) {
        let id = match_id(number).0;
        let status = if is_running { "running" } else { "open" };
        let owner = owner.map(|owner| owner.0);
        let Some(connection) = &mut self.connection else {
            let Location::Simulated(database) = &self.database.location else { panic!("it is simulated") };
            let table = sqlx::query(
                "insert into tables (id, host, privacy, created_at_ms) values ($1, $2, 'public', 0)",
            );
            let table = table.bind(id).bind(self.host);
            let insert = sqlx::query(
                "insert into matches (id, table_id, number, epoch, head_seq, status, created_at_ms, owner)
                 values ($1, $1, 1, 1, 2, $2, 0, $3)",
            );
            let insert = insert.bind(id).bind(status).bind(owner);
            return database
                .run_unchecked(async |connection| {
                    table.execute(&mut *connection).await.unwrap();
                    insert.execute(connection).await.unwrap();
                })
                .await;
        };
        let insert = sqlx::query(
            "with place as (insert into tables (id, host, privacy, created_at) values ($1, $2, 'public', 'epoch'))
             insert into matches (id, table_id, number, epoch, head_seq, status, created_at, owner)
             values ($1, $1, 1, 1, 2, $3, 'epoch', $4)",
        );
        let insert = insert.bind(id).bind(self.host).bind(status).bind(owner);
        insert.execute(connection).await.unwrap();
    }

    async fn set_time(&mut self, at: Timestamp) {
        let connection = match &self.database.kind {
            Kind::Postgres(_) => self.connection.as_mut().unwrap(),
            Kind::Simulated(time) => return time.set(at),
        };
        sqlx::query("update manual.clock set now = timestamptz 'epoch' + $1 * interval '1 millisecond'")
            .bind(i64::try_from(at.as_millis()).unwrap())
            .execute(connection)
            .await
            .unwrap();
    }

    async fn end_session(&mut self, node: NodeId) {
        if let Some(session) = self.sessions.get(&node) {
            session.reset();
        }
        self.database.wait_for_end_of_session(node).await;
    }

    async fn execute(&mut self, at: Timestamp, node: NodeId, statement: &Statement) -> Outcome {
        self.set_time(at).await;
        let new = || NodeSession::new(&self.database.location, &self.store).unwrap();
        self.sessions.entry(node).or_insert_with(new).execute(statement).await.unwrap()
    }

    async fn replay(&mut self, steps: &[Step]) {
        for (number, step) in steps.iter().enumerate() {
            match step {
                Step::Execute { at, node, statement, outcome, has_session } => {
                    let executed = self.execute(*at, *node, statement).await;
                    assert_eq!(executed, *outcome, "step {number}: {statement:?}");
                    if !has_session {
                        self.end_session(*node).await;
                    }
                }
                Step::EndSession(node) => self.end_session(*node).await,
                Step::AddMatch { number, is_running, owner } => {
                    self.add_match(*number, *is_running, *owner).await;
                }
            }
        }
    }
}

cluster_tests![the_model_and_the_database_agree_on_random_statements];

#[tokio::test(flavor = "multi_thread")]
async fn the_model_and_postgres_agree_on_simulations() {
    the_model_and_the_database_agree_on_simulations(async || ClusterDatabase::postgres().await).await;
}

#[tokio::test(start_paused = true)]
async fn the_model_and_a_simulated_database_agree_on_simulations() {
    the_model_and_the_database_agree_on_simulations(async || ClusterDatabase::simulated()).await;
}

/// Repeats simulations of a cluster on databases.
async fn the_model_and_the_database_agree_on_simulations(database: impl AsyncFn() -> ClusterDatabase) {
    for fault in [Fault::Kill(3_000), Fault::DrainWithLostRequests(5_000), Fault::FullCut(6_500)] {
        let report = simulation::simulate(7, &Schedule::single(3, fault), true);
        assert_eq!(report.violations, [""; 0]);
        assert!(report.recovered + report.handed_over > 0, "{fault:?} moves matches");
        Replay::on(database().await).await.replay(&report.steps).await;
    }
}

/// Executes random statements, also those that no node would execute, on both.
async fn the_model_and_the_database_agree_on_random_statements(database: ClusterDatabase) {
    let mut replay = Replay::on(database).await;
    let mut model = Model::default();
    let mut rng = Rng::new(11);
    let nodes: Vec<NodeId> = (1..=4).map(|number| NodeId(Uuid::from_u64_pair(0, number))).collect();
    for number in 0..8 {
        let owner = (number > 5).then(|| nodes[0]);
        replay.add_match(number, number % 2 == 0, owner).await;
        model.add(match_id(number), TableId(match_id(number).0), number % 2 == 0, owner);
    }
    let mut at = NOW;
    let mut seen = BTreeMap::new();
    for step in 0..700 {
        at = Timestamp::from_millis(at.as_millis() + [0, 1, 300, 1_000, 2_500, 20_000][rng.index(6)]);
        let node = nodes[rng.index(4)];
        if rng.below(8) == 0 {
            replay.end_session(node).await;
            model.end_session(node);
            continue;
        }
        let mut some: Vec<_> = (0..8).filter(|_| rng.below(2) == 0).map(match_id).collect();
        let statement = match rng.below(16) {
            0 => Statement::Register { node, name: format!("{node}"), engines: vec!["quadrex".to_owned()] },
            1..=4 => {
                let alive_at = [None, Some(at), Some(NOW), Some(at + Duration::from_secs(9))][rng.index(4)];
                let (is_connected, is_draining) = (rng.below(2) == 0, rng.below(4) == 0);
                Statement::Renew { node, alive_at, is_connected, is_draining }
            }
            5..=7 if model.has_session(node) => Statement::Survey { node, may_mark_dead: rng.below(4) > 0 },
            8..=9 => Statement::Unowned { is_complete: rng.below(2) == 0, limit: 5 },
            10 => Statement::Owned { node },
            11..=13 => {
                some.reverse();
                Statement::Claim { node, matches: some }
            }
            14 => {
                let late = u64::from(rng.below(4) == 0);
                let epoch = |id| Epoch(model.matches()[&id].epoch.0.saturating_sub(late));
                let matches = some.into_iter().map(|id| (id, epoch(id))).collect();
                let since = [None, Some(NOW), Some(at + Duration::from_secs(9))][rng.index(3)];
                Statement::Release { node, matches, since }
            }
            15 if rng.below(3) == 0 => Statement::Leave { node },
            _ => continue,
        };
        let expected = model.execute(&statement, at);
        assert_eq!(replay.execute(at, node, &statement).await, expected, "step {step}: {statement:?}");
        if !model.has_session(node) {
            replay.end_session(node).await;
        }
        *seen.entry(kind(&expected)).or_insert(0) += 1;
    }
    let kinds =
        ["renewed", "dead", "nodes", "unowned", "owned", "claimed", "not claimed", "released", "left"];
    assert!(kinds.iter().all(|kind| seen.contains_key(kind)), "not all outcomes were seen: {seen:?}");
}

fn kind(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Renewed { .. } => "renewed",
        Outcome::Refused => "refused",
        Outcome::Dead => "dead",
        Outcome::Nodes(_) => "nodes",
        Outcome::Unowned(_) => "unowned",
        Outcome::Owned(_) => "owned",
        Outcome::Claimed { claimed, .. } if claimed.is_empty() => "not claimed",
        Outcome::Claimed { .. } => "claimed",
        Outcome::Released(_) => "released",
        Outcome::Left => "left",
    }
}
