//! The review of one match.

use std::collections::BTreeMap;

use quadrex_protocol::Event;
use quadrex_protocol::analysis::AnalysisLine;
use quadrex_protocol::review::{Review, Swing, SwingKind};
use quadrex_rules::{Color, Game, Move};
use quadrex_table::History;

use crate::bots::Bots;

/// The sum of the chances of all players, in thousandths.
const PER_MILLE: u32 = 1_000;

/// The chance of each player to win, in thousandths.
type Chances = BTreeMap<Color, u32>;

/// The moves and the end of a match: the data from which its review is made.
pub(super) struct MatchReview {
    pub(super) moves: Vec<Played>,
    /// The game at the end; `None` if the match never began.
    pub(super) end: Option<Game>,
    pub(super) places: Option<BTreeMap<Color, u8>>,
}

/// A move that was not taken back, with the game before it.
pub(super) struct Played {
    pub(super) before: Game,
    pub(super) mv: Move,
}

/// The part of the engine that a review uses.
pub(super) trait Judge {
    /// Returns the best line of a position. If `only` is given, the line begins with this move.
    /// Returns `None` if the engine failed.
    async fn line(&self, game: &Game, only: Option<Move>, nodes: u32) -> Option<AnalysisLine>;
}

impl Judge for Bots {
    async fn line(&self, game: &Game, only: Option<Move>, nodes: u32) -> Option<AnalysisLine> {
        self.review_line(game, only, nodes).await
    }
}

impl MatchReview {
    pub(super) fn of(history: &History) -> Self {
        let (mut moves, mut places) = (Vec::new(), None);
        let mut present: Option<Game> = None;
        history.replay_from(0, |entry, state| {
            match &entry.event {
                Event::Moved { mv, .. } => {
                    moves.extend(present.take().map(|before| Played { before, mv: *mv }));
                }
                Event::TakenBack { plies, .. } => {
                    let plies = usize::try_from(*plies).unwrap_or(usize::MAX);
                    moves.truncate(moves.len().saturating_sub(plies));
                }
                Event::Ended { places: ranks, .. } => places = Some(ranks.clone()),
                _ => {}
            }
            present = state.game().cloned();
        });
        Self { moves, end: present, places }
    }

    /// Returns the number of moves.
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// Makes the review. Returns `None` if the engine failed. Calls `report` with the number of
    /// moves that have been reviewed.
    pub(super) async fn review(
        &self,
        nodes: u32,
        judge: &impl Judge,
        report: impl Fn(u32),
    ) -> Option<Review> {
        let mut lines = Vec::with_capacity(self.moves.len());
        for played in &self.moves {
            report(u32::try_from(lines.len()).unwrap_or(u32::MAX));
            lines.push(judge.line(&played.before, None, nodes).await?);
        }
        let mut chances: Vec<Chances> = lines.iter().map(|line| line.chances.clone()).collect();
        chances.push(self.final_chances(nodes, judge).await?);
        let mut swings = Vec::new();
        for ((ply, played), (best, after)) in (1..).zip(&self.moves).zip(lines.iter().zip(&chances[1..])) {
            swings.extend(played.swing(ply, best, after, nodes, judge).await?);
        }
        Some(Review { nodes, chances, swings })
    }

    /// Returns the chances after the last move. If the match has final places, the chances follow
    /// from them. Otherwise they are the chances in the last position.
    async fn final_chances(&self, nodes: u32, judge: &impl Judge) -> Option<Chances> {
        if let Some(places) = &self.places {
            return Some(chances_of_places(places));
        }
        match &self.end {
            Some(game) if !game.is_over() && !game.position().legal_moves().is_empty() => {
                judge.line(game, None, nodes).await.map(|line| line.chances)
            }
            _ => {
                // The last position cannot be searched, for example because it has no legal moves. The
                // chances are those of the last move.
                let last = self.moves.last()?;
                judge.line(&last.before, Some(last.mv), nodes).await.map(|line| line.chances)
            }
        }
    }
}

/// Returns the final places as chances. The players in first place share the whole chance equally.
fn chances_of_places(places: &BTreeMap<Color, u8>) -> Chances {
    let firsts: Vec<Color> =
        places.iter().filter(|(_, place)| **place == 1).map(|(color, _)| *color).collect();
    let count = u32::try_from(firsts.len()).unwrap_or(1).max(1);
    let mut chances: Chances = places.keys().map(|&color| (color, 0)).collect();
    for (index, color) in (0..).zip(firsts) {
        chances.insert(color, PER_MILLE / count + u32::from(index < PER_MILLE % count));
    }
    chances
}

impl Played {
    /// Returns the swing if the move lost so much of the player's chance that it is a swing. The
    /// outer option is `None` if the engine failed.
    ///
    /// The loss is the smaller of two values. The first value is the chance after the best move
    /// less the chance after the played move. Both are searched from the position before the move.
    /// The second value is the drop of the player's chance from this position to the next one. The
    /// first value alone would count errors of the search that the search of the next position
    /// corrects. The second value alone would also count a resignation or an absence after the
    /// move.
    async fn swing(
        &self,
        ply: u32,
        best: &AnalysisLine,
        after: &Chances,
        nodes: u32,
        judge: &impl Judge,
    ) -> Option<Option<Swing>> {
        let color = self.before.position().turn();
        let chance = |chances: &Chances| chances.get(&color).copied().unwrap_or(0);
        let drop = chance(&best.chances).saturating_sub(chance(after));
        let is_best = best.moves.first().is_some_and(|first| first.mv == self.mv);
        if is_best || SwingKind::of_loss(drop).is_none() {
            return Some(None);
        }
        let own = judge.line(&self.before, Some(self.mv), nodes).await?;
        let loss = drop.min(chance(&best.chances).saturating_sub(chance(&own.chances)));
        let moves = best.moves.clone();
        Some(SwingKind::of_loss(loss).map(|kind| Swing { ply, color, kind, loss, best: moves }))
    }
}
