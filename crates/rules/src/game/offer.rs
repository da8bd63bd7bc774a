//! Things everybody still in must agree to: draws (G9) and takebacks (S4).

use alloc::vec::Vec;

use crate::any::AnyPosition;
use crate::color::{ByColor, Color};

/// What everybody still in is asked to agree to, and who has agreed so far.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OpenOffer {
    /// Who asked.
    pub by: Color,
    /// Who has agreed, the asker included, in the order of agreeing.
    pub accepted: Vec<Color>,
}

impl OpenOffer {
    /// The offer as it is made.
    pub(super) fn new(by: Color) -> Self {
        Self { by, accepted: Vec::from([by]) }
    }

    /// Whether everybody still in has agreed once `color` has too.
    pub(super) fn completed_by(&self, color: Color, position: &AnyPosition) -> bool {
        position.players_in().all(|player| player == color || self.accepted.contains(&player))
    }
}

/// The open draw offer, and who may still make one: each player one per own turn (G9).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DrawOffers {
    pub(super) open: Option<OpenOffer>,
    spent: ByColor<bool>,
}

impl DrawOffers {
    pub(super) fn none() -> Self {
        Self { open: None, spent: ByColor::from_fn(|_| false) }
    }

    /// Whether `color` has used the offer of its turn.
    pub(super) fn is_spent(&self, color: Color) -> bool {
        self.spent[color]
    }

    pub(super) fn make(&mut self, by: Color) {
        self.open = Some(OpenOffer::new(by));
        self.spent[by] = true;
    }

    /// `color`'s turn has come: its offer lapses and it may make another.
    pub(super) fn turn_comes(&mut self, color: Color) {
        self.spent[color] = false;
        if self.open.as_ref().is_some_and(|offer| offer.by == color) {
            self.open = None;
        }
    }

    /// Whatever is open lapses.
    pub(super) fn lapse(&mut self) {
        self.open = None;
    }
}
