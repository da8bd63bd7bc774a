//! The bot's handling of updates from the client.

use anyhow::{Result, bail};
use quadrex_client::{ClientState, PendingCommand, Update};
use quadrex_protocol::{RefusalCode, ServerFrame};

use crate::bot::{Bot, MAX_REFUSALS, Purpose};

impl Bot {
    /// Handles an update.
    ///
    /// # Errors
    /// If the bot cannot continue.
    pub(crate) fn handle_update(
        &mut self,
        state: &mut ClientState<Purpose>,
        update: Update<Purpose>,
    ) -> Result<()> {
        match update {
            Update::Snapshot { table } => {
                if let (Some(attendance), Some(mirror)) = (self.attended.get_mut(&table), state.table(table))
                {
                    attendance.set_match(mirror.match_id);
                }
                self.act(state, table)?;
            }
            Update::Event { table, .. } | Update::HiddenEvent { table } => self.act(state, table)?,
            Update::Lobby => self.seek(state),
            Update::Acknowledged(command) => self.handle_ack(state, &command),
            Update::Refused { command, code, message } => {
                self.handle_refusal(state, &command, code, &message)?;
            }
            Update::TableRefused { table, message, .. } => {
                self.detach(state, table, &format!("the server does not show it: {message}"))?;
            }
            Update::Frame(frame) => match *frame {
                ServerFrame::Refused { message, .. } => {
                    tracing::warn!("the server refused a frame: {message}");
                }
                ServerFrame::Closing { .. } => tracing::info!("the server is about to stop"),
                _ => {}
            },
        }
        Ok(())
    }

    fn handle_ack(&mut self, state: &mut ClientState<Purpose>, command: &PendingCommand<Purpose>) {
        match (command.purpose, self.attended.get_mut(&command.table)) {
            (Purpose::Move, Some(attendance)) => attendance.progress.refusals = 0,
            (Purpose::Leave, _) => self.forget(state, command.table),
            _ => {}
        }
    }

    fn handle_refusal(
        &mut self,
        state: &mut ClientState<Purpose>,
        command: &PendingCommand<Purpose>,
        code: RefusalCode,
        message: &str,
    ) -> Result<()> {
        let PendingCommand { table, purpose, .. } = *command;
        let Some(attendance) = self.attended.get_mut(&table) else { return Ok(()) };
        match purpose {
            Purpose::Leave => self.forget(state, table),
            Purpose::Sit => {
                let is_race = matches!(code, RefusalCode::SeatTaken | RefusalCode::TableFull);
                if !is_race {
                    self.excluded.insert(table);
                }
                self.detach(state, table, &format!("the server gives it no seat: {message}"))?;
            }
            Purpose::Move | Purpose::Claim(_) => {
                tracing::info!(table.id = %table, "the server refused a move: {message}");
                attendance.progress.refusals += 1;
                if attendance.progress.refusals > MAX_REFUSALS {
                    bail!("the server refuses move after move at the table {table}: {message}");
                }
                if let Purpose::Claim(board) = purpose {
                    attendance.progress.refused_claim = Some(board);
                }
                // The engine searches again if the reloaded table still requires a move.
                if let Some(engine) = &attendance.engine {
                    engine.set_request(None);
                }
                state.reload(table);
            }
            Purpose::Answer => tracing::debug!(table.id = %table, "the server refused an answer: {message}"),
        }
        Ok(())
    }
}
