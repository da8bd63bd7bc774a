//! A client's copy of a table: a snapshot to which events are applied. After each event the copy is
//! compared with the rules.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use quadrex_protocol::chat::Room;
use quadrex_protocol::view::{Entry, OutcomeView, Phase, ReserveView, SeatView, StateView, TableView};
use quadrex_protocol::{Event, MatchId, PieceCode, StatePatch, UserId};
use quadrex_rules::{Color, GameCommand, Move, Reason, Request, Square, Timestamp};

use crate::referee::Referee;

/// The largest number of messages of bystanders in a snapshot.
const MAX_BYSTANDER_MESSAGES: usize = 200;

/// A client's copy of a table.
#[derive(Clone, Debug)]
pub struct TableMirror {
    match_id: MatchId,
    seq: u64,
    view: TableView,
    referee: Referee,
    /// True if the last move must have claimed a draw, so that the end of the match follows. This
    /// client is to move but has no legal moves.
    must_end: bool,
    /// The number of the last missed event that the server sends again. Only this event has legal
    /// moves.
    missed: u64,
}

impl TableMirror {
    /// Returns the copy for a snapshot, after checking it: the history must be complete, must lead
    /// from the start position to the pieces, and must be allowed by the rules.
    ///
    /// # Errors
    /// If the snapshot is wrong.
    pub fn new(match_id: MatchId, seq: u64, view: TableView) -> Result<Self> {
        let mut referee = Referee::default();
        let mut pieces = view.start.clone();
        for entry in &view.history {
            while referee.seq() + 1 < entry.seq {
                referee.skip(referee.seq() + 1)?;
            }
            referee.observe(entry.seq, entry.at_ms, &entry.event)?;
            write_over(&mut pieces, entry);
        }
        let is_whole = referee.seq() == seq && view.history.len() as u64 == seq;
        ensure!(
            is_whole || !view.your_seats.is_empty(),
            "events are missing, though nothing is kept from those who only watch"
        );
        while referee.seq() < seq {
            referee.skip(referee.seq() + 1)?;
        }
        ensure!(
            referee.seq() == seq,
            "the snapshot has the head {seq}, but its history ends at {}",
            referee.seq()
        );
        ensure!(pieces == view.pieces, "the history does not give the pieces");
        let watched = Self { match_id, seq, view, referee, must_end: false, missed: 0 };
        watched.check().with_context(|| format!("the snapshot at {seq}"))?;
        Ok(watched)
    }

    /// Applies the next event. `me` is the user of this copy.
    ///
    /// # Errors
    /// If the event is not the next one, or differs from the rules.
    pub fn take(
        &mut self,
        entry: &Entry,
        changed: &StatePatch,
        legal: Option<&Vec<Move>>,
        me: Option<UserId>,
    ) -> Result<()> {
        ensure!(entry.seq == self.seq + 1, "event {} follows {}", entry.seq, self.seq);
        let is_end = matches!(entry.event, Event::Ended { .. });
        ensure!(
            is_end || !self.must_end,
            "the player to move has no legal moves, and no claim ended the match"
        );
        self.referee.observe(entry.seq, entry.at_ms, &entry.event)?;
        write_over(&mut self.view.pieces, entry);
        match &entry.event {
            Event::Seated { color, user, .. } => {
                self.seat(*color)?.user = Some(user.clone());
            }
            Event::Vacated { color, .. } => self.seat(*color)?.user = None,
            Event::Substituted { color, bot } => self.seat(*color)?.substitute = Some(bot.clone()),
            Event::Returned { color } => self.seat(*color)?.substitute = None,
            Event::HostChanged { host } => self.view.host = host.clone(),
            Event::Started { seats, .. } => {
                ensure!(self.view.start == self.view.pieces, "the start position differs");
                for (color, user) in seats {
                    self.seat(*color)?.user = Some(user.clone());
                }
            }
            _ => {}
        }
        let held = |seat: &&SeatView| seat.user.as_ref().is_some_and(|user| Some(user.id) == me);
        self.view.your_seats = self.view.seats.iter().filter(held).map(|seat| seat.color).collect();
        self.seq = entry.seq;
        self.view.history.push(entry.clone());
        self.view.state.merge(changed.clone());
        self.view.legal_moves = legal.cloned();
        let state = &self.view.state;
        let is_my_turn = state.turn.is_some_and(|turn| self.is_mine_to_move(turn));
        self.must_end = self.referee.may_end_by_claim() && is_my_turn && legal.is_none();
        ensure!(entry.checks == state.checks, "{:?} are in check, or {:?}?", entry.checks, state.checks);
        self.check().with_context(|| format!("after event {}, {:?}", entry.seq, entry.event))
    }

    /// Sets the number up to which missed events are expected.
    ///
    /// # Errors
    /// If it is of another match, or less than the number of the last known event.
    pub fn go_on(&mut self, match_id: MatchId, seq: u64) -> Result<()> {
        ensure!(match_id == self.match_id, "{match_id} goes on where {} was asked for", self.match_id);
        ensure!(seq >= self.seq, "it resumes at {seq}, before the known event {}", self.seq);
        self.missed = seq;
        Ok(())
    }

    /// Counts an event that this client may not see.
    ///
    /// # Errors
    /// If it is not the next event, or of another match.
    pub fn skip(&mut self, match_id: MatchId, seq: u64) -> Result<()> {
        ensure!(
            !self.view.your_seats.is_empty(),
            "{seq} is skipped, though nothing is kept from those who only watch"
        );
        ensure!(match_id == self.match_id, "a skip of {match_id} in {}", self.match_id);
        self.referee.skip(seq)?;
        self.seq = seq;
        Ok(())
    }

    /// Returns true if this client moves for a color, because no bot substitutes for it.
    fn is_mine_to_move(&self, color: Color) -> bool {
        let stands_in = |seat: &SeatView| seat.color == color && seat.substitute.is_some();
        self.view.your_seats.contains(&color) && !self.view.seats.iter().any(stands_in)
    }

    fn seat(&mut self, color: Color) -> Result<&mut SeatView> {
        let seat = self.view.seats.iter_mut().find(|seat| seat.color == color);
        seat.with_context(|| format!("the view has no seat {color}"))
    }

    /// Checks that this copy is a later state of the same match, or of another match. The events of an
    /// anonymous match may have other names, and of many messages of bystanders only the last ones are
    /// in a snapshot.
    ///
    /// # Errors
    /// If an event of the earlier state is missing or has changed.
    pub fn ensure_continues(&self, earlier: &Self) -> Result<()> {
        let may_differ = self.view.settings.anonymous;
        let is_same = |one: &Entry, other: &Entry| {
            if may_differ { (one.seq, one.at_ms) == (other.seq, other.at_ms) } else { one == other }
        };
        if self.match_id == earlier.match_id {
            let is_of_bystanders =
                |entry: &&Entry| matches!(entry.event, Event::MessageSent { room: Room::Bystanders, .. });
            let mut of_bystanders = self.view.history.iter().filter(is_of_bystanders);
            let first_complete = of_bystanders.nth_back(MAX_BYSTANDER_MESSAGES - 1).map(|entry| entry.seq);
            let may_lack = |entry: &Entry| is_of_bystanders(&entry) && Some(entry.seq) < first_complete;
            let mut later = self.view.history.iter();
            let missing = earlier
                .view
                .history
                .iter()
                .find(|entry| !may_lack(entry) && !later.any(|it| is_same(it, entry)));
            ensure!(missing.is_none(), "the snapshot lacks the earlier event {missing:?}");
        }
        Ok(())
    }

    /// Returns the id of the match.
    pub fn match_id(&self) -> MatchId {
        self.match_id
    }

    /// Returns the number of the last event.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// Returns the current view of the table.
    pub fn view(&self) -> &TableView {
        &self.view
    }

    /// Returns the current state.
    pub fn state(&self) -> &StateView {
        &self.view.state
    }

    /// Returns the referee, which knows the state according to the rules.
    pub fn referee(&self) -> &Referee {
        &self.referee
    }

    /// Compares the server's state with the rules.
    fn check(&self) -> Result<()> {
        let (state, referee) = (&self.view.state, &self.referee);
        ensure!(state.closed == referee.is_closed(), "closed is {}", state.closed);
        ensure!(self.view.pieces == referee.pieces()?, "the board differs from the rules");
        for seat in &self.view.seats {
            let held = seat.user.as_ref().map(|user| user.id.to_string());
            ensure!(
                held.as_ref() == referee.seats().get(&seat.color),
                "seat {} is held by {held:?}",
                seat.color
            );
        }
        let Some(game) = referee.game() else {
            let phase = if referee.is_closed() { Phase::Ended } else { Phase::Open };
            ensure!(state.phase == phase && state.turn.is_none(), "not {phase:?}: {state:?}");
            ensure!(state.active_players == referee.colors()?, "a player is missing: {state:?}");
            return Ok(());
        };
        let position = game.position();
        let turn = (!game.is_over()).then(|| position.turn());
        ensure!(state.turn == turn, "the turn is {turn:?}, not {:?}", state.turn);
        let phase = if turn.is_some() { Phase::Running } else { Phase::Ended };
        ensure!(state.phase == phase, "the phase is {phase:?}, not {:?}", state.phase);
        let active_players: Vec<Color> = position.active_players().collect();
        ensure!(
            state.active_players == active_players,
            "{active_players:?} are in, not {:?}",
            state.active_players
        );
        let checks: Vec<Color> = position.checks().collect();
        ensure!(state.checks == checks, "{checks:?} are in check, not {:?}", state.checks);
        let facing_mate = if turn.is_some() { position.facing_mate() } else { Vec::new() };
        ensure!(state.facing_mate == facing_mate, "{facing_mate:?} face mate, not {:?}", state.facing_mate);
        let eliminated: Vec<_> = game.eliminated().iter().map(|out| (out.color, out.cause)).collect();
        let shown: Vec<_> = state.eliminated.iter().map(|out| (out.color, out.cause)).collect();
        ensure!(shown == eliminated, "{eliminated:?} are out, not {shown:?}");
        let outcome = game
            .outcome()
            .map(|outcome| OutcomeView { reason: outcome.reason, places: outcome.places.iter().collect() });
        ensure!(state.outcome == outcome, "the outcome is {outcome:?}, not {:?}", state.outcome);
        let is_stalemate = outcome.as_ref().is_some_and(|outcome| outcome.reason == Reason::Stalemate);
        let stalemated = is_stalemate.then(|| position.turn());
        ensure!(state.stalemated == stalemated, "{stalemated:?} cannot move, not {:?}", state.stalemated);
        ensure!(state.aborted == game.aborted(), "aborted for {:?}, not {:?}", game.aborted(), state.aborted);
        let open = |request| game.request(request).map(|open| (request, open.by, open.agreed.clone()));
        let open: Vec<_> = Request::ALL.into_iter().filter_map(open).collect();
        let shown = state.requests.iter().map(|open| (open.request, open.by, open.agreed.clone()));
        ensure!(
            shown.clone().eq(open.iter().cloned()),
            "open is {open:?}, not {:?}",
            shown.collect::<Vec<_>>()
        );
        self.check_reserves()?;
        if self.referee.is_settled() { self.check_choices(turn) } else { Ok(()) }
    }

    fn check_reserves(&self) -> Result<()> {
        let position = self.referee.game().context("not started")?.position();
        for (&color, &ReserveView { rooks, bishops, knights }) in &self.view.state.reserves {
            let reserve = position.reserve(color);
            let expected = (reserve.rooks, reserve.bishops, reserve.knights);
            ensure!(expected == (rooks, bishops, knights), "{color}'s reserve is {reserve:?}");
        }
        // The history must lead to the same reserves.
        let mut shown: BTreeMap<Color, ReserveView> = BTreeMap::new();
        shown.extend(self.view.history.iter().flat_map(|entry| &entry.reserves));
        for (color, reserve) in &self.view.state.reserves {
            let walked = shown.get(color).copied().unwrap_or_default();
            ensure!(walked == *reserve, "{color}'s reserve is {reserve:?}, but the history tells {walked:?}");
        }
        Ok(())
    }

    /// Compares the offers to the player to move with the rules: the legal moves, and the right to
    /// claim a draw.
    fn check_choices(&self, turn: Option<Color>) -> Result<()> {
        let game = self.referee.game().context("not started")?;
        let at = Timestamp::from_millis(self.view.history.last().map_or(0, |entry| entry.at_ms));
        let claim = |color| game.decide(&GameCommand::ClaimDraw { color }, at).is_ok();
        ensure!(self.view.state.can_claim_draw == turn.is_some_and(claim), "`can_claim_draw` is wrong");
        match (&self.view.legal_moves, turn.is_some_and(|turn| self.is_mine_to_move(turn))) {
            (Some(legal), true) => {
                let (mut shown, mut expected) = (legal.clone(), game.position().legal_moves());
                let key = |mv: &Move| mv.to_string();
                shown.sort_by_key(key);
                expected.sort_by_key(key);
                ensure!(shown == expected, "the legal moves differ");
            }
            (None, true) if self.must_end || self.seq < self.missed => {}
            (None, true) => anyhow::bail!("no legal moves for the player to move, {turn:?}"),
            (Some(_), false) => anyhow::bail!("legal moves for another player than the one to move"),
            (None, false) => {}
        }
        Ok(())
    }
}

/// Applies the changed squares of an event to the pieces, as every client does.
fn write_over(pieces: &mut BTreeMap<Square, PieceCode>, entry: &Entry) {
    for (square, piece) in &entry.squares {
        match piece {
            Some(piece) => pieces.insert(*square, *piece),
            None => pieces.remove(square),
        };
    }
}
