//! The bot's handling of the server's frames.

use anyhow::{Result, bail};
use quadrex_protocol::view::Entry;
use quadrex_protocol::{CmdId, RefusalCode, ServerFrame, TableId};

use super::super::http::is_transient;
use super::super::pending_commands::{PendingCommand, Purpose};
use super::super::table_mirror::{MirrorError, TableMirror};
use super::{Bot, MAX_REFUSALS, watch_from_start, watch_since_last};

impl Bot {
    /// Handles a frame.
    ///
    /// # Errors
    /// If the bot cannot continue.
    pub(in super::super) fn handle_frame(&mut self, frame: ServerFrame) -> Result<()> {
        self.lobby.apply_frame(&frame);
        match frame {
            ServerFrame::Snapshot { table, match_id, seq, view } => {
                let now = self.engine_settings.clock.now();
                let Some(attendance) = self.attended.get_mut(&table) else { return Ok(()) };
                match TableMirror::new((match_id, seq), *view, self.me, now) {
                    Ok(mirror) => attendance.replace_mirror(mirror),
                    Err(error) => {
                        bail!("the match {match_id} at the table {table} cannot be followed: {error}")
                    }
                }
                self.pending.remove_table(table, Some(match_id));
                self.act(table)?;
            }
            ServerFrame::Event { table, match_id, entry, state, legal_moves: legal } => {
                let now = self.engine_settings.clock.now();
                let is_current = |mirror: &TableMirror| mirror.match_id == match_id;
                let follow = |mirror: &mut TableMirror, entry: &Entry| mirror.apply(entry, state, legal, now);
                self.follow(
                    table,
                    |mirror| if is_current(mirror) { follow(mirror, &entry) } else { Ok(()) },
                )?;
            }
            ServerFrame::Skip { table, seq, match_id } => {
                let is_current = |mirror: &TableMirror| mirror.match_id == match_id;
                self.follow(table, |mirror| if is_current(mirror) { mirror.skip(seq) } else { Ok(()) })?;
            }
            ServerFrame::Ack { cmd, .. } => self.acknowledged(&cmd)?,
            ServerFrame::Refused { cmd: Some(cmd), code, message, .. } => {
                self.refused(&cmd, code, &message)?;
            }
            ServerFrame::Refused { cmd: None, table: Some(table), code, message, .. } => {
                // A rate-limited request is repeated later.
                if !is_transient(code) && self.attended.contains_key(&table) {
                    self.detach(table, &format!("the server does not show it: {message}"))?;
                }
            }
            ServerFrame::Refused { message, .. } => tracing::warn!("the server refused a frame: {message}"),
            ServerFrame::Pong { heads } => {
                for (table, head) in heads {
                    let is_behind =
                        |mirror: &TableMirror| mirror.match_id != head.match_id || mirror.seq < head.seq;
                    let attendance = self.attended.get(&table);
                    if let Some(attendance) =
                        attendance.filter(|attendance| attendance.mirror.as_ref().is_some_and(is_behind))
                    {
                        self.outbox.push(watch_since_last(attendance));
                    }
                }
            }
            ServerFrame::Lobby { .. } | ServerFrame::LobbyTable { .. } | ServerFrame::LobbyRemoved { .. } => {
                self.seek();
            }
            ServerFrame::Closing { .. } => tracing::info!("the server is about to stop"),
            ServerFrame::Welcome { .. }
            | ServerFrame::Watching { .. }
            | ServerFrame::Presence { .. }
            | ServerFrame::LobbyPreview { .. } => {}
        }
        Ok(())
    }

    fn follow(
        &mut self,
        table: TableId,
        apply: impl FnOnce(&mut TableMirror) -> Result<(), MirrorError>,
    ) -> Result<()> {
        let Some(attendance) = self.attended.get_mut(&table) else { return Ok(()) };
        let Some(mirror) = &mut attendance.mirror else { return Ok(()) };
        match apply(mirror) {
            Ok(()) => self.act(table),
            // The event came twice, or one is missing, and the server sends the missing ones.
            Err(MirrorError::Gap { seq, last }) if seq <= last => Ok(()),
            Err(MirrorError::Gap { .. }) => {
                self.outbox.push(watch_since_last(attendance));
                Ok(())
            }
            Err(error) => {
                bail!("the match {} at the table {table} cannot be followed: {error}", mirror.match_id)
            }
        }
    }

    fn acknowledged(&mut self, cmd: &CmdId) -> Result<()> {
        let Some(PendingCommand { table, purpose, .. }) = self.pending.remove_answered(cmd) else {
            return Ok(());
        };
        if let (Purpose::Move, Some(attendance)) = (purpose, self.attended.get_mut(&table)) {
            attendance.progress.refusals = 0;
        }
        if purpose == Purpose::Leave { self.detach(table, "") } else { Ok(()) }
    }

    fn refused(&mut self, cmd: &CmdId, code: RefusalCode, message: &str) -> Result<()> {
        let Some(command) = self.pending.remove_answered(cmd) else { return Ok(()) };
        if is_transient(code) {
            self.pending.postpone(command, self.engine_settings.clock.now());
            return Ok(());
        }
        let PendingCommand { table, purpose, .. } = command;
        let Some(attendance) = self.attended.get_mut(&table) else { return Ok(()) };
        match purpose {
            Purpose::Leave => self.detach(table, "")?,
            Purpose::Sit => {
                let is_race = matches!(code, RefusalCode::SeatTaken | RefusalCode::TableFull);
                if !is_race {
                    self.excluded.insert(table);
                }
                self.detach(table, &format!("there is no seat to be had: {message}"))?;
            }
            Purpose::Move | Purpose::Claim(_) => {
                tracing::info!(table.id = %table, "the server did not take it: {message}");
                attendance.progress.refusals += 1;
                if attendance.progress.refusals > MAX_REFUSALS {
                    bail!("the server refuses move after move at the table {table}: {message}");
                }
                if let Purpose::Claim(board) = purpose {
                    attendance.progress.refused_claim = Some(board);
                }
                // The table is requested anew, and the engine searches again if a move is still
                // due.
                if let Some(engine) = &attendance.engine {
                    engine.set_request(None);
                }
                attendance.watch_sent_at = Some(self.engine_settings.clock.now());
                self.outbox.push(watch_from_start(attendance));
            }
            Purpose::Answer => tracing::debug!(table.id = %table, "the server did not take it: {message}"),
        }
        Ok(())
    }
}
