//! The claim of a match by a node of a cluster, on a simulated database.

use quadrex_protocol::{MatchId, TableId};
use sqlx::SqliteConnection;
use uuid::Uuid;

use super::connection::block_on;
use super::faults::ClaimedBy;
use crate::error::{StoreError, read_seq, unreadable};
use crate::log::Epoch;
use crate::ownership::{ClaimedHibernation, ClaimedMatch, NodeId};
use crate::time_column::TimeColumn;

/// A match, and the right of a node to claim it. The owner of a match that has no row in `nodes` was
/// a server without a cluster, whose heartbeat is in `server_life`.
const LOOK_UP: &str = "
    select matches.id, matches.epoch + 1 as epoch, table_id, listed_players,
           (matches.owner = $1 or node.id is null or node.state = 'dead')
           and exists (select 1 from nodes as me
                       where me.id = $1 and me.state <> 'dead'
                         and (me.lease_until_ms > $3 or matches.owner = $1)) as is_free,
           coalesce(matches.owner is not $1 and hibernated_epoch = epoch and status = 'running', 0) as sleeps,
           case when matches.owner = $1 then matches.unowned_since_ms
                when released_at_ms is not null then released_at_ms
                when node.id is not null then coalesce(node.alive_at_ms, node.renewed_at_ms)
                else (select alive_at_ms from server_life) end
               as unowned_since,
           matches.owner as former_owner, node.renewed_at_ms as former_renewed_at
    from matches left join nodes as node on node.id = matches.owner
    where matches.id = $2";

/// Makes a node the owner. `unowned` has the times without an owner, each as `[from, until]`.
const CLAIM: &str = "
    update matches
    set owner = $1, epoch = $3, released_at_ms = null, unowned_since_ms = case when not $4 then $5 end,
        hibernated_epoch = case when $4 then $3 else hibernated_epoch end,
        unowned = case when $4 and $5 < $6
                       then json_insert(coalesce(unowned, '[]'), '$[#]', json_array($5, $6))
                       else unowned end
    where id = $2";

/// A match that a node claims, as the database returns it.
#[derive(sqlx::FromRow)]
pub(super) struct RawClaim {
    id: Uuid,
    epoch: i64,
    table_id: Uuid,
    listed_players: Option<i32>,
    is_free: bool,
    /// True if the match hibernates, and continues to.
    pub(super) sleeps: bool,
    unowned_since: Option<TimeColumn>,
    former_owner: Option<Uuid>,
    former_renewed_at: Option<TimeColumn>,
}

impl RawClaim {
    pub(super) fn read(&self) -> Result<ClaimedMatch, StoreError> {
        Ok(ClaimedMatch {
            match_id: MatchId(self.id),
            epoch: Epoch(read_seq("matches.epoch", self.epoch)?),
            unowned_since: self.unowned_since.map(|since| since.read("nodes.alive_at")).transpose()?,
        })
    }

    /// Returns the claim by this node, for the fault plan.
    pub(super) fn claimed_by(&self, node: NodeId) -> Result<ClaimedBy, StoreError> {
        let renewed_at = self.former_renewed_at.map(|at| at.read("nodes.renewed_at")).transpose()?;
        Ok(ClaimedBy {
            match_id: MatchId(self.id),
            node,
            epoch: Epoch(read_seq("matches.epoch", self.epoch)?),
            before: self.former_owner.map(NodeId).zip(renewed_at),
            unowned_since: self.unowned_since.map(|since| since.read("nodes.alive_at")).transpose()?,
            hibernates: self.sleeps,
        })
    }

    pub(super) fn read_hibernation(&self) -> Result<ClaimedHibernation, StoreError> {
        let players = self.listed_players.map(u32::try_from).transpose();
        Ok(ClaimedHibernation {
            match_id: MatchId(self.id),
            table: TableId(self.table_id),
            listed_players: players
                .map_err(|_| unreadable("matches.listed_players", self.listed_players.unwrap_or_default()))?,
        })
    }
}

/// The outcome of a claim.
pub(super) enum Claim {
    Claimed(RawClaim),
    /// The match has another owner, or the node has no lease.
    Refused,
    NoSuchMatch,
}

/// Claims a match for a node, if the node may claim it.
pub(super) fn claim(
    connection: &mut SqliteConnection,
    node: NodeId,
    match_id: MatchId,
    now: TimeColumn,
) -> Result<Claim, sqlx::Error> {
    let look_up = sqlx::query_as(LOOK_UP).bind(node.0).bind(match_id.0).bind(now);
    let row: Option<RawClaim> = block_on(look_up.fetch_optional(&mut *connection))?;
    let Some(row) = row else { return Ok(Claim::NoSuchMatch) };
    if !row.is_free {
        return Ok(Claim::Refused);
    }
    let claim = sqlx::query(CLAIM).bind(node.0).bind(match_id.0).bind(row.epoch).bind(row.sleeps);
    block_on(claim.bind(row.unowned_since).bind(now).execute(connection))?;
    Ok(Claim::Claimed(row))
}
