//! What the bot does about what it hears: no line and no time in here, only frames in and frames out.

mod conduct;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use anyhow::{Result, bail};
use quadrex_driver::{Answer, claims_draw};
use quadrex_protocol::view::{Entry, Phase};
use quadrex_protocol::{ClientFrame, CmdId, MatchId, RefusalCode, ServerFrame, TableId, UserId};
use quadrex_rules::Color;
use quadrex_server::entropy::Entropy;
use tokio::sync::mpsc;

use super::allowance::Pace;
use super::goal::Goal;
use super::http::is_passing;
use super::lobby::Lobby;
use super::manners::Manners;
use super::mind::{Manner, Thought};
use super::place::{Confusion, Place};
use super::unanswered::{Deed, Sent, Unanswered};
use super::visit::Visit;

/// How long it waits after a match whether somebody wants another.
const REMATCH_PATIENCE: Duration = Duration::from_secs(60);

/// How long it waits at a table of others for the match to begin.
const OPEN_PATIENCE: Duration = Duration::from_secs(600);

/// How long it waits for a table before it asks again.
const WATCH_PATIENCE: Duration = Duration::from_secs(10);

/// How often in a row a move may be refused: it can have come too late, but not again and again.
const MOST_REFUSALS: u32 = 5;

/// How it plays.
#[derive(Debug)]
pub(super) struct Habits {
    pub(super) goal: Goal,
    pub(super) seat: Option<Color>,
    pub(super) games: Option<u32>,
    pub(super) at_once: u32,
    pub(super) manners: Manners,
    pub(super) pace: Pace,
}

/// The bot.
#[derive(Debug)]
pub(super) struct Bot {
    me: UserId,
    habits: Habits,
    manner: Manner,
    entropy: Entropy,
    thoughts: mpsc::Sender<Thought>,
    visits: BTreeMap<TableId, Visit>,
    unanswered: Unanswered,
    lobby: Lobby,
    /// Tables where it does not sit again.
    shunned: BTreeSet<TableId>,
    /// Matches that are over for it.
    played: u32,
    is_ending: bool,
    outbox: Vec<ClientFrame>,
}

impl Bot {
    pub(super) fn new(
        me: UserId,
        habits: Habits,
        manner: Manner,
        entropy: Entropy,
        thoughts: mpsc::Sender<Thought>,
    ) -> Self {
        Self {
            me,
            habits,
            manner,
            entropy,
            thoughts,
            visits: BTreeMap::new(),
            unanswered: Unanswered::default(),
            lobby: Lobby::default(),
            shunned: BTreeSet::new(),
            played: 0,
            is_ending: false,
            outbox: Vec::new(),
        }
    }

    /// What is to be sent.
    pub(super) fn take_outbox(&mut self) -> Vec<ClientFrame> {
        std::mem::take(&mut self.outbox)
    }

    /// Goes to a table.
    pub(super) fn visit(&mut self, table: TableId, invite: Option<String>) {
        let now = self.manner.clock.now();
        let visit = Visit::new(table, invite, self.habits.seat, now);
        self.outbox.push(watch(&visit));
        self.visits.insert(table, visit);
    }

    /// There is a new line: everything is asked for from where it broke, and what had no answer is said again.
    pub(super) fn connected(&mut self) {
        let now = self.manner.clock.now();
        self.outbox.clear();
        for visit in self.visits.values_mut() {
            // Of one that is known already the server tells only what was missed, which may be nothing.
            visit.asked_at = visit.place.is_none().then_some(now);
            self.outbox.push(watch(visit));
        }
        self.outbox.extend(self.unanswered.all());
        if matches!(self.habits.goal, Goal::Seek(_)) && !self.is_ending {
            self.outbox.push(ClientFrame::WatchLobby {});
        }
        self.seek();
    }

    /// Whether there is nothing left to do.
    pub(super) fn is_done(&self) -> bool {
        let is_enough = self.is_enough() || self.is_ending;
        let is_at_table = matches!(self.habits.goal, Goal::At(_));
        self.visits.is_empty() && self.unanswered.is_empty() && (is_enough || is_at_table)
    }

    /// Whether it may open a table.
    pub(super) fn wants_table(&self) -> bool {
        matches!(self.habits.goal, Goal::Open(_)) && self.has_room()
    }

    /// Sits at no more tables, and leaves those where no match runs; how many matches run.
    pub(super) fn end(&mut self) -> usize {
        self.is_ending = true;
        if matches!(self.habits.goal, Goal::Seek(_)) {
            self.outbox.push(ClientFrame::UnwatchLobby {});
        }
        let idle: Vec<TableId> = self.tables(|visit| !visit.is_playing());
        idle.into_iter().for_each(|table| self.leave(table, "the bot ends"));
        self.running().len()
    }

    /// The tables where a match runs.
    pub(super) fn running(&self) -> Vec<TableId> {
        self.tables(Visit::is_playing)
    }

    fn tables(&self, is_meant: impl Fn(&Visit) -> bool) -> Vec<TableId> {
        self.visits.values().filter(|visit| is_meant(visit)).map(|visit| visit.table).collect()
    }

    fn is_enough(&self) -> bool {
        self.habits.games.is_some_and(|games| self.played >= games)
    }

    /// Whether one more match may begin, beside those at the tables where it is.
    fn has_room(&self) -> bool {
        let visits = u32::try_from(self.visits.len()).unwrap_or(u32::MAX);
        let is_left = self.habits.games.is_none_or(|games| self.played + visits < games);
        !self.is_ending && is_left && visits < self.habits.at_once
    }

    /// Hears a frame.
    ///
    /// # Errors
    /// When it cannot go on.
    pub(super) fn hear(&mut self, frame: ServerFrame) -> Result<()> {
        self.lobby.take(&frame);
        match frame {
            ServerFrame::Snapshot { table, match_id, seq, view } => {
                let now = self.manner.clock.now();
                let Some(visit) = self.visits.get_mut(&table) else { return Ok(()) };
                match Place::new((match_id, seq), *view, self.me, now) {
                    Ok(place) => visit.arrive(place),
                    Err(error) => {
                        bail!("the match {match_id} at the table {table} cannot be followed: {error}")
                    }
                }
                self.unanswered.forget(table, Some(match_id));
                self.consider(table)?;
            }
            ServerFrame::Event { table, match_id, entry, state, legal } => {
                let now = self.manner.clock.now();
                let is_it = |place: &Place| place.match_id == match_id;
                let follow = |place: &mut Place, entry: &Entry| place.take(entry, state, legal, now);
                self.follow(table, |place| if is_it(place) { follow(place, &entry) } else { Ok(()) })?;
            }
            ServerFrame::Skip { table, seq, match_id } => {
                let is_it = |place: &Place| place.match_id == match_id;
                self.follow(table, |place| if is_it(place) { place.skip(seq) } else { Ok(()) })?;
            }
            ServerFrame::Ack { cmd, .. } => self.acknowledged(&cmd)?,
            ServerFrame::Refused { cmd: Some(cmd), code, message, .. } => {
                self.refused(&cmd, code, &message)?;
            }
            ServerFrame::Refused { cmd: None, table: Some(table), code, message, .. } => {
                // What was too much at once is asked for again.
                if !is_passing(code) && self.visits.contains_key(&table) {
                    self.drop_visit(table, &format!("the server does not show it: {message}"))?;
                }
            }
            ServerFrame::Refused { message, .. } => tracing::warn!("the server refused a frame: {message}"),
            ServerFrame::Pong { heads } => {
                for (table, head) in heads {
                    let is_behind = |place: &Place| place.match_id != head.match_id || place.seq < head.seq;
                    let visit = self.visits.get(&table);
                    if let Some(visit) = visit.filter(|visit| visit.place.as_ref().is_some_and(is_behind)) {
                        self.outbox.push(watch(visit));
                    }
                }
            }
            ServerFrame::Lobby { .. } | ServerFrame::LobbyTable { .. } | ServerFrame::LobbyGone { .. } => {
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

    /// Looks after what time brings. To be called every second or so.
    ///
    /// # Errors
    /// When it cannot go on.
    pub(super) fn tick(&mut self) -> Result<()> {
        let now = self.manner.clock.now();
        self.outbox.extend(self.unanswered.due(now));
        for visit in self.visits.values_mut() {
            if visit.asked_at.is_some_and(|asked| now.since(asked) >= WATCH_PATIENCE) {
                visit.asked_at = Some(now);
                self.outbox.push(watch(visit));
            }
        }
        let is_tired = |visit: &Visit| {
            let waits = visit.place.as_ref().is_some_and(|place| place.state.phase == Phase::Open);
            let is_over = visit.course.over_at.is_some_and(|over| now.since(over) >= REMATCH_PATIENCE);
            is_over || waits && now.since(visit.since) >= OPEN_PATIENCE
        };
        for table in self.tables(is_tired) {
            let is_over = self.visits.get(&table).is_some_and(|visit| visit.course.over_at.is_some());
            if is_over {
                self.leave(table, "nobody wanted another match");
            } else if matches!(self.habits.goal, Goal::Seek(_)) {
                self.shunned.insert(table);
                self.leave(table, "the match did not begin");
            }
        }
        self.seek();
        Ok(())
    }

    /// Takes what the engine found.
    ///
    /// # Errors
    /// When the engine is of no more use.
    pub(super) fn thought(&mut self, thought: Thought) -> Result<()> {
        let Thought { table, match_id, board, answer } = thought;
        let Answer { mv, worth } = match answer {
            Ok(answer) => answer,
            Err(broken) => {
                bail!(
                    "{broken}. The match at the table {table} goes on without it: started again with the same token, it plays on"
                )
            }
        };
        let Some(visit) = self.visits.get_mut(&table) else { return Ok(()) };
        let Some(place) = visit.place.as_ref().filter(|place| place.match_id == match_id) else {
            return Ok(());
        };
        // While it thought, moves may have been taken back, or the match paused.
        let Some(legal) =
            place.legal.as_ref().filter(|_| place.board == board && place.state.frozen.is_none())
        else {
            return Ok(());
        };
        if !legal.contains(&mv) {
            bail!(
                "the engine moves {mv} at the table {table}, which our rules allow and the server's do not: is one of both out of date?"
            );
        }
        let course = &mut visit.course;
        course.worth = worth.or(course.worth);
        let claims = place.state.claimable
            && course.vain_claim != Some(board)
            && claims_draw(place.is_among_bots(), course.worth);
        let (of, at) = ((table, match_id), place.seq);
        if claims {
            self.send(of, Deed::Claim(board), |cmd| ClientFrame::ClaimDraw {
                table,
                cmd,
                seat: None,
                match_id: None,
            });
        } else {
            let mv =
                |cmd| ClientFrame::Move { table, cmd, at, mv, claim_draw: false, seat: None, match_id: None };
            self.send(of, Deed::Move, mv);
        }
        Ok(())
    }

    /// Gives a command a name and sends it.
    fn send(&mut self, of: (TableId, MatchId), deed: Deed, frame: impl FnOnce(CmdId) -> ClientFrame) {
        let cmd = self.entropy.uuid(self.manner.clock.now()).to_string();
        let cmd: CmdId = cmd.parse().expect("a UUID names a command");
        let frame = frame(cmd.clone()).for_match(of.1);
        self.outbox.push(frame.clone());
        self.unanswered.push(of, cmd, deed, frame);
    }

    fn follow(
        &mut self,
        table: TableId,
        take: impl FnOnce(&mut Place) -> Result<(), Confusion>,
    ) -> Result<()> {
        let Some(visit) = self.visits.get_mut(&table) else { return Ok(()) };
        let Some(place) = &mut visit.place else { return Ok(()) };
        match take(place) {
            Ok(()) => self.consider(table),
            // It came twice, or one is missing: the server says which it was.
            Err(Confusion::Gap { seq, last }) if seq <= last => Ok(()),
            Err(Confusion::Gap { .. }) => {
                self.outbox.push(watch(visit));
                Ok(())
            }
            Err(error) => {
                bail!("the match {} at the table {table} cannot be followed: {error}", place.match_id)
            }
        }
    }

    fn acknowledged(&mut self, cmd: &CmdId) -> Result<()> {
        let Some(Sent { table, deed, .. }) = self.unanswered.answered(cmd) else { return Ok(()) };
        if let (Deed::Move, Some(visit)) = (deed, self.visits.get_mut(&table)) {
            visit.course.refusals = 0;
        }
        if deed == Deed::Leave { self.drop_visit(table, "") } else { Ok(()) }
    }

    fn refused(&mut self, cmd: &CmdId, code: RefusalCode, message: &str) -> Result<()> {
        let Some(sent) = self.unanswered.answered(cmd) else { return Ok(()) };
        if is_passing(code) {
            self.unanswered.put_off(sent, self.manner.clock.now());
            return Ok(());
        }
        let Sent { table, deed, .. } = sent;
        let Some(visit) = self.visits.get_mut(&table) else { return Ok(()) };
        match deed {
            Deed::Leave => self.drop_visit(table, "")?,
            Deed::Sit => {
                let is_race = matches!(code, RefusalCode::SeatTaken | RefusalCode::TableFull);
                if !is_race {
                    self.shunned.insert(table);
                }
                self.drop_visit(table, &format!("there is no seat to be had: {message}"))?;
            }
            Deed::Move | Deed::Claim(_) => {
                tracing::info!(table.id = %table, "the server did not take it: {message}");
                visit.course.refusals += 1;
                if visit.course.refusals > MOST_REFUSALS {
                    bail!("the server refuses move after move at the table {table}: {message}");
                }
                if let Deed::Claim(board) = deed {
                    visit.course.vain_claim = Some(board);
                }
                // The table is looked at anew, and what is still to be done is thought about again.
                if let Some(mind) = &visit.mind {
                    mind.think(None);
                }
                visit.asked_at = Some(self.manner.clock.now());
                self.outbox.push(watch_anew(visit));
            }
            Deed::Answer => tracing::debug!(table.id = %table, "the server did not take it: {message}"),
        }
        Ok(())
    }

    /// Goes to a table that fits, if there is one.
    fn seek(&mut self) {
        let Goal::Seek(wish) = &self.habits.goal else { return };
        if self.has_room()
            && let Some(table) = self.lobby.best(wish, self.me, &self.shunned)
            && !self.visits.contains_key(&table)
        {
            self.visit(table, None);
        }
    }
}

/// Asks for a table from where it is known.
fn watch(visit: &Visit) -> ClientFrame {
    let known = visit.place.as_ref();
    let (match_id, after) = (known.map(|place| place.match_id), known.map(|place| place.seq));
    ClientFrame::Watch { table: visit.table, match_id, after, key: visit.invite.clone(), glance: false }
}

/// Asks for all of a table.
fn watch_anew(visit: &Visit) -> ClientFrame {
    let (table, key) = (visit.table, visit.invite.clone());
    ClientFrame::Watch { table, match_id: None, after: None, key, glance: false }
}
