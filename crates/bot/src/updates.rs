//! The bot's reaction to updates from the client.

use anyhow::{Result, bail};
use quadrex_client::{ClientState, PendingCommand, Update};
use quadrex_protocol::{RefusalCode, ServerFrame};

use crate::bot::{Bot, MAX_REFUSALS, Purpose};

impl Bot {
    /// Handles an update.
    ///
    /// # Errors
    /// Returns an error if the bot cannot continue.
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
            (Purpose::Leave, _) => self.unwatch(state, command.table),
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
            Purpose::Leave => self.unwatch(state, table),
            Purpose::Sit => {
                let was_seat_just_taken = matches!(code, RefusalCode::SeatTaken | RefusalCode::TableFull);
                if !was_seat_just_taken {
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
                if let Purpose::Claim(board_seq) = purpose {
                    attendance.progress.refused_claim = Some(board_seq);
                }
                // The client requests the table again. If it is still the bot's turn in the new
                // snapshot, the engine searches again.
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::Duration;

    use quadrex_clock::{Clock, Entropy};
    use quadrex_driver::Launch;
    use quadrex_protocol::{ClientFrame, TableId, UserId};
    use quadrex_rules::Timestamp;
    use serde_json::json;
    use tokio::sync::mpsc;

    use super::*;
    use crate::bot::PlaySettings;
    use crate::engine_task::EngineSettings;
    use crate::lobby_filter::LobbyFilter;
    use crate::reply_policy::{Draws, Rematches, ReplyPolicy, Takebacks};
    use crate::target::Target;
    use crate::think_time::ThinkTimeSettings;

    const ME: &str = "0192f0c1-2345-7000-8000-0000000000ff";
    const TABLE: &str = "0192f0c1-2345-7000-8000-000000000001";
    const MATCH: &str = "0192f0c1-2345-7000-8000-0000000000aa";

    /// Returns a bot without an engine that attends a table, with the client's state.
    fn bot() -> (Bot, ClientState<Purpose>, TableId) {
        let (me, table): (UserId, TableId) = (ME.parse().unwrap(), TABLE.parse().unwrap());
        let clock = Clock::manual(Timestamp::from_millis(0));
        let mut state = ClientState::new(Some(me), clock.clone(), Entropy::seeded(1));
        let launch = Launch {
            command: "engine".into(),
            arguments: Vec::new(),
            options: BTreeMap::new(),
            reply_timeout: Duration::ZERO,
            nice: None,
            inherit_stderr: false,
        };
        let settings = PlaySettings {
            target: Target::Seek(LobbyFilter { variants: Vec::new(), time: None }),
            seat: None,
            max_matches: None,
            max_tables: 1,
            reply_policy: ReplyPolicy {
                draws: Draws::Judge,
                takebacks: Takebacks::Accept,
                rematches: Rematches::Accept,
            },
            think_time: ThinkTimeSettings { max: None, margin: Duration::ZERO },
        };
        let engine_settings = EngineSettings { launch, restarts: 0, clock };
        let mut bot = Bot::new(me, settings, engine_settings, mpsc::channel(1).0);
        bot.attend(&mut state, table, None);
        state.pop_outgoing();
        (bot, state, table)
    }

    /// Delivers a frame and returns the frames that the bot sends.
    fn deliver(
        bot: &mut Bot,
        state: &mut ClientState<Purpose>,
        frame: serde_json::Value,
    ) -> Vec<ClientFrame> {
        let frame = serde_json::from_value(frame).unwrap();
        if let Some(update) = state.handle_frame(frame).unwrap() {
            bot.handle_update(state, update).unwrap();
        }
        std::iter::from_fn(|| state.pop_outgoing()).collect()
    }

    /// Returns the snapshot of an open table whose white seat has a user.
    fn open_table(white: Option<&str>) -> serde_json::Value {
        let user = white.map(|id| json!({"id": id, "name": "Ada"}));
        json!({"t": "snapshot", "table": TABLE, "match": MATCH, "seq": 1, "view": {
            "settings": {
                "variant": "classic", "privacy": "public", "time": {"kind": "none"}, "draws": "claim",
                "absence": "eliminate", "watchers": "everybody", "chat": "on", "admission": "open", "rated": false,
                "seating": "chosen", "hotseat": false,
            },
            "host": {"id": "0192f0c1-2345-7000-8000-0000000000ee", "name": "Ben"},
            "board": {"files": 8, "ranks": 8, "holes": []},
            "start": {}, "pieces": {}, "your_seats": [], "players": [], "spectators": 0, "history": [],
            "seats": [
                {"color": "white", "side": "south", "user": user},
                {"color": "black", "side": "north", "user": null},
            ],
            "state": {
                "phase": "open", "active_players": ["white", "black"], "eliminated": [], "checks": [],
                "can_claim_draw": false,
            },
        }})
    }

    #[test]
    fn a_bot_takes_a_seat_once_and_leaves_a_table_that_has_none() {
        let (mut bot, mut state, table) = bot();
        let sent = deliver(&mut bot, &mut state, open_table(None));
        let [ClientFrame::Sit { cmd, .. }] = sent.as_slice() else { panic!("{sent:?}") };
        assert_eq!(deliver(&mut bot, &mut state, open_table(None)), [], "the answer is pending");
        let refusal =
            json!({"t": "refused", "cmd": cmd, "table": TABLE, "code": "seat_taken", "message": "no"});
        assert_eq!(deliver(&mut bot, &mut state, refusal), [ClientFrame::Unwatch { table }]);
        assert!(!state.has_pending() && state.table(table).is_none());
    }

    #[test]
    fn a_bot_that_ends_leaves_its_open_table() {
        let (mut bot, mut state, table) = bot();
        assert_eq!(deliver(&mut bot, &mut state, open_table(Some(ME))), [], "it has a seat");
        assert_eq!(bot.stop(&mut state), 0);
        let sent: Vec<_> = std::iter::from_fn(|| state.pop_outgoing()).collect();
        let [.., ClientFrame::Leave { cmd, .. }] = sent.as_slice() else { panic!("{sent:?}") };
        assert!(!bot.is_done(&state), "the answer is pending");
        let ack = json!({"t": "ack", "table": TABLE, "match": MATCH, "cmd": cmd, "seq": 2});
        assert_eq!(deliver(&mut bot, &mut state, ack), [ClientFrame::Unwatch { table }]);
        assert!(bot.is_done(&state));
    }
}
