//! Conditional moves of correspondence matches: each one that is made was stored by its player and not
//! replaced before, and one whose conditions are met is made at once.

use std::time::Duration;

use quadrex_protocol::conditional::{ConditionalLine, ConditionalStep};
use quadrex_protocol::{CommandId, Event, MatchId, UserId};
use quadrex_rules::{Color, Move};
use quadrex_store::LoggedEvent;
use quadrex_tests::referee::Referee;

use super::Auditor;
use super::time::Outages;

/// The time within which a conditional move is made if nothing fails.
const MADE_WITHIN: Duration = Duration::from_secs(10);

/// The beginning of the ids of the commands that make conditional moves.
const COMMAND: &str = "conditional-";

/// All requests of users to store conditional moves, in the order in which they were sent.
#[derive(Clone, Debug, Default)]
pub(super) struct ConditionalMoves(Vec<Request>);

/// A request to store the conditional moves of the only seat of a user.
#[derive(Clone, Debug)]
struct Request {
    user: UserId,
    match_id: MatchId,
    /// The last event that the user had received.
    after: u64,
    lines: Vec<ConditionalLine>,
    /// The last event that was committed when the request was sent.
    sent_head: u64,
    /// The answer; `None` if there is none, and the request may still be executed.
    answer: Option<Answer>,
}

/// The answer to a request.
#[derive(Clone, Copy, Debug)]
struct Answer {
    is_stored: bool,
    /// The last event that was committed when the answer arrived.
    head: u64,
    /// The number of requests that had been sent by then.
    requests: usize,
}

impl Auditor {
    /// Records a request to store conditional moves before it is sent. Returns its number.
    pub(crate) fn conditional_moves_sent(
        &self,
        user: UserId,
        match_id: MatchId,
        after: u64,
        lines: &[ConditionalLine],
    ) -> usize {
        let sent_head = self.0.commits.committed_head(match_id).unwrap_or(after);
        let requests = &mut self.lock().conditional_moves.0;
        requests.push(Request { user, match_id, after, lines: lines.to_vec(), sent_head, answer: None });
        requests.len() - 1
    }

    /// Records the answer to a request.
    pub(crate) fn conditional_moves_answered(&self, number: usize, is_stored: bool) {
        let requests = &mut self.lock().conditional_moves.0;
        let sent = requests.len();
        let Some(request) = requests.get_mut(number) else { return };
        let head = self.0.commits.committed_head(request.match_id).unwrap_or(request.after);
        request.answer = Some(Answer { is_stored, head, requests: sent });
    }
}

impl ConditionalMoves {
    /// Returns whether a command makes a conditional move.
    pub(super) fn is_command(command: &CommandId) -> bool {
        command.as_str().starts_with(COMMAND)
    }

    /// Compares the log of a match with the conditional moves of its players. Returns what is wrong. If the
    /// outages are not known, conditional moves may be late.
    pub(super) fn check(
        &self,
        match_id: MatchId,
        log: &[LoggedEvent],
        outages: Option<&Outages>,
    ) -> Vec<String> {
        let mut wrong = Vec::new();
        for (index, row) in log.iter().enumerate() {
            let (Some(command), Some(user)) = (&row.command_id, row.by) else { continue };
            if Self::is_command(command) && !self.is_stored(match_id, user, &log[..=index]) {
                wrong.push(format!("{command} makes a move in event {} that is not stored", row.seq));
            }
        }
        if let Some(outages) = outages {
            let requests = self.0.iter().enumerate().filter(|(_, request)| request.match_id == match_id);
            wrong.extend(requests.filter_map(|(number, _)| self.unmade(number, log, outages)));
        }
        wrong
    }

    /// Returns whether a user may have stored the last move of a log before it was made.
    fn is_stored(&self, match_id: MatchId, user: UserId, log: &[LoggedEvent]) -> bool {
        let Some(index) = log.iter().rposition(|row| matches!(row.event, Event::Moved { .. })) else {
            return false;
        };
        let (before, LoggedEvent { seq, event, .. }) = (&log[..index], &log[index]);
        self.0.iter().enumerate().any(|(number, request)| {
            (request.match_id, request.user) == (match_id, user)
                && request.answer.is_none_or(|answer| answer.is_stored)
                && !self.is_replaced(number, *seq)
                && moves_after(before, request.after)
                    .and_then(|played| next_step(&request.lines, &played))
                    .is_some_and(
                        |step| matches!(event, Event::Moved { color, mv, .. } if is_met(&step, *color, *mv)),
                    )
        })
    }

    /// Returns whether the user has certainly stored other moves before an event.
    fn is_replaced(&self, number: usize, seq: u64) -> bool {
        let Some(Answer { requests, .. }) = self.0[number].answer else { return false };
        self.others(number).any(|(other, request)| {
            other >= requests && request.answer.is_some_and(|answer| answer.is_stored && answer.head < seq)
        })
    }

    /// Returns the other requests of the same user for the same match.
    fn others(&self, number: usize) -> impl Iterator<Item = (usize, &Request)> {
        let Request { user, match_id, .. } = self.0[number];
        let others = self.0.iter().enumerate();
        others.filter(move |(other, request)| {
            *other != number && (request.user, request.match_id) == (user, match_id)
        })
    }

    /// Returns what is wrong if a move was not made at once although its conditions were met.
    fn unmade(&self, number: usize, log: &[LoggedEvent], outages: &Outages) -> Option<String> {
        let request = &self.0[number];
        let answer = request.answer.filter(|answer| answer.is_stored)?;
        // An earlier request may be executed late, and a later one early.
        let is_refused = |other: &Request| other.answer.is_some_and(|answer| !answer.is_stored);
        let mut others = self.others(number).filter(|(_, other)| !is_refused(other));
        let is_before = |other: &Request| other.answer.is_some_and(|earlier| earlier.requests <= number);
        if others.any(|(other, earlier)| other < number && !is_before(earlier)) {
            return None;
        }
        let mut later = self.others(number).filter(|(other, later)| *other > number && !is_refused(later));
        let until = later.next().map_or(u64::MAX, |(_, later)| later.sent_head);
        if until < answer.head {
            return None;
        }
        let color = request.lines.first()?.last()?.color;
        let (mut referee, mut played) = (Referee::default(), Vec::new());
        for (index, row) in log.iter().enumerate() {
            referee.observe(row.seq, row.at.as_millis(), &row.event).ok()?;
            if row.seq <= request.after {
                continue;
            }
            match &row.event {
                Event::Moved { color, mv, .. } => played.push((*color, *mv)),
                event if keeps_lines(event) => continue,
                _ => return None,
            }
            let position = referee.game().filter(|game| !game.is_over())?.position();
            let step = next_step(&request.lines, &played)?;
            let Some(mv) = step.mv.filter(|_| step.color == color && position.turn() == color) else {
                continue;
            };
            let following = log[index + 1..].iter().find(|row| !keeps_lines(&row.event))?;
            if matches!(following.event, Event::Moved { color, mv, .. } if is_met(&step, color, mv)) {
                continue;
            }
            let passed = following.at.since(row.at);
            let is_late = passed > MADE_WITHIN + outages.covered(row.at, following.at);
            let is_due = position.is_legal(mv) && following.seq <= until;
            return (is_late && is_due).then(|| {
                format!(
                    "{color} had stored {mv}, and nothing was played for {passed:?} after event {}",
                    row.seq
                )
            });
        }
        None
    }
}

/// Returns whether the board, the players and the clocks are the same after an event.
fn keeps_lines(event: &Event) -> bool {
    matches!(
        event,
        Event::HostChanged { .. }
            | Event::Requested { .. }
            | Event::Declined { .. }
            | Event::MessageSent { .. }
            | Event::Interrupted { .. }
            | Event::VacationStarted { .. }
            | Event::VacationEnded { .. }
    )
}

/// Returns the moves after an event; `None` if all lines were dropped since.
fn moves_after(log: &[LoggedEvent], after: u64) -> Option<Vec<(Color, Move)>> {
    let mut moves = Vec::new();
    for row in log.iter().filter(|row| row.seq > after) {
        match row.event {
            Event::Moved { color, mv, .. } => moves.push((color, mv)),
            Event::TakenBack { .. } | Event::Eliminated { .. } | Event::Started { .. } => return None,
            _ => {}
        }
    }
    Some(moves)
}

/// Returns the step that follows these moves in the first line to which they belong.
fn next_step(lines: &[ConditionalLine], played: &[(Color, Move)]) -> Option<ConditionalStep> {
    let is_possible = |line: &&ConditionalLine| {
        line.len() > played.len()
            && line.iter().zip(played).all(|(step, (color, mv))| is_met(step, *color, *mv))
    };
    lines.iter().find(is_possible)?.get(played.len()).copied()
}

fn is_met(step: &ConditionalStep, color: Color, mv: Move) -> bool {
    step.color == color && step.mv.is_none_or(|expected| expected == mv)
}

#[cfg(test)]
mod tests;
