//! Conditional moves: moves that a player of a correspondence match has stored for certain moves of
//! the opponents. They are stored beside the log. The log alone determines which of them can still
//! come true, and which one is due.

use quadrex_protocol::conditional::{
    ConditionalLine, ConditionalStep, MAX_CONDITIONAL_LINES, MAX_CONDITIONAL_STEPS,
};
use quadrex_protocol::settings::TimeSetting;
use quadrex_protocol::{Event, UserId};
use quadrex_rules::{AnyPosition, Color, Move, Verdict};

use crate::history::History;
use crate::illegal_move::IllegalReason;
use crate::rejection::Rejection;
use crate::state::{Stage, TableState};

/// The conditional moves of a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionalMoves {
    /// The color of the seat.
    pub color: Color,
    /// The number of the event after which the first step of each line comes.
    pub after: u64,
    /// The lines. If several apply to the same moves, the first one counts.
    pub lines: Vec<ConditionalLine>,
}

/// The problem of a line of conditional moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineProblem {
    /// It is another color's turn.
    #[error("it is {turn}'s turn there, not {named}'s")]
    NotTurn {
        /// The color to move.
        turn: Color,
        /// The color that the step names.
        named: Color,
    },
    /// The move is illegal.
    #[error("{mv} is not legal there: {reason}")]
    Illegal {
        /// The move.
        mv: Move,
        /// The reason for which the move is illegal.
        reason: IllegalReason,
    },
    /// A step of the player has no move.
    #[error("your own move is missing")]
    NoMove,
    /// A condition of a match of two players has no move.
    #[error("the move of the opponent is missing")]
    AnyOfTwo,
    /// The opponent whose move may be any move cannot pass.
    #[error("no line can go on after any move of {color} here")]
    CannotPass {
        /// The color of the opponent.
        color: Color,
    },
    /// A player may be eliminated by the previous step, or the match may be over.
    #[error("the previous move eliminates a player or ends the match, so nothing can follow")]
    AfterEnd,
    /// The line has no steps, or too many.
    #[error("a line has 1 to {MAX_CONDITIONAL_STEPS} steps")]
    Length,
    /// The last step is not a move of the player.
    #[error("a line ends with a move of your own")]
    OpenEnd,
}

impl TableState {
    /// Returns whether the players have days for each turn.
    #[must_use]
    pub fn is_correspondence(&self) -> bool {
        matches!(self.terms().settings.time, TimeSetting::Correspondence { .. })
    }

    /// Validates the conditional moves that a user wants to store. They replace those that the seat
    /// has. `after` is the number of the last event that the client had received.
    ///
    /// # Errors
    /// Returns the reason for which the lines are refused.
    pub fn decide_conditional_moves(
        &self,
        by: UserId,
        named_seat: Option<Color>,
        after: u64,
        lines: &[ConditionalLine],
    ) -> Result<ConditionalMoves, Rejection> {
        let color = self.exact_seat(by, named_seat)?;
        let position = self.running_game()?.position();
        if !self.is_correspondence() {
            return Err(Rejection::NotCorrespondence);
        }
        if !position.is_playing(color) {
            return Err(Rejection::Rules(quadrex_rules::Rejection::Eliminated { color }));
        }
        let moves = ConditionalMoves { color, after: self.head(), lines: lines.to_vec() };
        if lines.is_empty() {
            return Ok(moves);
        }
        self.check_board_known(after)?;
        if position.turn() == color {
            return Err(Rejection::OwnTurn);
        }
        if lines.len() > MAX_CONDITIONAL_LINES {
            return Err(Rejection::TooManyLines { count: lines.len() });
        }
        for (line, steps) in (1..).zip(lines) {
            check_line(position, color, steps).map_err(|(step, problem)| Rejection::ConditionalLine {
                line,
                step,
                problem,
            })?;
        }
        Ok(moves)
    }

    /// Returns the position after the steps of a line. After a step without a move, the opponent has
    /// not moved. `after` is the number of the last event that the client had received.
    ///
    /// # Errors
    /// Returns the reason for which there is no such position.
    pub fn conditional_position(
        &self,
        after: u64,
        steps: &[ConditionalStep],
    ) -> Result<AnyPosition, Rejection> {
        let position = self.running_game()?.position();
        self.check_board_known(after)?;
        let at = |(step, problem)| Rejection::ConditionalLine { line: 1, step, problem };
        if steps.len() > MAX_CONDITIONAL_STEPS {
            return Err(at((steps.len(), LineProblem::Length)));
        }
        position_after(position, steps).map_err(at)
    }
}

impl History {
    /// Returns the lines of conditional moves that can still come true: those whose first steps are
    /// the moves since they were stored. A takeback and the elimination of a player end all lines.
    #[must_use]
    pub fn possible_lines(&self, moves: &ConditionalMoves) -> Vec<ConditionalLine> {
        let Some(played) = self.plies_after(moves.after) else { return Vec::new() };
        let is_possible = |line: &&ConditionalLine| {
            line.len() > played.len() && line.iter().zip(&played).all(|(step, ply)| is_met(step, ply))
        };
        moves.lines.iter().filter(is_possible).cloned().collect()
    }

    /// Returns the steps that are left of the lines that can still come true. They come after the last
    /// event.
    #[must_use]
    pub fn remaining_lines(&self, moves: &ConditionalMoves) -> Vec<ConditionalLine> {
        let played = self.plies_after(moves.after).unwrap_or_default().len();
        self.possible_lines(moves).into_iter().map(|line| line[played..].to_vec()).collect()
    }

    /// Returns the conditional move that is due now: it is the turn of the seat, and all conditions
    /// of the move are met.
    #[must_use]
    pub fn due_conditional_move(&self, moves: &ConditionalMoves) -> Option<Move> {
        let state = self.state();
        if state.turn() != Some(moves.color) || state.is_suspended() {
            return None;
        }
        let played = self.plies_after(moves.after)?.len();
        let line = self.possible_lines(moves).into_iter().next()?;
        line.get(played).filter(|step| step.color == moves.color)?.mv
    }

    /// Returns the number of the event with the last move up to the event `seq`.
    #[must_use]
    pub fn last_move_up_to(&self, seq: u64) -> Option<u64> {
        let is_move = |event: &Event| matches!(event, Event::Moved { .. });
        let entry = self.entries().iter().rfind(|entry| entry.seq <= seq && is_move(&entry.event))?;
        Some(entry.seq)
    }

    /// Returns the moves after an event. Returns `None` if the board has changed otherwise, or if no
    /// match runs.
    fn plies_after(&self, after: u64) -> Option<Vec<(Color, Move)>> {
        if !matches!(self.state().stage(), Stage::Running(_)) {
            return None;
        }
        let mut plies = Vec::new();
        for entry in self.entries().iter().rev().take_while(|entry| entry.seq > after) {
            match &entry.event {
                Event::Moved { color, mv, .. } => plies.push((*color, *mv)),
                Event::TakenBack { .. } | Event::Eliminated { .. } | Event::Started { .. } => return None,
                _ => {}
            }
        }
        plies.reverse();
        Some(plies)
    }
}

fn is_met(step: &ConditionalStep, (color, mv): &(Color, Move)) -> bool {
    step.color == *color && step.mv.is_none_or(|expected| expected == *mv)
}

/// Checks a line of a color. An error contains the number of the step, from 1.
fn check_line(
    position: &AnyPosition,
    color: Color,
    steps: &[ConditionalStep],
) -> Result<(), (usize, LineProblem)> {
    if !(1..=MAX_CONDITIONAL_STEPS).contains(&steps.len()) {
        return Err((steps.len(), LineProblem::Length));
    }
    if let Some(index) = steps.iter().position(|step| step.color == color && step.mv.is_none()) {
        return Err((index + 1, LineProblem::NoMove));
    }
    position_after(position, steps)?;
    let ends_with_own_move = steps.last().is_some_and(|step| step.color == color);
    if ends_with_own_move { Ok(()) } else { Err((steps.len(), LineProblem::OpenEnd)) }
}

/// Returns the position after these steps. An error contains the number of the step, from 1.
fn position_after(
    position: &AnyPosition,
    steps: &[ConditionalStep],
) -> Result<AnyPosition, (usize, LineProblem)> {
    let mut position = position.clone();
    let players = position.active_players().count();
    for (number, step) in (1..).zip(steps) {
        let goes_on = position.active_players().count() == players && position.verdict() == Verdict::Plays;
        if !goes_on || position.is_dead() {
            return Err((number, LineProblem::AfterEnd));
        }
        take_step(&mut position, step).map_err(|problem| (number, problem))?;
    }
    Ok(position)
}

fn take_step(position: &mut AnyPosition, step: &ConditionalStep) -> Result<(), LineProblem> {
    let turn = position.turn();
    match step.mv {
        _ if step.color != turn => Err(LineProblem::NotTurn { turn, named: step.color }),
        Some(mv) if position.is_legal(mv) => {
            position.play(mv);
            Ok(())
        }
        Some(mv) => Err(LineProblem::Illegal { mv, reason: IllegalReason::of(position, mv) }),
        None => {
            *position = passed(position)?;
            Ok(())
        }
    }
}

/// Returns the position in which the player to move has passed.
fn passed(position: &AnyPosition) -> Result<AnyPosition, LineProblem> {
    let turn = position.turn();
    let colors = position.variant().colors();
    if colors.len() <= 2 {
        return Err(LineProblem::AnyOfTwo);
    }
    let cannot_pass = LineProblem::CannotPass { color: turn };
    let place = |color: Color| colors.iter().position(|&other| other == color);
    let place = place(turn).expect("the color to move is a color of the variant");
    let after = |count: usize| colors[(place + count) % colors.len()];
    let next = (1..colors.len()).map(after).find(|&color| position.is_playing(color));
    let mut setup = position.setup().with_turn(next.ok_or_else(|| cannot_pass.clone())?);
    // The player who passes could have captured en passant only now (RULES D3).
    setup.double_steps[after(colors.len() / 2)] = None;
    AnyPosition::new(&setup).map_err(|_| cannot_pass)
}
