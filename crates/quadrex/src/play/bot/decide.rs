//! The bot's decisions at one table.

use anyhow::{Result, bail};
use quadrex_protocol::view::Phase;
use quadrex_protocol::{ClientFrame, RequestAction, TableId};
use quadrex_rules::Color;

use super::super::attendance::{MatchProgress, Rematch};
use super::super::engine_task::{EngineTask, MoveRequest};
use super::super::pending_commands::Purpose;
use super::super::reply_policy::Rematches;
use super::super::table_mirror::TableMirror;
use super::super::target::Target;
use super::super::think_time::ThinkTime;
use super::Bot;

impl Bot {
    /// Takes the next action at a table in its current state.
    pub(super) fn act(&mut self, table: TableId) -> Result<()> {
        let Some(attendance) = self.attended.get_mut(&table) else { return Ok(()) };
        let Some(mirror) = &attendance.mirror else { return Ok(()) };
        let own = mirror.own_seats().next().map(|seat| (seat.color, seat.substitute.is_some()));
        let (of, is_closed, phase) = ((table, mirror.match_id), mirror.state.closed, mirror.state.phase);
        if let Some((color, _)) = own.filter(|_| !attendance.was_seated) {
            attendance.was_seated = true;
            tracing::info!(table.id = %table, "sits as {color} at a table of {}", mirror.settings.variant);
        }
        let (was_seated, invite, seat) = (attendance.was_seated, attendance.invite.clone(), attendance.seat);
        match (phase, own) {
            _ if is_closed => self.detach(table, "it has closed")?,
            (Phase::Open, Some(_)) => {
                if self.is_ending || self.is_enough() {
                    self.leave(table, "no match is to be played any more");
                }
            }
            (Phase::Open, None) if was_seated => {
                self.excluded.insert(table);
                self.detach(table, "the host has put it out")?;
            }
            (Phase::Open, None) => {
                let sit = |cmd| ClientFrame::Sit { table, cmd, seat, invite, nonce: None, match_id: None };
                if self.is_ending {
                    self.leave(table, "the bot ends");
                } else if !self.pending.has(table, Purpose::Sit) {
                    self.send(of, Purpose::Sit, sit);
                }
            }
            (Phase::Running | Phase::Ended, None) => {
                self.detach(table, "its seats are held by others, and the match has begun")?;
            }
            (Phase::Running, Some((color, true))) if !self.pending.has(table, Purpose::Sit) => {
                tracing::info!(table.id = %table, "takes its seat back from the bot that played for it");
                let seat = Some(color);
                self.send(of, Purpose::Sit, |cmd| ClientFrame::Sit {
                    table,
                    cmd,
                    seat,
                    invite: None,
                    nonce: None,
                    match_id: None,
                });
            }
            (Phase::Running, Some(_)) => self.play(table),
            (Phase::Ended, Some((color, _))) => self.handle_end(table, color),
        }
        Ok(())
    }

    /// Gives up a seat or declines a rematch, then detaches from the table.
    pub(super) fn leave(&mut self, table: TableId, why: &str) {
        if self.pending.has(table, Purpose::Leave) {
            return;
        }
        let mirror = self.attended.get(&table).and_then(|attendance| attendance.mirror.as_ref());
        let seated =
            mirror.filter(|mirror| mirror.own_seats().next().is_some()).map(|mirror| mirror.match_id);
        match seated {
            Some(match_id) => {
                tracing::info!(table.id = %table, "leaves: {why}");
                self.send((table, match_id), Purpose::Leave, |cmd| ClientFrame::Leave {
                    table,
                    cmd,
                    seat: None,
                    match_id: None,
                });
            }
            None => {
                self.pending.remove_table(table, None);
                self.outbox.push(ClientFrame::Unwatch { table });
                self.attended.remove(&table);
            }
        }
    }

    /// Detaches from a table.
    ///
    /// # Errors
    /// If it is the only table to play at and no match was played there.
    pub(super) fn detach(&mut self, table: TableId, why: &str) -> Result<()> {
        self.pending.remove_table(table, None);
        self.outbox.push(ClientFrame::Unwatch { table });
        self.attended.remove(&table);
        if why.is_empty() {
            return Ok(());
        }
        match &self.settings.target {
            Target::At(address) if address.table == table && self.played == 0 => {
                bail!("the table {table}: {why}")
            }
            _ => tracing::info!(table.id = %table, "goes away: {why}"),
        }
        Ok(())
    }

    /// Requests a move from the engine on the bot's turn, and answers open requests.
    fn play(&mut self, table: TableId) {
        let Some(attendance) = self.attended.get_mut(&table) else { return };
        let requests = attendance.requests();
        let Some(mirror) = &attendance.mirror else { return };
        let (Some(game), of) = (mirror.game(), (table, mirror.match_id)) else { return };
        let Some(own) = mirror.own_color() else {
            if matches!(self.settings.target, Target::Seek(_)) {
                self.record_end(table);
                self.detach(table, "out of the match, which goes on").ok();
            }
            return;
        };
        if !std::mem::replace(&mut attendance.progress.is_announced, true) {
            tracing::info!(table.id = %table, match.id = %mirror.match_id, "plays as {own}");
        }
        let engine = attendance
            .engine
            .get_or_insert_with(|| EngineTask::start(&self.engine_settings, table, self.results.clone()));
        let turn =
            mirror.legal.as_ref().filter(|legal| !legal.is_empty() && mirror.state.suspension.is_none());
        let requested = turn.map(|_| (mirror.match_id, mirror.board));
        if engine.board() != requested {
            let move_request = requested.map(|(match_id, board)| {
                let color = game.position().turn();
                let time = &mirror.settings.time;
                let think_time =
                    ThinkTime::new(&mirror.state, time, color, &self.settings.think_time, mirror.received_at);
                MoveRequest { match_id, board, game: game.clone(), think_time }
            });
            engine.set_request(move_request);
        }
        let answers: Vec<_> = requests
            .into_iter()
            .map(|request| {
                (request, self.settings.reply_policy.reply(request, game, attendance.progress.score))
            })
            .collect();
        for (request, action) in answers {
            let verb = if action == RequestAction::Accept { "accepts" } else { "declines" };
            tracing::info!(table.id = %table, "{verb} the request for a {request}");
            self.send(of, Purpose::Answer, |cmd| ClientFrame::Request {
                table,
                cmd,
                request,
                action,
                seat: None,
                match_id: None,
            });
        }
    }

    /// Counts a match that is over for the bot, once.
    fn record_end(&mut self, table: TableId) {
        let now = self.engine_settings.clock.now();
        let Some(attendance) = self.attended.get_mut(&table) else { return };
        let Some(mirror) = &attendance.mirror else { return };
        if attendance.progress.over_at.is_some() {
            return;
        }
        attendance.progress.over_at = Some(now);
        if let Some(engine) = &attendance.engine {
            engine.set_request(None);
        }
        self.played += 1;
        tracing::info!(table.id = %table, match.id = %mirror.match_id, "{}", result(mirror));
    }

    /// Acts after the end of a match: plays a rematch or leaves.
    fn handle_end(&mut self, table: TableId, own: Color) {
        self.record_end(table);
        let is_left = self.settings.games.is_none_or(|games| self.played + self.count_running() < games);
        let wants = self.settings.reply_policy.rematches;
        let is_willing = !self.is_ending && is_left && wants != Rematches::Decline;
        let Some(attendance) = self.attended.get_mut(&table) else { return };
        let Some(mirror) = &attendance.mirror else { return };
        let of = (table, mirror.match_id);
        let MatchProgress { rematch, .. } = &mut attendance.progress;
        let action = match &mirror.state.rematch {
            _ if !is_willing => return self.leave(table, "no match is to be played any more"),
            Some(open) if open.agreed.contains(&own) || *rematch == Rematch::Answered => return,
            Some(_) => {
                *rematch = Rematch::Answered;
                RequestAction::Accept
            }
            None if wants == Rematches::Ask && *rematch == Rematch::Nothing => {
                *rematch = Rematch::Asked;
                RequestAction::Ask
            }
            None => return,
        };
        self.send(of, Purpose::Answer, |cmd| ClientFrame::Rematch {
            table,
            cmd,
            action,
            nonce: None,
            seat: None,
            match_id: None,
        });
    }

    fn count_running(&self) -> u32 {
        u32::try_from(self.running().len()).unwrap_or(u32::MAX)
    }
}

/// Returns the result of a match, for people.
fn result(mirror: &TableMirror) -> String {
    let state = &mirror.state;
    if let Some(cause) = state.aborted {
        return format!("the match was aborted ({cause})");
    }
    let own = mirror.own_seats().next().map(|seat| seat.color);
    let own = own.map(|color| color.to_string()).unwrap_or_default();
    let Some(outcome) = &state.outcome else { return format!("out of the match as {own}") };
    let places: Vec<_> = outcome.places.iter().map(|(color, place)| format!("{color} {place}")).collect();
    format!("the match is over ({}), played as {own}; the places: {}", outcome.reason, places.join(", "))
}
