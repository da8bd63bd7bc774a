//! The seat that a command is for: at a hotseat table a user may hold several.

use quadrex_protocol::UserId;
use quadrex_rules::Color;

use crate::rejection::Rejection;
use crate::state::TableState;

impl TableState {
    /// Returns the seat of a command that differs by seat: the named one, else the one to move, else
    /// the only one still in.
    ///
    /// # Errors
    /// If the user does not hold it, or several are possible.
    pub(crate) fn exact_seat(&self, by: UserId, named: Option<Color>) -> Result<Color, Rejection> {
        let color = self.named_or_first_seat(by, named)?;
        if named.is_some() || self.turn() == Some(color) {
            return Ok(color);
        }
        let held: Vec<Color> = self.played_by(by).into_iter().filter(|seat| self.is_in(*seat)).collect();
        if held.len() > 1 { Err(Rejection::WhichSeat { held }) } else { Ok(color) }
    }

    /// Returns the seat of a command that is the same for all seats of a user, or that can only be for
    /// the seat to move.
    ///
    /// # Errors
    /// If the user does not hold the named seat, or holds none.
    pub(crate) fn named_or_first_seat(&self, by: UserId, named: Option<Color>) -> Result<Color, Rejection> {
        let held = self.played_by(by);
        if let Some(color) =
            self.seat_of_substitute(by, named).filter(|color| named == Some(*color) || held.is_empty())
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
