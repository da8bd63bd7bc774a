//! The survey of the nodes of a cluster, on a simulated database.

use std::collections::BTreeSet;

use sqlx::SqliteConnection;
use uuid::Uuid;

use super::connection::block_on;
use crate::error::{StoreError, unreadable};
use crate::ownership::{DEAD_AFTER, DEAD_ROW_LIFETIME, NodeId, NodeRow, NodeState};
use crate::time_column::TimeColumn;

/// Removes the row of a node that owns nothing.
const REMOVE: &str = "
    delete from nodes where id = $1
      and not exists (select 1 from matches where owner = $1 and status <> 'ended')";

/// A row of `nodes` as the database returns it.
#[derive(sqlx::FromRow)]
pub(super) struct RawNode {
    id: Uuid,
    name: String,
    state: String,
    is_connected: bool,
    engines: String,
    renewed_at_ms: TimeColumn,
    lease_until_ms: TimeColumn,
}

impl RawNode {
    pub(super) fn read(self) -> Result<NodeRow, StoreError> {
        Ok(NodeRow {
            id: NodeId(self.id),
            name: self.name,
            state: NodeState::read(&self.state).ok_or_else(|| unreadable("nodes.state", self.state))?,
            is_connected: self.is_connected,
            engines: serde_json::from_str(&self.engines)
                .map_err(|error| unreadable("nodes.engines", error))?,
            renewed_at: self.renewed_at_ms.read("nodes.renewed_at")?,
        })
    }

    fn is_dead(&self) -> bool {
        self.state == NodeState::Dead.column()
    }
}

/// Marks nodes as dead, removes rows of nodes that died long ago and own nothing, and returns all
/// rows as they were before the removal. `locked` has the nodes whose sessions hold their locks.
pub(super) fn survey(
    connection: &mut SqliteConnection,
    me: NodeId,
    may_mark_dead: bool,
    now: TimeColumn,
    locked: &BTreeSet<NodeId>,
) -> Result<Vec<RawNode>, sqlx::Error> {
    let select = "select id, name, state, is_connected, engines, renewed_at_ms, lease_until_ms
                  from nodes order by id";
    let mut nodes: Vec<RawNode> = block_on(sqlx::query_as(select).fetch_all(&mut *connection))?;
    if !may_mark_dead {
        return Ok(nodes);
    }
    let has_lease = nodes.iter().any(|node| node.id == me.0 && !node.is_dead() && node.lease_until_ms > now);
    for node in &mut nodes {
        if node.is_dead() {
            if node.renewed_at_ms <= now.before(DEAD_ROW_LIFETIME) {
                block_on(sqlx::query(REMOVE).bind(node.id).execute(&mut *connection))?;
            }
            continue;
        }
        let is_late = node.renewed_at_ms <= now.before(DEAD_AFTER)
            || quadrex_runtime::has_planted!(LivingNodeMarkedDead);
        let is_silent = is_late && !locked.contains(&NodeId(node.id));
        if has_lease && node.id != me.0 && (node.lease_until_ms <= now || is_silent) {
            let mark = sqlx::query("update nodes set state = 'dead' where id = $1").bind(node.id);
            block_on(mark.execute(&mut *connection))?;
            node.state = NodeState::Dead.column().to_owned();
        }
    }
    Ok(nodes)
}
