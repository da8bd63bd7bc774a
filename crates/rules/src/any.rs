//! A position of any variant, for callers that do not know the variant at compile time.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::color::Color;
use crate::mv::Move;
use crate::position::Position;
use crate::reserve::Reserve;
use crate::role::Piece;
use crate::setup::{Setup, SetupError};
use crate::square::Square;
use crate::variant::{Variant, VariantRules, types};
use crate::verdict::Verdict;
use crate::with_position;

/// Defines [`AnyPosition`] and its functions that name each variant.
macro_rules! define {
    ($($module:ident::$variant:ident,)+) => {
        /// A playable position of any variant.
        ///
        /// Equality follows the repetition rule, like the equality of [`Position`] (rule G10).
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum AnyPosition {
            $(
                #[doc = concat!("Of the variant [`", stringify!($variant), "`](crate::", stringify!($variant), ").")]
                $variant(Position<types::$variant>),
            )+
        }

        impl AnyPosition {
            /// Validates a set-up. Validation eliminates no player, so the player to move may be
            /// checkmated in the new position.
            ///
            /// # Errors
            /// Returns a [`SetupError`] with the invalid field and the reason, if the set-up is not
            /// a valid position.
            pub fn new(setup: &Setup) -> Result<Self, SetupError> {
                Ok(match setup.variant {
                    $(Variant::$variant => Self::$variant(Position::new(setup)?),)+
                })
            }

            /// The variant.
            #[must_use]
            pub fn variant(&self) -> Variant {
                match self {
                    $(Self::$variant(_) => types::$variant::VARIANT,)+
                }
            }

            /// Returns the squares whose content differs between the two positions, with their
            /// present content. If `before` is of another variant, returns every square.
            #[must_use]
            pub fn changed_since(&self, before: &Self) -> Vec<(Square, Option<Piece>)> {
                match (self, before) {
                    $((Self::$variant(now), Self::$variant(before)) => now.changed_since(before).collect(),)+
                    _ => self.variant().board().squares().map(|square| (square, self.piece_at(square))).collect(),
                }
            }
        }
    };
}

crate::for_each_variant!([define]);

impl AnyPosition {
    /// The player to move.
    #[must_use]
    pub fn turn(&self) -> Color {
        with_position!(self, position => position.turn())
    }

    /// Returns the piece on a square.
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        with_position!(self, position => position.piece_at(square))
    }

    /// Every piece with its square, in the order of squares.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.variant().board().squares().filter_map(|square| Some((square, self.piece_at(square)?)))
    }

    /// The players still in the match, in turn order from White or Red. In `classic` these are
    /// always both players.
    pub fn active_players(&self) -> impl Iterator<Item = Color> + '_ {
        self.variant().colors().iter().copied().filter(|&color| self.is_playing(color))
    }

    /// Returns whether a color of this variant is still in the match.
    #[must_use]
    pub fn is_playing(&self, color: Color) -> bool {
        self.variant().colors().contains(&color)
            && with_position!(self, position => position.is_playing(color.index()))
    }

    /// The colors whose king is attacked by a player still in the match, in turn order (rule G7).
    pub fn checks(&self) -> impl Iterator<Item = Color> + '_ {
        self.active_players().filter(|&color| self.checked_by(color).next().is_some())
    }

    /// The players whose pieces attack the king of `color`, in turn order (rule D12).
    pub fn checked_by(&self, color: Color) -> Box<dyn Iterator<Item = Color> + '_> {
        with_position!(self, position => Box::new(position.checked_by(color)))
    }

    /// Returns every attack on the king of a player still in the match (rule G7), as the attacker's
    /// square and the king's square. The list begins with the attacks on the first king in turn
    /// order.
    #[must_use]
    pub fn attacks_on_kings(&self) -> Vec<(Square, Square)> {
        with_position!(self, position => position.attacks_on_kings().collect())
    }

    /// Returns the lost pieces of `color` that a promotion may bring back (rule D5). The reserve is
    /// empty in `classic` and for eliminated players.
    #[must_use]
    pub fn reserve(&self, color: Color) -> Reserve {
        with_position!(self, position => position.reserve(color))
    }

    /// Returns every legal move of the player to move, in an order that is the same each run.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        with_position!(self, position => position.legal_moves())
    }

    /// Returns the legal moves of the piece on one square.
    #[must_use]
    pub fn moves_from(&self, from: Square) -> Vec<Move> {
        let mut moves = self.legal_moves();
        moves.retain(|mv| mv.from == from);
        moves
    }

    /// Returns whether a move is legal, without generating the other moves.
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        with_position!(self, position => position.is_legal(mv))
    }

    /// Plays a legal move and passes the turn. As long as the player to move is checkmated,
    /// eliminates this player and passes the turn again (rule D8).
    ///
    /// [`Game`](crate::Game) handles draws and clocks.
    ///
    /// # Panics
    /// Panics if the move is not legal.
    pub fn play(&mut self, mv: Move) {
        with_position!(self, position => position.play(mv));
    }

    /// Returns the verdict on the player to move.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        with_position!(self, position => position.verdict())
    }

    /// Returns whether no player can checkmate any more (rules C5, D13).
    #[must_use]
    pub fn is_dead(&self) -> bool {
        with_position!(self, position => position.is_dead())
    }

    /// The pinned pieces of the player to move, in the order of cells (rule G6).
    #[must_use]
    pub fn pinned(&self) -> Vec<Square> {
        with_position!(self, position => position.pinned().collect())
    }

    /// The players, without the player to move, who would be mated if it were their turn now (rule
    /// D8).
    #[must_use]
    pub fn facing_mate(&self) -> Vec<Color> {
        with_position!(self, position => position.facing_mate().collect())
    }

    /// Returns those of `legal_moves` that end the match as a draw because the next player is
    /// stalemated (rules C4, D9). `legal_moves` are the moves of [`AnyPosition::legal_moves`].
    #[must_use]
    pub fn stalemating_moves(&self, legal_moves: &[Move]) -> Vec<Move> {
        with_position!(self, position => position.stalemating_moves(legal_moves))
    }

    /// Returns the captures en passant of a neighbor's pawn that the player to move could make if
    /// rule D3 allowed them.
    #[must_use]
    pub fn neighbor_en_passant(&self) -> Vec<Move> {
        with_position!(self, position => position.neighbor_en_passant())
    }

    /// Returns the position as a set-up. A position does not know the causes of eliminations;
    /// [`Game::setup`](crate::Game::setup) does.
    #[must_use]
    pub fn setup(&self) -> Setup {
        with_position!(self, position => position.setup())
    }

    /// Returns a hash of everything that the repetition rule compares (rule G10). Equal positions
    /// have equal hashes on every machine.
    #[must_use]
    pub fn hash(&self) -> u64 {
        with_position!(self, position => position.hash())
    }

    /// The number of plies since the last pawn move, capture or elimination (rule D14).
    #[must_use]
    pub fn halfmove_clock(&self) -> u32 {
        with_position!(self, position => position.halfmove_clock())
    }

    /// Returns the number of legal move sequences of `depth` moves (RULES, "Counting sequences").
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        with_position!(self, position => position.perft(depth))
    }

    /// Makes a move and passes the turn, without eliminating anyone. Returns false and changes
    /// nothing if the move is not legal.
    pub(crate) fn make(&mut self, mv: Move) -> bool {
        with_position!(self, position => position.make(mv))
    }

    /// Eliminates a player who is still in the match (rules D8, D11).
    pub(crate) fn eliminate(&mut self, color: Color) {
        with_position!(self, position => position.eliminate(color.index()));
    }

    /// Returns true if a defeated player is eliminated while the other players play on, and false
    /// if a defeat ends the match.
    pub(crate) fn goes_on_after_defeat(&self) -> bool {
        with_position!(self, position => position.goes_on_after_defeat())
    }

    /// Returns whether a color has only its king left (rule C6).
    pub(crate) fn has_bare_king(&self, color: Color) -> bool {
        with_position!(self, position => position.has_bare_king(color.index()))
    }
}
