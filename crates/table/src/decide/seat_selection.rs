//! The selection of the seat for which a command is meant. At a hotseat table a user may hold
//! several seats.

use quadrex_protocol::UserId;
use quadrex_rules::Color;

use crate::rejection::Rejection;
use crate::state::TableState;

impl TableState {
    /// Returns the seat for a command whose effect depends on the seat. This is the named seat. If
    /// none is named, it is the user's seat whose turn it is, or otherwise the user's only seat
    /// that is still in the match.
    ///
    /// # Errors
    /// Returns an error if the user does not hold the seat, or if several seats are possible.
    pub(crate) fn exact_seat(&self, by: UserId, named_seat: Option<Color>) -> Result<Color, Rejection> {
        let color = self.named_or_first_seat(by, named_seat)?;
        if named_seat.is_some() || self.turn() == Some(color) {
            return Ok(color);
        }
        let held_seats: Vec<Color> =
            self.played_by(by).into_iter().filter(|seat| self.is_playing(*seat)).collect();
        if held_seats.len() > 1 { Err(Rejection::WhichSeat { held: held_seats }) } else { Ok(color) }
    }

    /// Returns the seat for a command that has the same effect for all seats of a user, or that
    /// only the player to move may send. This is the named seat. If none is named, it is the user's
    /// seat whose turn it is, or otherwise the user's first seat, preferably one that is still in
    /// the match.
    ///
    /// # Errors
    /// Returns an error if the user does not hold the named seat, or holds no seat.
    pub(crate) fn named_or_first_seat(
        &self,
        by: UserId,
        named_seat: Option<Color>,
    ) -> Result<Color, Rejection> {
        let held_seats = self.played_by(by);
        if let Some(color) = self
            .seat_of_substitute(by, named_seat)
            .filter(|color| named_seat == Some(*color) || held_seats.is_empty())
        {
            return Err(Rejection::ReplacedByBot { color });
        }
        if let Some(color) = named_seat {
            return match self.seats().iter().any(|seat| seat.color == color) {
                _ if held_seats.contains(&color) => Ok(color),
                true => Err(Rejection::NotYourSeat { color }),
                false => Err(Rejection::NoSuchSeat { color }),
            };
        }
        let to_move = held_seats.iter().find(|color| self.turn() == Some(**color));
        let still_in = held_seats.iter().find(|color| self.is_playing(**color));
        to_move.or(still_in).or(held_seats.first()).copied().ok_or(Rejection::NotSeated)
    }
}
