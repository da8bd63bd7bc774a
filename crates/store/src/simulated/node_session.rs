//! The statements about nodes and the owners of matches, on a simulated database. See
//! [`crate::ownership`]. Their effects are those of the statements for Postgres.

use std::collections::BTreeSet;
use std::time::Duration;

use quadrex_protocol::{MatchId, TableId};
use quadrex_rules::Timestamp;
use sqlx::SqliteConnection;
use tokio::sync::Mutex;
use uuid::Uuid;

use super::SimulatedDatabase;
use super::claim::{Claim, claim};
use super::connection::block_on;
use super::faults::Access;
use super::session::{DatabaseLock, Session};
use super::survey::survey;
use super::transaction::atomically;
use crate::database::answered;
use crate::error::StoreError;
use crate::log::{Epoch, count_column};
use crate::ownership::{
    DEAD_AFTER, NODE_LEASE, NodeId, NodeState, Outcome, SUCCESSOR_WAIT, Statement, UnownedMatch, Waits,
};
use crate::time_column::TimeColumn;

/// Adds the row of a node. If the answer to an earlier attempt was lost, the row is there already.
const REGISTER: &str = "
    insert into nodes (id, name, since_ms, renewed_at_ms, lease_until_ms, engines, alive_at_ms)
    values ($1, $2, $3, $3, $3 + $4, $5, $3)
    on conflict (id) do update set renewed_at_ms = excluded.renewed_at_ms,
                                   lease_until_ms = excluded.lease_until_ms,
                                   alive_at_ms = excluded.alive_at_ms
    where nodes.state <> 'dead'";

const RENEW: &str = "
    update nodes set renewed_at_ms = $2, lease_until_ms = $2 + $3, is_connected = $4, state = $5,
                     alive_at_ms = min(coalesce($6, $2), $2)
    where id = $1 and state <> 'dead'";

/// Unfinished matches that are released or have a dead owner. There is no limit, because SQLite
/// prepares a statement again whenever another limit is bound.
const UNOWNED: &str = "
    select id, table_id, status = 'running' as is_running from matches
    where status <> 'ended'
      and (owner in (select nodes.id from nodes where state = 'dead')
           or owner is null and coalesce(released_at_ms <= $1, 1))
    order by hibernated_epoch is epoch, is_running desc, id";

/// Like [`UNOWNED`], and also those whose owner's row is missing.
const ALL_UNOWNED: &str = "
    select id, table_id, status = 'running' as is_running from matches
    where status <> 'ended'
      and not exists (select 1 from nodes where nodes.id = owner and state <> 'dead')
      and (owner is not null or coalesce(released_at_ms <= $1, 1))
    order by hibernated_epoch is epoch, is_running desc, id";

const OWNED: &str = "
    select id from matches
    where owner = $1 and status <> 'ended' and hibernated_epoch is not epoch order by id";

const RELEASE: &str = "
    update matches set owner = null, released_at_ms = min(coalesce($4, $5), $5)
    where owner = $1 and id = $2 and epoch = $3";

const RELEASE_HIBERNATING: &str = "
    update matches set owner = null, released_at_ms = $3
    where id in (select id from matches
                 where owner = $1 and status <> 'ended' and hibernated_epoch = epoch
                 order by id limit $2)
    returning id";

const RELEASE_ALL: &str = "
    update matches set owner = null, released_at_ms = $2 where owner = $1 and status <> 'ended'
    returning id";

/// See [`crate::NodeSession`].
#[derive(Debug)]
pub(crate) struct SimulatedNodeSession {
    database: SimulatedDatabase,
    session: Mutex<Option<Session>>,
    waits: Waits,
}

impl SimulatedNodeSession {
    pub(crate) fn new(database: &SimulatedDatabase) -> Self {
        Self { database: database.clone(), session: Mutex::new(None), waits: Waits::default() }
    }

    pub(crate) fn reset(&self) {
        match self.session.try_lock() {
            Ok(mut session) => *session = None,
            // A statement that fails ends the session.
            Err(_) => self.waits.give_up(),
        }
    }

    pub(crate) async fn execute(&self, statement: &Statement) -> Result<Outcome, StoreError> {
        // A node renews and surveys several times in a second. The futures of the other statements are
        // large, and the future of a statement is moved several times until it runs.
        match statement {
            Statement::Register { node, name, engines } => {
                Box::pin(self.register(*node, name, engines)).await
            }
            Statement::Renew { node, alive_at, is_connected, is_draining } => {
                let state = if *is_draining { NodeState::Draining } else { NodeState::Serving };
                self.renew(*node, *alive_at, *is_connected, state).await
            }
            Statement::Survey { node, may_mark_dead } => self.survey(*node, *may_mark_dead).await,
            Statement::Unowned { is_complete, limit } => self.unowned(*is_complete, *limit).await,
            Statement::Claim { node, matches } => Box::pin(self.claim(*node, matches)).await,
            Statement::Owned { node } => Box::pin(self.owned(*node)).await,
            Statement::Release { node, matches, since } => {
                Box::pin(self.release(*node, matches, *since)).await
            }
            Statement::ReleaseHibernating { node, limit } => {
                Box::pin(self.release_hibernating(*node, *limit)).await
            }
            Statement::Leave { node } => Box::pin(self.leave(*node)).await,
        }
    }

    async fn register(&self, node: NodeId, name: &str, engines: &[String]) -> Result<Outcome, StoreError> {
        let doing = "register the node";
        let engines = serde_json::to_string(engines).expect("JSON can hold a list of texts");
        let mut session = self.session.lock().await;
        let registered = async {
            let Some(session) = self.locked(&mut session, node).await? else { return Ok(Outcome::Refused) };
            let register = |connection: &mut SqliteConnection| {
                let now = self.database.now();
                let register = sqlx::query(REGISTER).bind(node.0).bind(name).bind(now);
                self.renewed(connection, register.bind(millis(NODE_LEASE)).bind(engines), now)
            };
            session.execute(Access::Write, doing, register).await
        };
        let registered = self.waits.answer(registered).await;
        or_end(&mut session, registered, doing)
    }

    async fn renew(
        &self,
        node: NodeId,
        alive_at: Option<Timestamp>,
        is_connected: bool,
        state: NodeState,
    ) -> Result<Outcome, StoreError> {
        let doing = "renew the node's lease";
        let mut session = self.session.lock().await;
        let at = async {
            let Some(session) = self.locked(&mut session, node).await? else { return Ok(Outcome::Dead) };
            let renew = |connection: &mut SqliteConnection| {
                let now = self.database.now();
                let renew = sqlx::query(RENEW).bind(node.0).bind(now).bind(millis(NODE_LEASE));
                let renew =
                    renew.bind(is_connected).bind(state.column()).bind(alive_at.map(TimeColumn::from));
                self.renewed(connection, renew, now)
            };
            session.execute(Access::Write, doing, renew).await
        };
        let at = self.waits.answer(at).await;
        or_end(&mut session, at, doing)
    }

    async fn survey(&self, node: NodeId, may_mark_dead: bool) -> Result<Outcome, StoreError> {
        let doing = "look up the nodes";
        let mut session = self.session.lock().await;
        let rows = async {
            let session = session.as_ref().ok_or(sqlx::Error::PoolClosed)?;
            let run = |connection: &mut SqliteConnection| {
                let locked = self.database.sessions(|sessions| sessions.locked_nodes());
                let now = self.database.now();
                survey(connection, node, may_mark_dead, now, &locked)
            };
            session.execute(Access::Write, doing, run).await
        };
        let rows = self.waits.answer(rows).await;
        let rows = or_end(&mut session, rows, doing)?;
        rows.into_iter().map(|row| row.read()).collect::<Result<_, _>>().map(Outcome::Nodes)
    }

    async fn leave(&self, node: NodeId) -> Result<Outcome, StoreError> {
        let doing = "remove the node's row";
        let mut session = self.session.lock().await;
        let leave = |connection: &mut SqliteConnection| {
            let release = sqlx::query_scalar(RELEASE_ALL).bind(node.0).bind(self.database.now());
            let delete = sqlx::query("delete from nodes where id = $1").bind(node.0);
            let released: Vec<Uuid> = atomically(connection, |connection| {
                let released = match quadrex_runtime::has_planted!(MatchesNotReleased) {
                    true => Vec::new(),
                    false => block_on(release.fetch_all(&mut *connection))?,
                };
                block_on(delete.execute(connection))?;
                Ok(released)
            })?;
            self.record_release(node, released);
            Ok(())
        };
        answered(self.database.write(doing, leave)).await.map_err(StoreError::database(doing))?;
        *session = None;
        Ok(Outcome::Left)
    }

    /// Returns the session, which holds the node's lock and shares the lock of the database with
    /// the other nodes. Returns `None` if a server without a cluster has the lock of the database.
    async fn locked<'a>(
        &self,
        session: &'a mut Option<Session>,
        node: NodeId,
    ) -> Result<Option<&'a Session>, sqlx::Error> {
        if session.is_none() {
            let opened = Session::open(&self.database).await?;
            if !opened.try_lock(DatabaseLock::Shared) {
                return Ok(None);
            }
            opened.lock_node(node);
            *session = Some(opened);
        }
        Ok(session.as_ref())
    }

    /// Executes a statement that renews the row of a node, unless the node is dead or has no row.
    fn renewed(
        &self,
        connection: &mut SqliteConnection,
        renew: Query,
        now: TimeColumn,
    ) -> Result<Outcome, sqlx::Error> {
        if block_on(renew.execute(connection))?.rows_affected() == 0 {
            return Ok(Outcome::Dead);
        }
        self.database.record_renewal(DEAD_AFTER);
        let at = now.read("nodes.renewed_at").expect("the clock of a simulation is after the Unix epoch");
        Ok(Outcome::Renewed { at })
    }

    /// Informs the fault plan of matches that a node has released.
    fn record_release(&self, node: NodeId, released: impl IntoIterator<Item = Uuid>) {
        let mut released: Vec<MatchId> = released.into_iter().map(MatchId).collect();
        released.sort();
        self.database.shared.faults.released(node, &released);
    }

    async fn unowned(&self, is_complete: bool, limit: u32) -> Result<Outcome, StoreError> {
        let doing = "list matches without an owner";
        let list = |connection: &mut SqliteConnection| {
            let released_until = self.database.now().before(SUCCESSOR_WAIT);
            let query = sqlx::query_as(if is_complete { ALL_UNOWNED } else { UNOWNED });
            block_on(query.bind(released_until).fetch_all(connection))
        };
        let rows: Vec<(Uuid, Uuid, bool)> =
            answered(self.database.read(doing, list)).await.map_err(StoreError::database(doing))?;
        let matches = rows.into_iter().take(limit as usize).map(|(id, table, is_running)| UnownedMatch {
            match_id: MatchId(id),
            table: TableId(table),
            is_running,
        });
        Ok(Outcome::Unowned(matches.collect()))
    }

    async fn claim(&self, node: NodeId, matches: &[MatchId]) -> Result<Outcome, StoreError> {
        let doing = "claim matches";
        let claim = |connection: &mut SqliteConnection| {
            let now = self.database.now();
            let claims = atomically(connection, |connection| {
                let mut claims = Vec::new();
                for match_id in matches.iter().collect::<BTreeSet<_>>() {
                    claims.push((*match_id, claim(connection, node, *match_id, now)?));
                }
                Ok(claims)
            })?;
            for (_, claim) in &claims {
                if let Claim::Claimed(row) = claim
                    && let Ok(claimed) = row.claimed_by(node)
                {
                    self.database.shared.faults.claimed(&claimed);
                }
            }
            Ok(claims)
        };
        let claims =
            answered(self.database.write(doing, claim)).await.map_err(StoreError::database(doing))?;
        let (mut claimed, mut hibernating, mut unknown) = (Vec::new(), Vec::new(), BTreeSet::new());
        for (match_id, claim) in claims {
            match claim {
                Claim::Claimed(row) if row.sleeps => hibernating.push(row.read_hibernation()?),
                Claim::Claimed(row) => claimed.push(row.read()?),
                Claim::Refused => {}
                Claim::NoSuchMatch => {
                    unknown.insert(match_id);
                }
            }
        }
        let busy = matches.iter().filter(|match_id| unknown.contains(match_id)).copied().collect();
        Ok(Outcome::Claimed { claimed, hibernating, busy })
    }

    async fn owned(&self, node: NodeId) -> Result<Outcome, StoreError> {
        let doing = "list the node's matches";
        let owned = sqlx::query_scalar(OWNED).bind(node.0);
        let owned: Result<Vec<Uuid>, _> =
            answered(self.database.read(doing, |connection| block_on(owned.fetch_all(connection)))).await;
        let owned = owned.map_err(StoreError::database(doing))?;
        Ok(Outcome::Owned(owned.into_iter().map(MatchId).collect()))
    }

    async fn release_hibernating(&self, node: NodeId, limit: u32) -> Result<Outcome, StoreError> {
        let doing = "release hibernating matches";
        let release = |connection: &mut SqliteConnection| {
            let release = sqlx::query_scalar(RELEASE_HIBERNATING).bind(node.0).bind(i64::from(limit));
            let released: Vec<Uuid> = block_on(release.bind(self.database.now()).fetch_all(connection))?;
            self.record_release(node, released.clone());
            Ok(released)
        };
        let released: Result<Vec<Uuid>, _> = answered(self.database.write(doing, release)).await;
        let mut released = released.map_err(StoreError::database(doing))?;
        released.sort();
        Ok(Outcome::Released(released.into_iter().map(MatchId).collect()))
    }

    async fn release(
        &self,
        node: NodeId,
        matches: &[(MatchId, Epoch)],
        since: Option<Timestamp>,
    ) -> Result<Outcome, StoreError> {
        let doing = "release matches";
        let release = |connection: &mut SqliteConnection| {
            let now = self.database.now();
            let released: Vec<MatchId> = atomically(connection, |connection| {
                let mut released = Vec::new();
                for (match_id, epoch) in matches {
                    let release = sqlx::query(RELEASE).bind(node.0).bind(match_id.0);
                    let release = release.bind(count_column(epoch.0)).bind(since.map(TimeColumn::from));
                    if quadrex_runtime::has_planted!(MatchesNotReleased) {
                        released.push(*match_id);
                        continue;
                    }
                    if block_on(release.bind(now).execute(&mut *connection))?.rows_affected() > 0 {
                        released.push(*match_id);
                    }
                }
                Ok(released)
            })?;
            self.record_release(node, released.iter().map(|match_id| match_id.0));
            Ok(released)
        };
        let released = answered(self.database.write(doing, release)).await;
        let mut released = released.map_err(StoreError::database(doing))?;
        released.sort();
        Ok(Outcome::Released(released))
    }
}

type Query = sqlx::query::Query<'static, sqlx::Sqlite, sqlx::sqlite::SqliteArguments>;

/// Ends the session if the result is an error, because the session's state is then unknown.
fn or_end<T>(
    session: &mut Option<Session>,
    result: Result<T, sqlx::Error>,
    doing: &'static str,
) -> Result<T, StoreError> {
    if result.is_err() {
        *session = None;
    }
    result.map_err(StoreError::database(doing))
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
