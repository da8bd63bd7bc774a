//! What the bot does at one table, as the table is now.

use anyhow::{Result, bail};
use quadrex_protocol::view::Phase;
use quadrex_protocol::{ClientFrame, RequestAct, TableId};
use quadrex_rules::Color;

use super::super::allowance::Allowance;
use super::super::goal::Goal;
use super::super::manners::Rematches;
use super::super::mind::{Mind, Question};
use super::super::place::Place;
use super::super::unanswered::Deed;
use super::super::visit::{Course, Rematch};
use super::Bot;

impl Bot {
    /// Does what is to be done at a table as it is now.
    pub(super) fn consider(&mut self, table: TableId) -> Result<()> {
        let Some(visit) = self.visits.get_mut(&table) else { return Ok(()) };
        let Some(place) = &visit.place else { return Ok(()) };
        let own = place.own_seats().next().map(|seat| (seat.color, seat.stand_in.is_some()));
        let (of, is_closed, phase) = ((table, place.match_id), place.state.closed, place.state.phase);
        if let Some((color, _)) = own.filter(|_| !visit.was_seated) {
            visit.was_seated = true;
            tracing::info!(table.id = %table, "sits as {color} at a table of {}", place.settings.variant);
        }
        let (was_seated, invite, wanted) = (visit.was_seated, visit.invite.clone(), visit.wanted);
        match (phase, own) {
            _ if is_closed => self.drop_visit(table, "it has closed")?,
            (Phase::Open, Some(_)) => {
                if self.is_ending || self.is_enough() {
                    self.leave(table, "no match is to be played any more");
                }
            }
            (Phase::Open, None) if was_seated => {
                self.shunned.insert(table);
                self.drop_visit(table, "the host has put it out")?;
            }
            (Phase::Open, None) => {
                let sit =
                    |cmd| ClientFrame::Sit { table, cmd, seat: wanted, invite, nonce: None, match_id: None };
                if self.is_ending {
                    self.leave(table, "the bot ends");
                } else if !self.unanswered.has(table, Deed::Sit) {
                    self.send(of, Deed::Sit, sit);
                }
            }
            (Phase::Running | Phase::Ended, None) => {
                self.drop_visit(table, "its seats are held by others, and the match has begun")?;
            }
            (Phase::Running, Some((color, true))) if !self.unanswered.has(table, Deed::Sit) => {
                tracing::info!(table.id = %table, "takes its seat back from the bot that played for it");
                let seat = Some(color);
                self.send(of, Deed::Sit, |cmd| ClientFrame::Sit {
                    table,
                    cmd,
                    seat,
                    invite: None,
                    nonce: None,
                    match_id: None,
                });
            }
            (Phase::Running, Some(_)) => self.play(table),
            (Phase::Ended, Some((color, _))) => self.conclude(table, color),
        }
        Ok(())
    }

    /// Gives a seat back, or says that there is no rematch; then goes away.
    pub(super) fn leave(&mut self, table: TableId, why: &str) {
        if self.unanswered.has(table, Deed::Leave) {
            return;
        }
        let place = self.visits.get(&table).and_then(|visit| visit.place.as_ref());
        let seated = place.filter(|place| place.own_seats().next().is_some()).map(|place| place.match_id);
        match seated {
            Some(match_id) => {
                tracing::info!(table.id = %table, "leaves: {why}");
                self.send((table, match_id), Deed::Leave, |cmd| ClientFrame::Leave {
                    table,
                    cmd,
                    seat: None,
                    match_id: None,
                });
            }
            None => {
                self.unanswered.forget(table, None);
                self.outbox.push(ClientFrame::Unwatch { table });
                self.visits.remove(&table);
            }
        }
    }

    /// Forgets a table.
    ///
    /// # Errors
    /// When it is the one that it was to play at, and no match was played there.
    pub(super) fn drop_visit(&mut self, table: TableId, why: &str) -> Result<()> {
        self.unanswered.forget(table, None);
        self.outbox.push(ClientFrame::Unwatch { table });
        self.visits.remove(&table);
        if why.is_empty() {
            return Ok(());
        }
        match &self.habits.goal {
            Goal::At(spot) if spot.table == table && self.played == 0 => bail!("the table {table}: {why}"),
            _ => tracing::info!(table.id = %table, "goes away: {why}"),
        }
        Ok(())
    }

    /// Thinks about its move, and answers those who ask for something.
    fn play(&mut self, table: TableId) {
        let Some(visit) = self.visits.get_mut(&table) else { return };
        let requests = visit.requests();
        let Some(place) = &visit.place else { return };
        let (Some(game), of) = (place.game(), (table, place.match_id)) else { return };
        let Some(own) = place.own_color() else {
            if matches!(self.habits.goal, Goal::Seek(_)) {
                self.over(table);
                self.drop_visit(table, "out of the match, which goes on").ok();
            }
            return;
        };
        if !std::mem::replace(&mut visit.course.is_told, true) {
            tracing::info!(table.id = %table, match.id = %place.match_id, "plays as {own}");
        }
        let mind = visit.mind.get_or_insert_with(|| Mind::start(&self.manner, table, self.thoughts.clone()));
        let turn = place.legal.as_ref().filter(|legal| !legal.is_empty() && place.state.frozen.is_none());
        let asked = turn.map(|_| (place.match_id, place.board));
        if mind.board() != asked {
            let question = asked.map(|(match_id, board)| {
                let color = game.position().turn();
                let time = &place.settings.time;
                let allowance = Allowance::new(&place.state, time, color, &self.habits.pace, place.seen);
                Question { match_id, board, game: game.clone(), allowance }
            });
            mind.think(question);
        }
        let answers: Vec<_> = requests
            .into_iter()
            .map(|request| (request, self.habits.manners.answer(request, game, visit.course.worth)))
            .collect();
        for (request, act) in answers {
            let said = if act == RequestAct::Accept { "accepts" } else { "declines" };
            tracing::info!(table.id = %table, "{said} the request for a {request}");
            self.send(of, Deed::Answer, |cmd| ClientFrame::Request {
                table,
                cmd,
                request,
                act,
                seat: None,
                match_id: None,
            });
        }
    }

    /// Counts a match that is over for it; only once.
    fn over(&mut self, table: TableId) {
        let now = self.manner.clock.now();
        let Some(visit) = self.visits.get_mut(&table) else { return };
        let Some(place) = &visit.place else { return };
        if visit.course.over_at.is_some() {
            return;
        }
        visit.course.over_at = Some(now);
        if let Some(mind) = &visit.mind {
            mind.think(None);
        }
        self.played += 1;
        tracing::info!(table.id = %table, match.id = %place.match_id, "{}", result(place));
    }

    /// After the end: another match, or none.
    fn conclude(&mut self, table: TableId, own: Color) {
        self.over(table);
        let is_left = self.habits.games.is_none_or(|games| self.played + self.count_running() < games);
        let wants = self.habits.manners.rematches;
        let is_willing = !self.is_ending && is_left && wants != Rematches::Decline;
        let Some(visit) = self.visits.get_mut(&table) else { return };
        let Some(place) = &visit.place else { return };
        let of = (table, place.match_id);
        let Course { rematch, .. } = &mut visit.course;
        let act = match &place.state.rematch {
            _ if !is_willing => return self.leave(table, "no match is to be played any more"),
            Some(open) if open.agreed.contains(&own) || *rematch == Rematch::Answered => return,
            Some(_) => {
                *rematch = Rematch::Answered;
                RequestAct::Accept
            }
            None if wants == Rematches::Ask && *rematch == Rematch::Nothing => {
                *rematch = Rematch::Asked;
                RequestAct::Ask
            }
            None => return,
        };
        self.send(of, Deed::Answer, |cmd| ClientFrame::Rematch {
            table,
            cmd,
            act,
            nonce: None,
            seat: None,
            match_id: None,
        });
    }

    fn count_running(&self) -> u32 {
        u32::try_from(self.running().len()).unwrap_or(u32::MAX)
    }
}

/// How a match ended, for people.
fn result(place: &Place) -> String {
    let state = &place.state;
    if let Some(cause) = state.aborted {
        return format!("the match was aborted ({cause})");
    }
    let own = place.own_seats().next().map(|seat| seat.color);
    let own = own.map(|color| color.to_string()).unwrap_or_default();
    let Some(outcome) = &state.outcome else { return format!("out of the match as {own}") };
    let places: Vec<_> = outcome.places.iter().map(|(color, place)| format!("{color} {place}")).collect();
    format!("the match is over ({}), played as {own}; the places: {}", outcome.reason, places.join(", "))
}
