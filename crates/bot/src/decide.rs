//! The bot's decisions at one table.

use anyhow::{Result, bail};
use quadrex_client::{ClientState, TableMirror};
use quadrex_protocol::view::Phase;
use quadrex_protocol::{ClientFrame, RequestAction, TableId};
use quadrex_rules::Color;

use crate::attendance::{MatchProgress, Rematch};
use crate::bot::{Bot, Purpose};
use crate::engine_task::{EngineTask, MoveRequest};
use crate::reply_policy::Rematches;
use crate::target::Target;
use crate::think_time::ThinkTime;

impl Bot {
    /// Performs the bot's next action at a table, depending on the table's state.
    pub(crate) fn act(&mut self, state: &mut ClientState<Purpose>, table: TableId) -> Result<()> {
        let Some(attendance) = self.attended.get_mut(&table) else { return Ok(()) };
        let Some(mirror) = state.table(table) else { return Ok(()) };
        let own_seat = mirror.own_seats().next().map(|seat| (seat.color, seat.substitute.is_some()));
        let (match_id, is_closed, phase) = (mirror.match_id, mirror.state.closed, mirror.state.phase);
        if let Some((color, _)) = own_seat.filter(|_| !attendance.was_seated) {
            attendance.was_seated = true;
            tracing::info!(table.id = %table, "sits as {color} at a table of {}", mirror.settings.variant);
        }
        let (was_seated, invite, seat) = (attendance.was_seated, attendance.invite.clone(), attendance.seat);
        match (phase, own_seat) {
            _ if is_closed => self.detach(state, table, "it is closed")?,
            (Phase::Open, Some(_)) => {
                if self.is_stopping || self.has_played_enough() {
                    self.leave(state, table, "no more matches are to be played");
                }
            }
            (Phase::Open, None) if was_seated => {
                self.excluded.insert(table);
                self.detach(state, table, "the host has removed the bot")?;
            }
            (Phase::Open, None) => {
                let sit = |cmd| ClientFrame::Sit { table, cmd, seat, invite, nonce: None, match_id: None };
                if self.is_stopping {
                    self.leave(state, table, "the bot stops");
                } else if !state.is_pending(table, &Purpose::Sit) {
                    state.send(table, match_id, Purpose::Sit, sit);
                }
            }
            (Phase::Running | Phase::Ended, None) => {
                self.detach(state, table, "its seats are occupied, and the match has started")?;
            }
            (Phase::Running, Some((color, true))) if !state.is_pending(table, &Purpose::Sit) => {
                tracing::info!(table.id = %table, "takes its seat back from the bot that played for it");
                let seat = Some(color);
                state.send(table, match_id, Purpose::Sit, |cmd| ClientFrame::Sit {
                    table,
                    cmd,
                    seat,
                    invite: None,
                    nonce: None,
                    match_id: None,
                });
            }
            (Phase::Running, Some(_)) => self.play(state, table),
            (Phase::Ended, Some((color, _))) => self.handle_match_end(state, table, color),
        }
        Ok(())
    }

    /// Leaves a table. If the bot has a seat there, it gives the seat up or declines a rematch
    /// first.
    pub(crate) fn leave(&mut self, state: &mut ClientState<Purpose>, table: TableId, reason: &str) {
        if state.is_pending(table, &Purpose::Leave) {
            return;
        }
        let mirror = state.table(table).filter(|mirror| mirror.own_seats().next().is_some());
        match mirror.map(|mirror| mirror.match_id) {
            Some(match_id) => {
                tracing::info!(table.id = %table, "leaves: {reason}");
                state.send(table, match_id, Purpose::Leave, |cmd| ClientFrame::Leave {
                    table,
                    cmd,
                    seat: None,
                    match_id: None,
                });
            }
            None => self.unwatch(state, table),
        }
    }

    /// Stops attending a table, and reports the reason.
    ///
    /// # Errors
    /// Returns an error if the bot was to play only at this table and has played no match there.
    pub(crate) fn detach(
        &mut self,
        state: &mut ClientState<Purpose>,
        table: TableId,
        reason: &str,
    ) -> Result<()> {
        self.unwatch(state, table);
        match &self.settings.target {
            Target::At(address) if address.table == table && self.played == 0 => {
                bail!("the table {table}: {reason}")
            }
            _ => tracing::info!(table.id = %table, "goes away: {reason}"),
        }
        Ok(())
    }

    /// Stops attending a table without a message.
    pub(crate) fn unwatch(&mut self, state: &mut ClientState<Purpose>, table: TableId) {
        state.unwatch(table);
        self.attended.remove(&table);
    }

    /// Asks the engine for a move if it is the bot's turn, and answers the requests of other
    /// players.
    fn play(&mut self, state: &mut ClientState<Purpose>, table: TableId) {
        let Some(attendance) = self.attended.get_mut(&table) else { return };
        let Some(mirror) = state.table(table) else { return };
        let requests = attendance.take_open_requests(mirror);
        let (Some(game), match_id) = (mirror.game(), mirror.match_id) else { return };
        let Some(own_color) = mirror.own_color() else {
            if matches!(self.settings.target, Target::Seek(_)) {
                self.record_end(state, table);
                self.detach(state, table, "out of the match, which goes on").ok();
            }
            return;
        };
        if !std::mem::replace(&mut attendance.progress.is_announced, true) {
            tracing::info!(table.id = %table, match.id = %match_id, "plays as {own_color}");
        }
        let engine = attendance
            .engine
            .get_or_insert_with(|| EngineTask::start(&self.engine_settings, table, self.results.clone()));
        let turn =
            mirror.legal.as_ref().filter(|legal| !legal.is_empty() && mirror.state.suspension.is_none());
        let requested = turn.map(|_| (match_id, mirror.board_seq));
        if engine.requested_board() != requested {
            let move_request = requested.map(|(match_id, board_seq)| {
                let color = game.position().turn();
                let time = &mirror.settings.time;
                let think_time =
                    ThinkTime::new(&mirror.state, time, color, &self.settings.think_time, mirror.received_at);
                MoveRequest { match_id, board_seq, game: game.clone(), think_time }
            });
            engine.set_request(move_request);
        }
        let (policy, score) = (self.settings.reply_policy, attendance.progress.score);
        let replies: Vec<_> =
            requests.into_iter().map(|request| (request, policy.reply(request, game, score))).collect();
        for (request, action) in replies {
            let verb = if action == RequestAction::Accept { "accepts" } else { "declines" };
            tracing::info!(table.id = %table, "{verb} the request for a {request}");
            state.send(table, match_id, Purpose::Answer, |cmd| ClientFrame::Request {
                table,
                cmd,
                request,
                action,
                seat: None,
                match_id: None,
            });
        }
    }

    /// Counts a match that has ended for the bot. A further call for the same match does nothing.
    fn record_end(&mut self, state: &ClientState<Purpose>, table: TableId) {
        let now = self.engine_settings.clock.now();
        let Some(attendance) = self.attended.get_mut(&table) else { return };
        let Some(mirror) = state.table(table) else { return };
        if attendance.progress.ended_at.is_some() {
            return;
        }
        attendance.progress.ended_at = Some(now);
        if let Some(engine) = &attendance.engine {
            engine.set_request(None);
        }
        self.played += 1;
        tracing::info!(table.id = %table, match.id = %mirror.match_id, "{}", result_text(mirror));
    }

    /// Requests or accepts a rematch after the end of a match, or leaves the table.
    fn handle_match_end(&mut self, state: &mut ClientState<Purpose>, table: TableId, own_color: Color) {
        self.record_end(state, table);
        let running_matches = u32::try_from(self.tables_with_match(state).len()).unwrap_or(u32::MAX);
        let is_match_left =
            self.settings.max_matches.is_none_or(|max_matches| self.played + running_matches < max_matches);
        let rematches = self.settings.reply_policy.rematches;
        let is_willing = !self.is_stopping && is_match_left && rematches != Rematches::Decline;
        let Some(attendance) = self.attended.get_mut(&table) else { return };
        let Some(mirror) = state.table(table) else { return };
        let match_id = mirror.match_id;
        let MatchProgress { rematch, .. } = &mut attendance.progress;
        let action = match &mirror.state.rematch {
            _ if !is_willing => return self.leave(state, table, "no more matches are to be played"),
            Some(open) if open.agreed.contains(&own_color) || *rematch == Rematch::Answered => return,
            Some(_) => {
                *rematch = Rematch::Answered;
                RequestAction::Accept
            }
            None if rematches == Rematches::Ask && *rematch == Rematch::Nothing => {
                *rematch = Rematch::Asked;
                RequestAction::Ask
            }
            None => return,
        };
        state.send(table, match_id, Purpose::Answer, |cmd| ClientFrame::Rematch {
            table,
            cmd,
            action,
            nonce: None,
            seat: None,
            match_id: None,
        });
    }
}

/// Returns the result of a match as a text for the log.
fn result_text(mirror: &TableMirror) -> String {
    let state = &mirror.state;
    if let Some(cause) = state.aborted {
        return format!("the match was aborted ({cause})");
    }
    let own_color = mirror.own_seats().next().map(|seat| seat.color);
    let own_color = own_color.map(|color| color.to_string()).unwrap_or_default();
    let Some(outcome) = &state.outcome else { return format!("out of the match as {own_color}") };
    let places: Vec<_> = outcome.places.iter().map(|(color, place)| format!("{color} {place}")).collect();
    format!(
        "the match is over ({}), played as {own_color}; the places: {}",
        outcome.reason,
        places.join(", ")
    )
}
