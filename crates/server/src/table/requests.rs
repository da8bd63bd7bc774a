//! Requests: what all players still in must agree to (RULES G9, S4). Their life is the rules' own; here they meet the
//! table.

use quadrex_protocol::view::RequestView;
use quadrex_protocol::{Event, RequestAct, UserId};
use quadrex_rules::{Color, Game, GameCommand, Request, Timestamp};

use super::command::Rejection;
use super::history::Misfit;
use super::state::TableState;

impl TableState {
    pub(super) fn decide_request(
        &self,
        by: UserId,
        request: Request,
        act: RequestAct,
        now: Timestamp,
    ) -> Result<Vec<Event>, Rejection> {
        let color = self.player(by)?;
        if request == Request::Takeback && self.terms().settings.rated {
            return Err(Rejection::TakebackRated);
        }
        if request == Request::Pause && act != RequestAct::Decline {
            self.may_pause()?;
        }
        let command = match act {
            RequestAct::Ask => GameCommand::Ask { request, color },
            RequestAct::Accept => GameCommand::Agree { request, color },
            RequestAct::Decline => GameCommand::Decline { request, color },
        };
        let mut events = self.ask_rules(&command, now)?;
        if act == RequestAct::Accept && self.pauses_with(request, color) {
            events.push(Event::Paused {});
        }
        Ok(events)
    }

    /// Whether all have agreed to a pause once `color` has.
    fn pauses_with(&self, request: Request, color: Color) -> bool {
        let open = self.game().filter(|_| request == Request::Pause).and_then(|game| game.request(request));
        open.is_some_and(|open| open.is_completed_by(color, self.position()))
    }
}

/// Whether `color`, who is still in, can have done this about a request.
pub(super) fn misfit(game: &Game, request: Request, act: RequestAct, color: Color) -> Result<(), Misfit> {
    let fits = match (act, game.request(request)) {
        (RequestAct::Ask, open) => open.is_none(),
        (RequestAct::Accept, open) => open.is_some_and(|open| !open.agreed.contains(&color)),
        (RequestAct::Decline, open) => open.is_some(),
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
