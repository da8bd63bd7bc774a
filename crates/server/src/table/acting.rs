//! For which seat a person acts: at a hotseat table one may hold several.

use quadrex_protocol::UserId;
use quadrex_rules::Color;

use super::command::Rejection;
use super::seating::Seat;
use super::state::{Stage, TableState};

impl TableState {
    /// The seats a person holds, in turn order.
    #[must_use]
    pub fn seats_of(&self, user: UserId) -> Vec<Color> {
        let holds = |seat: &&Seat| seat.holder.as_ref().is_some_and(|holder| holder.id == user);
        self.seats().iter().filter(holds).map(|seat| seat.color).collect()
    }

    /// Whether a person holds a seat.
    #[must_use]
    pub fn sits(&self, user: UserId) -> bool {
        self.seats().iter().any(|seat| seat.holder.as_ref().is_some_and(|holder| holder.id == user))
    }

    /// Whether a seat still plays: always, but for those who have gone out of a match that runs.
    pub(super) fn is_in(&self, color: Color) -> bool {
        match self.stage() {
            Stage::Open | Stage::Ended(_) => true,
            Stage::Running(game) => game.position().is_in(color),
        }
    }

    /// The seat for which a person does what is another thing for another seat: the one named, else the one to move,
    /// else the only one still in.
    ///
    /// # Errors
    /// When the person does not hold it, or it is not clear which one is meant.
    pub(super) fn acting(&self, by: UserId, named: Option<Color>) -> Result<Color, Rejection> {
        let color = self.any_seat(by, named)?;
        if named.is_some() || self.turn() == Some(color) {
            return Ok(color);
        }
        let held: Vec<Color> = self.played_by(by).into_iter().filter(|seat| self.is_in(*seat)).collect();
        if held.len() > 1 { Err(Rejection::WhichSeat { held }) } else { Ok(color) }
    }

    /// The same for what is one thing for all of a person's seats, or can only be for the seat to move: never unclear.
    ///
    /// # Errors
    /// When the person does not hold the seat named, or none.
    pub(super) fn any_seat(&self, by: UserId, named: Option<Color>) -> Result<Color, Rejection> {
        let held = self.played_by(by);
        if let Some(color) =
            self.stood_in_for(by, named).filter(|color| named == Some(*color) || held.is_empty())
        {
            return Err(Rejection::StoodIn { color });
        }
        if let Some(color) = named {
            return match self.seats().iter().any(|seat| seat.color == color) {
                _ if held.contains(&color) => Ok(color),
                true => Err(Rejection::NotYourSeat { color }),
                false => Err(Rejection::NoSuchSeat { color }),
            };
        }
        let to_move = held.iter().find(|color| self.turn() == Some(**color));
        let still_in = held.iter().find(|color| self.is_in(**color));
        to_move.or(still_in).or(held.first()).copied().ok_or(Rejection::NotSeated)
    }
}
