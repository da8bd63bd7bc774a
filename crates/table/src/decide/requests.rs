//! Decisions about requests to which all remaining players must agree (RULES G9, S4). The crate
//! `quadrex-rules` decides which requests and answers the game allows. This module adds the
//! conditions that depend on the table.

use quadrex_protocol::user::UserView;
use quadrex_protocol::{Event, RequestAction};
use quadrex_rules::{Color, Game, GameCommand, Request, Timestamp};

use crate::rejection::Rejection;
use crate::replay_error::ReplayError;
use crate::state::TableState;

impl TableState {
    /// Decides a request, or an answer to one.
    pub(crate) fn decide_request(
        &self,
        by: &UserView,
        named_seat: Option<Color>,
        request: Request,
        action: RequestAction,
        now: Timestamp,
    ) -> Result<Vec<Event>, Rejection> {
        let color = match action {
            RequestAction::Ask => self.exact_seat(by.id, named_seat)?,
            RequestAction::Accept | RequestAction::Decline => self.named_or_first_seat(by.id, named_seat)?,
        };
        let is_casual = matches!(request, Request::Takeback | Request::Pause);
        if is_casual && action == RequestAction::Ask && self.terms().settings.rated {
            return Err(Rejection::RequestAtRated { request });
        }
        if request == Request::Pause && action != RequestAction::Decline {
            self.check_may_pause()?;
        }
        match action {
            RequestAction::Ask => self.agree_for_all(by, GameCommand::Ask { request, color }, request, now),
            RequestAction::Accept => {
                self.agree_for_all(by, GameCommand::Agree { request, color }, request, now)
            }
            RequestAction::Decline => self.decide_by_rules(&GameCommand::Decline { request, color }, now),
        }
    }

    /// Decides the request or agreement of one seat. Adds the agreement of all other remaining
    /// seats of the same person, because people do not have to answer their own requests. A bot
    /// with several seats decides for each seat separately.
    fn agree_for_all(
        &self,
        by: &UserView,
        first: GameCommand,
        request: Request,
        now: Timestamp,
    ) -> Result<Vec<Event>, Rejection> {
        let mut game = self.running_game()?.clone();
        let mut decided = game.decide(&first, now).map_err(Rejection::Rules)?;
        decided.iter().for_each(|event| game.apply(event, now));
        let own_seats = if by.is_server_bot() { Vec::new() } else { self.played_by(by.id) };
        for color in own_seats {
            let has_to_agree = game.request(request).is_some_and(|open| !open.agreed.contains(&color));
            if has_to_agree && game.position().is_playing(color) {
                let agreed =
                    game.decide(&GameCommand::Agree { request, color }, now).map_err(Rejection::Rules)?;
                agreed.iter().for_each(|event| game.apply(event, now));
                decided.extend(agreed);
            }
        }
        let is_pause_agreed = request == Request::Pause && game.request(request).is_none();
        let paused = is_pause_agreed.then_some(Event::Paused {});
        Ok(self.events_of(decided, now).into_iter().chain(paused).collect())
    }
}

/// Checks that the player of `color` can make, accept or decline a request at this point of the
/// log. The caller has checked that this player is still in the match.
pub(super) fn check_request(
    game: &Game,
    request: Request,
    action: RequestAction,
    color: Color,
) -> Result<(), ReplayError> {
    let fits = match (action, game.request(request)) {
        (RequestAction::Ask, open) => open.is_none(),
        (RequestAction::Accept, open) => open.is_some_and(|open| !open.agreed.contains(&color)),
        (RequestAction::Decline, open) => open.is_some(),
    };
    if fits { Ok(()) } else { Err(ReplayError::Request(request, color)) }
}
