//! The statements about nodes and the owners of matches. See [`crate::ownership`].

use quadrex_protocol::{MatchId, TableId};
use quadrex_rules::Timestamp;
use sqlx::postgres::{PgConnectOptions, PgPool};
use sqlx::{Connection, PgConnection};
use tokio::sync::Mutex;
use uuid::Uuid;

use super::server_lock::{KEY, LOCK_ATTEMPTS, RETRY_INTERVAL, TERMINATE_HOLDER, try_lock};
use crate::database::answered;
use crate::error::{StoreError, read_seq, unreadable};
use crate::log::{Epoch, count_column};
use crate::ownership::{
    ClaimedHibernation, ClaimedMatch, DEAD_AFTER, DEAD_ROW_LIFETIME, NODE_LEASE, NodeId, NodeRow, NodeState,
    Outcome, SUCCESSOR_WAIT, Statement, UnownedMatch, Waits,
};
use crate::time_column::TimeColumn;

/// Adds the row of a node. If the answer to an earlier attempt was lost, the row is there already.
const REGISTER: &str = "
    insert into nodes (id, name, since, renewed_at, lease_until, engines, alive_at)
    values ($1, $2, clock_timestamp(), clock_timestamp(), clock_timestamp() + $3, $4, clock_timestamp())
    on conflict (id) do update set renewed_at = excluded.renewed_at, lease_until = excluded.lease_until,
                                   alive_at = excluded.alive_at
    where nodes.state <> 'dead'
    returning renewed_at";

const RENEW: &str = "
    update nodes set renewed_at = clock_timestamp(), lease_until = clock_timestamp() + $2,
                     is_connected = $3, state = $4,
                     alive_at = least(coalesce($5, clock_timestamp()), clock_timestamp())
    where id = $1 and state <> 'dead'
    returning renewed_at";

/// Marks nodes as dead, removes rows of nodes that died long ago and own nothing, and returns all
/// rows as they were before the removal. A node's session has a lock on the last 64 bits of its id.
const SURVEY: &str = "
    with sessions as materialized (
        select (classid::bigint << 32) | objid::bigint as key from pg_locks
        where locktype = 'advisory' and granted and objsubid = 1
          and database = (select oid from pg_database where datname = current_database())
    ), marked as (
        update nodes as node set state = 'dead'
        where $2 and node.id <> $1 and node.state <> 'dead'
          and exists (select from nodes as me
                      where me.id = $1 and me.state <> 'dead' and me.lease_until > clock_timestamp())
          and (node.lease_until <= clock_timestamp()
               or node.renewed_at <= clock_timestamp() - $3::interval
                  and not exists (
                      select from sessions
                      where key = ('x' || right(replace(node.id::text, '-', ''), 16))::bit(64)::bigint))
        returning node.id
    ), removed as (
        delete from nodes as node
        where $2 and node.state = 'dead' and node.renewed_at <= clock_timestamp() - $4::interval
          and not exists (select from matches where owner = node.id and status <> 'ended')
    )
    select id, name, case when id in (select id from marked) then 'dead' else state end as state,
           is_connected, engines, renewed_at
    from nodes order by id";

/// Unfinished matches that are released or have a dead owner. The index on the owners finds them.
/// There may be very many hibernating matches, so they are not sorted.
const UNOWNED: &str = "
    (select id, table_id, status = 'running' as is_running from matches
     where status <> 'ended' and hibernated_epoch is distinct from epoch
       and (owner = any(array(select nodes.id from nodes where state = 'dead'))
            or owner is null and coalesce(released_at <= clock_timestamp() - $1::interval, true))
     order by is_running desc, id limit $2)
    union all
    (select id, table_id, true from matches
     where status <> 'ended' and hibernated_epoch = epoch
       and (owner = any(array(select nodes.id from nodes where state = 'dead'))
            or owner is null and coalesce(released_at <= clock_timestamp() - $1::interval, true))
     limit $2)
    limit $2";

/// Like [`UNOWNED`], and also those whose owner's row is missing.
const ALL_UNOWNED: &str = "
    (select id, table_id, status = 'running' as is_running from matches
     where status <> 'ended' and hibernated_epoch is distinct from epoch
       and not exists (select from nodes where nodes.id = owner and state <> 'dead')
       and (owner is not null or coalesce(released_at <= clock_timestamp() - $1::interval, true))
     order by is_running desc, id limit $2)
    union all
    (select id, table_id, true from matches
     where status <> 'ended' and hibernated_epoch = epoch
       and not exists (select from nodes where nodes.id = owner and state <> 'dead')
       and (owner is not null or coalesce(released_at <= clock_timestamp() - $1::interval, true))
     limit $2)
    limit $2";

/// Locks matches, so that their owners do not change until the transaction ends. The order prevents
/// deadlocks. A match that is being written is skipped, because a process that was stopped in a
/// transaction could block the claims of all other matches.
const LOCK_MATCHES: &str = "select id from matches where id = any($1) order by id for update skip locked";

/// Claims locked matches. This is a statement of its own, because it must see all nodes that
/// claimed one of the matches before they were locked. The owner of a match that has no row in
/// `nodes` was a server without a cluster, whose heartbeat is in `server_life`.
const CLAIM: &str = "
    with earlier as (
        select matches.id, clock_timestamp() as claimed_at,
               coalesce(matches.owner is distinct from $1 and hibernated_epoch = epoch and status = 'running',
                        false) as sleeps,
               case when matches.owner = $1 then matches.unowned_since
                    when released_at is not null then released_at
                    when node.id is not null then coalesce(node.alive_at, node.renewed_at)
                    else (select alive_at from server_life) end
                   as unowned_since
        from matches left join nodes as node on node.id = matches.owner
        where matches.id = any($2)
          and (matches.owner = $1 or node.id is null or node.state = 'dead')
          and exists (select from nodes as me
                      where me.id = $1 and me.state <> 'dead'
                        and (me.lease_until > clock_timestamp() or matches.owner = $1))
    )
    update matches as claimed
    set owner = $1, epoch = claimed.epoch + 1, released_at = null,
        unowned_since = case when not sleeps then earlier.unowned_since end,
        hibernated_epoch = case when sleeps then claimed.epoch + 1 else claimed.hibernated_epoch end,
        unowned = case when sleeps
                       then claimed.unowned || tstzrange(least(earlier.unowned_since, claimed_at), claimed_at)
                       else claimed.unowned end
    from earlier where claimed.id = earlier.id
    returning claimed.id, claimed.epoch, earlier.unowned_since, sleeps, claimed.table_id,
              claimed.listed_players";

const OWNED: &str = "
    select id from matches
    where owner = $1 and status <> 'ended' and hibernated_epoch is distinct from epoch order by id";

const RELEASE: &str = "
    update matches set owner = null, released_at = least(coalesce($4, clock_timestamp()), clock_timestamp())
    from unnest($2::uuid[], $3::bigint[]) as claim (id, epoch)
    where owner = $1 and matches.id = claim.id and matches.epoch = claim.epoch returning matches.id";

const RELEASE_HIBERNATING: &str = "
    update matches set owner = null, released_at = clock_timestamp()
    where id in (select id from matches
                 where owner = $1 and status <> 'ended' and hibernated_epoch = epoch
                 limit $2 for update)
    returning id";

const RELEASE_ALL: &str = "
    update matches set owner = null, released_at = clock_timestamp() where owner = $1 and status <> 'ended'";

/// See [`crate::NodeSession`].
#[derive(Debug)]
pub(crate) struct PostgresNodeSession {
    options: PgConnectOptions,
    session: Mutex<Option<PgConnection>>,
    waits: Waits,
    pool: PgPool,
}

impl PostgresNodeSession {
    pub(crate) fn new(options: &PgConnectOptions, pool: PgPool) -> Self {
        Self { options: options.clone(), session: Mutex::new(None), waits: Waits::default(), pool }
    }

    pub(crate) fn reset(&self) {
        match self.session.try_lock() {
            Ok(mut session) => *session = None,
            // A statement that fails closes the session.
            Err(_) => self.waits.give_up(),
        }
    }

    pub(crate) async fn execute(&self, statement: &Statement) -> Result<Outcome, StoreError> {
        match statement {
            Statement::Register { node, name, engines } => self.register(*node, name, engines).await,
            Statement::Renew { node, alive_at, is_connected, is_draining } => {
                let state = if *is_draining { NodeState::Draining } else { NodeState::Serving };
                self.renew(*node, *alive_at, *is_connected, state).await
            }
            Statement::Survey { node, may_mark_dead } => self.survey(*node, *may_mark_dead).await,
            Statement::Unowned { is_complete, limit } => self.unowned(*is_complete, *limit).await,
            Statement::Claim { node, matches } => self.claim(*node, matches).await,
            Statement::Owned { node } => self.owned(*node).await,
            Statement::Release { node, matches, since } => self.release(*node, matches, *since).await,
            Statement::ReleaseHibernating { node, limit } => self.release_hibernating(*node, *limit).await,
            Statement::Leave { node } => self.leave(*node).await,
        }
    }

    async fn register(&self, node: NodeId, name: &str, engines: &[String]) -> Result<Outcome, StoreError> {
        let mut session = self.session.lock().await;
        let registered = async {
            let Some(session) = self.locked(&mut session, node).await? else { return Ok(None) };
            let register =
                sqlx::query_scalar(REGISTER).bind(node.0).bind(name).bind(NODE_LEASE).bind(engines);
            register.fetch_optional(session).await.map(Some)
        };
        let registered = self.waits.answer(registered).await;
        match or_close(&mut session, registered, "register the node")? {
            None => Ok(Outcome::Refused),
            Some(at) => renewed(at),
        }
    }

    async fn renew(
        &self,
        node: NodeId,
        alive_at: Option<Timestamp>,
        is_connected: bool,
        state: NodeState,
    ) -> Result<Outcome, StoreError> {
        let mut session = self.session.lock().await;
        let at = async {
            let Some(session) = self.locked(&mut session, node).await? else { return Ok(None) };
            let renew = sqlx::query_scalar(RENEW).bind(node.0).bind(NODE_LEASE).bind(is_connected);
            renew.bind(state.column()).bind(alive_at.map(TimeColumn::from)).fetch_optional(session).await
        };
        let at = self.waits.answer(at).await;
        renewed(or_close(&mut session, at, "renew the node's lease")?)
    }

    async fn survey(&self, node: NodeId, may_mark_dead: bool) -> Result<Outcome, StoreError> {
        let mut session = self.session.lock().await;
        let rows = async {
            let session = session.as_mut().ok_or(sqlx::Error::PoolClosed)?;
            let survey = sqlx::query_as(SURVEY).bind(node.0).bind(may_mark_dead);
            survey.bind(DEAD_AFTER).bind(DEAD_ROW_LIFETIME).fetch_all(session).await
        };
        let rows = self.waits.answer(rows).await;
        let rows: Vec<RawNode> = or_close(&mut session, rows, "look up the nodes")?;
        rows.into_iter().map(RawNode::read).collect::<Result<_, _>>().map(Outcome::Nodes)
    }

    async fn leave(&self, node: NodeId) -> Result<Outcome, StoreError> {
        let mut session = self.session.lock().await;
        let leave = async {
            let mut transaction = self.pool.begin().await?;
            sqlx::query(RELEASE_ALL).bind(node.0).execute(&mut *transaction).await?;
            sqlx::query("delete from nodes where id = $1").bind(node.0).execute(&mut *transaction).await?;
            transaction.commit().await
        };
        answered(leave).await.map_err(StoreError::database("remove the node's row"))?;
        if let Some(session) = session.take() {
            session.close().await.ok();
        }
        Ok(Outcome::Left)
    }

    /// Returns the session, which holds the node's lock and shares the lock of the database with
    /// the other nodes. Returns `None` if a server without a cluster has the lock of the database.
    async fn locked<'a>(
        &self,
        session: &'a mut Option<PgConnection>,
        node: NodeId,
    ) -> Result<Option<&'a mut PgConnection>, sqlx::Error> {
        if session.is_none() {
            let mut opened = PgConnection::connect_with(&self.options).await?;
            if !share_lock(&mut opened).await? {
                return Ok(None);
            }
            // The database may not have noticed yet that the earlier session of this node is
            // broken.
            for attempt in 0.. {
                if try_lock(&mut opened, node.lock_key()).await? {
                    break;
                }
                if attempt == LOCK_ATTEMPTS {
                    return Err(sqlx::Error::PoolTimedOut);
                }
                let termination = sqlx::query(TERMINATE_HOLDER).bind(node.lock_key()).bind(None::<i32>);
                termination.execute(&mut opened).await?;
                tokio::time::sleep(RETRY_INTERVAL).await;
            }
            *session = Some(opened);
        }
        Ok(session.as_mut())
    }

    async fn unowned(&self, is_complete: bool, limit: u32) -> Result<Outcome, StoreError> {
        let query = sqlx::query_as(if is_complete { ALL_UNOWNED } else { UNOWNED }).bind(SUCCESSOR_WAIT);
        let rows: Result<Vec<(Uuid, Uuid, bool)>, _> =
            answered(query.bind(i64::from(limit)).fetch_all(&self.pool)).await;
        let rows = rows.map_err(StoreError::database("list matches without an owner"))?;
        let matches = rows.into_iter().map(|(id, table, is_running)| UnownedMatch {
            match_id: MatchId(id),
            table: TableId(table),
            is_running,
        });
        Ok(Outcome::Unowned(matches.collect()))
    }

    async fn claim(&self, node: NodeId, matches: &[MatchId]) -> Result<Outcome, StoreError> {
        let claim = async {
            let mut transaction = self.pool.begin().await?;
            let locked: Vec<Uuid> =
                sqlx::query_scalar(LOCK_MATCHES).bind(ids(matches)).fetch_all(&mut *transaction).await?;
            let rows: Vec<RawClaim> =
                sqlx::query_as(CLAIM).bind(node.0).bind(&locked).fetch_all(&mut *transaction).await?;
            transaction.commit().await?;
            Ok((locked, rows))
        };
        let (locked, mut rows) = answered(claim).await.map_err(StoreError::database("claim matches"))?;
        rows.sort_by_key(|row| row.id);
        let (hibernating, claimed): (Vec<RawClaim>, Vec<RawClaim>) =
            rows.into_iter().partition(|row| row.sleeps);
        let busy = matches.iter().filter(|match_id| !locked.contains(&match_id.0)).copied().collect();
        Ok(Outcome::Claimed {
            claimed: claimed.into_iter().map(RawClaim::read).collect::<Result<_, _>>()?,
            hibernating: hibernating.into_iter().map(RawClaim::read_hibernation).collect::<Result<_, _>>()?,
            busy,
        })
    }

    async fn owned(&self, node: NodeId) -> Result<Outcome, StoreError> {
        let owned: Result<Vec<Uuid>, _> =
            answered(sqlx::query_scalar(OWNED).bind(node.0).fetch_all(&self.pool)).await;
        let owned = owned.map_err(StoreError::database("list the node's matches"))?;
        Ok(Outcome::Owned(owned.into_iter().map(MatchId).collect()))
    }

    async fn release_hibernating(&self, node: NodeId, limit: u32) -> Result<Outcome, StoreError> {
        let release = sqlx::query_scalar(RELEASE_HIBERNATING).bind(node.0).bind(i64::from(limit));
        let released: Result<Vec<Uuid>, _> = answered(release.fetch_all(&self.pool)).await;
        let mut released = released.map_err(StoreError::database("release hibernating matches"))?;
        released.sort();
        Ok(Outcome::Released(released.into_iter().map(MatchId).collect()))
    }

    async fn release(
        &self,
        node: NodeId,
        matches: &[(MatchId, Epoch)],
        since: Option<Timestamp>,
    ) -> Result<Outcome, StoreError> {
        let (ids, epochs): (Vec<Uuid>, Vec<i64>) =
            matches.iter().map(|(match_id, epoch)| (match_id.0, count_column(epoch.0))).unzip();
        let release = sqlx::query_scalar(RELEASE).bind(node.0).bind(ids).bind(epochs);
        let released: Result<Vec<Uuid>, _> =
            answered(release.bind(since.map(TimeColumn::from)).fetch_all(&self.pool)).await;
        let mut released = released.map_err(StoreError::database("release matches"))?;
        released.sort();
        Ok(Outcome::Released(released.into_iter().map(MatchId).collect()))
    }
}

/// A claimed match as the database returns it.
#[derive(sqlx::FromRow)]
struct RawClaim {
    id: Uuid,
    epoch: i64,
    unowned_since: Option<TimeColumn>,
    sleeps: bool,
    table_id: Uuid,
    listed_players: Option<i32>,
}

impl RawClaim {
    fn read(self) -> Result<ClaimedMatch, StoreError> {
        Ok(ClaimedMatch {
            match_id: MatchId(self.id),
            epoch: Epoch(read_seq("matches.epoch", self.epoch)?),
            unowned_since: self.unowned_since.map(|since| since.read("nodes.alive_at")).transpose()?,
        })
    }

    fn read_hibernation(self) -> Result<ClaimedHibernation, StoreError> {
        let players = self.listed_players.map(u32::try_from).transpose();
        Ok(ClaimedHibernation {
            match_id: MatchId(self.id),
            table: TableId(self.table_id),
            listed_players: players
                .map_err(|_| unreadable("matches.listed_players", self.listed_players.unwrap_or_default()))?,
        })
    }
}

/// A row of `nodes` as the database returns it.
#[derive(sqlx::FromRow)]
struct RawNode {
    id: Uuid,
    name: String,
    state: String,
    is_connected: bool,
    engines: Vec<String>,
    renewed_at: TimeColumn,
}

impl RawNode {
    fn read(self) -> Result<NodeRow, StoreError> {
        Ok(NodeRow {
            id: NodeId(self.id),
            name: self.name,
            state: NodeState::read(&self.state).ok_or_else(|| unreadable("nodes.state", self.state))?,
            is_connected: self.is_connected,
            engines: self.engines,
            renewed_at: self.renewed_at.read("nodes.renewed_at")?,
        })
    }
}

/// Closes the session if the result is an error, because the session's state is then unknown.
fn or_close<T>(
    session: &mut Option<PgConnection>,
    result: Result<T, sqlx::Error>,
    doing: &'static str,
) -> Result<T, StoreError> {
    if result.is_err() {
        *session = None;
    }
    result.map_err(StoreError::database(doing))
}

fn renewed(at: Option<TimeColumn>) -> Result<Outcome, StoreError> {
    at.map_or(Ok(Outcome::Dead), |at| Ok(Outcome::Renewed { at: at.read("nodes.renewed_at")? }))
}

fn ids(matches: &[MatchId]) -> Vec<Uuid> {
    matches.iter().map(|match_id| match_id.0).collect()
}

/// Tries to share the lock of the database with the other nodes.
async fn share_lock(session: &mut PgConnection) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar("select pg_try_advisory_lock_shared($1)").bind(KEY).fetch_one(session).await
}
