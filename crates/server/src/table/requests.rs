//! Requests: what all players still in must agree to (RULES G9, S4). Their life is the rules' own; here they meet the
//! table.

use quadrex_protocol::user::UserView;
use quadrex_protocol::view::RequestView;
use quadrex_protocol::{Event, RequestAction};
use quadrex_rules::{Color, Game, GameCommand, Request, Timestamp};

use super::command::Rejection;
use super::history::Misfit;
use super::state::TableState;

impl TableState {
    pub(super) fn decide_request(
        &self,
        by: &UserView,
        named: Option<Color>,
        request: Request,
        action: RequestAction,
        now: Timestamp,
    ) -> Result<Vec<Event>, Rejection> {
        let color = match action {
            RequestAction::Ask => self.acting(by.id, named)?,
            RequestAction::Accept | RequestAction::Decline => self.any_seat(by.id, named)?,
        };
        if request == Request::Takeback && self.terms().settings.rated {
            return Err(Rejection::TakebackRated);
        }
        if request == Request::Pause && action != RequestAction::Decline {
            self.may_pause()?;
        }
        match action {
            RequestAction::Ask => self.agree_for_all(by, GameCommand::Ask { request, color }, request, now),
            RequestAction::Accept => {
                self.agree_for_all(by, GameCommand::Agree { request, color }, request, now)
            }
            RequestAction::Decline => self.ask_rules(&GameCommand::Decline { request, color }, now),
        }
    }

    /// Asking or agreeing with one seat, and with it agreeing for all others that the person holds and that are still
    /// in: nobody answers the own request. A bot in several seats is of a mind of its own in each.
    fn agree_for_all(
        &self,
        by: &UserView,
        first: GameCommand,
        request: Request,
        now: Timestamp,
    ) -> Result<Vec<Event>, Rejection> {
        let mut game = self.running()?.clone();
        let mut decided = game.decide(&first, now).map_err(Rejection::Rules)?;
        decided.iter().for_each(|event| game.apply(event, now));
        let others = if by.is_served() { Vec::new() } else { self.played_by(by.id) };
        for color in others {
            let waits = game.request(request).is_some_and(|open| !open.agreed.contains(&color));
            if waits && game.position().is_in(color) {
                let agreed =
                    game.decide(&GameCommand::Agree { request, color }, now).map_err(Rejection::Rules)?;
                agreed.iter().for_each(|event| game.apply(event, now));
                decided.extend(agreed);
            }
        }
        let is_given = request == Request::Pause && game.request(request).is_none();
        let paused = is_given.then_some(Event::Paused {});
        Ok(decided.into_iter().map(Event::from_rules).chain(paused).collect())
    }
}

/// Whether `color`, who is still in, can have done this about a request.
pub(super) fn misfit(
    game: &Game,
    request: Request,
    action: RequestAction,
    color: Color,
) -> Result<(), Misfit> {
    let fits = match (action, game.request(request)) {
        (RequestAction::Ask, open) => open.is_none(),
        (RequestAction::Accept, open) => open.is_some_and(|open| !open.agreed.contains(&color)),
        (RequestAction::Decline, open) => open.is_some(),
    };
    if fits { Ok(()) } else { Err(Misfit::Request(request, color)) }
}

/// The open requests, as all see them.
pub(super) fn requests_view(game: &Game) -> Vec<RequestView> {
    let view = |request| {
        let open = game.request(request)?;
        Some(RequestView { request, by: open.by, agreed: open.agreed.clone() })
    };
    Request::ALL.into_iter().filter_map(view).collect()
}
