//! Positions of special interest, and the facts that prove their features.

use quadrex_rules::{AnyPosition, Color, Setup, Variant, Verdict};

use self::Fact::{After, Check, Illegal, In, Judged, KingOnly, Legal, NothingPending, Pending};

/// A position, its purpose, and its numbers of legal move sequences.
pub(crate) struct Special {
    /// The numbers of the rules it is about, and its features.
    pub(crate) holds: &'static str,
    pub(crate) variant: Variant,
    pub(crate) fen4: &'static str,
    /// The facts that must hold.
    pub(crate) facts: &'static [Fact],
    /// For 1 to 4 moves. Counted by two generators that share no code: the crate's and the slow one
    /// beside this file.
    pub(crate) counts: [u64; 4],
}

/// A fact about a position.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fact {
    /// The king of a color is attacked by these players, in turn order.
    Check(Color, &'static [Color]),
    /// All these moves are legal.
    Legal(&'static str),
    /// None of these moves is.
    Illegal(&'static str),
    /// The player to move can move its king and nothing else.
    KingOnly,
    /// A color's double step may be captured en passant: the passed square and the pawn's.
    Pending(Color, &'static str),
    /// A color's double step may not be captured en passant, or there was none.
    NothingPending(Color),
    /// The players still in the match.
    In(&'static [Color]),
    /// The verdict on the player to move.
    Judged(Verdict),
    /// These moves can be played, and then these facts hold.
    After(&'static str, &'static [Fact]),
}

impl Special {
    pub(crate) fn position(&self) -> AnyPosition {
        let setup =
            Setup::parse(self.variant, self.fen4).unwrap_or_else(|error| panic!("{}: {error}", self.holds));
        assert_eq!(setup.to_string(), self.fen4, "{}", self.holds);
        AnyPosition::new(&setup).unwrap_or_else(|error| panic!("{}: {error}", self.holds))
    }

    pub(crate) fn assert_facts(&self) {
        assert!(!self.facts.is_empty(), "{}", self.holds);
        for fact in self.facts {
            self.assert_fact(&self.position(), fact);
        }
    }

    fn assert_fact(&self, position: &AnyPosition, fact: &Fact) {
        let step =
            |color| position.setup().double_steps[color].map(|step| format!("{}:{}", step.passed, step.pawn));
        let legal = |text: &str| position.is_legal(text.parse().expect("a move's text"));
        let listed = |text: &str| position.legal_moves().contains(&text.parse().expect("a move's text"));
        let context = format!("{fact:?} in {}: {}", position.setup(), self.holds);
        match *fact {
            Check(color, by) => assert_eq!(position.checked_by(color).collect::<Vec<_>>(), by, "{context}"),
            Legal(moves) => {
                for text in moves.split(' ') {
                    assert!(legal(text) && listed(text), "{text}: {context}");
                }
            }
            Illegal(moves) => {
                for text in moves.split(' ') {
                    assert!(!legal(text) && !listed(text), "{text}: {context}");
                }
            }
            KingOnly => {
                let moves = position.legal_moves();
                let king = |square| position.piece_at(square).is_some_and(|piece| piece.role.letter() == 'K');
                assert!(!moves.is_empty() && moves.iter().all(|mv| king(mv.from)), "{context}");
            }
            Pending(color, expected) => assert_eq!(step(color).as_deref(), Some(expected), "{context}"),
            NothingPending(color) => assert_eq!(step(color), None, "{context}"),
            In(players) => assert_eq!(position.active_players().collect::<Vec<_>>(), players, "{context}"),
            Judged(verdict) => assert_eq!(position.verdict(), verdict, "{context}"),
            After(moves, facts) => {
                let mut after = position.clone();
                for text in moves.split(' ') {
                    after.play(text.parse().expect("a move's text"));
                }
                for fact in facts {
                    self.assert_fact(&after, fact);
                }
            }
        }
    }
}
