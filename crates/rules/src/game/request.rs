//! Requests that need the consent of every player still in the match: draws (rule G9), takebacks
//! (rule S4), pauses and aborts.

use alloc::vec::Vec;
use core::fmt;

use crate::any::AnyPosition;
use crate::color::{ByColor, Color};

/// A kind of request that needs the consent of every player still in the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Request {
    /// The match ends, and all players still in it share the best place (rule G9).
    Draw,
    /// The match returns to the position before the requesting player's last move (rule S4).
    Takeback,
    /// The match pauses. The game counts the players who agree, and the table starts the pause.
    Pause,
    /// The match ends without a result.
    Abort,
}

impl Request {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Draw, Self::Takeback, Self::Pause, Self::Abort];
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Draw => "draw",
            Self::Takeback => "takeback",
            Self::Pause => "pause",
            Self::Abort => "abort",
        })
    }
}

/// An open request, and the players who have agreed so far.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OpenRequest {
    /// The requesting player.
    pub by: Color,
    /// The players who have agreed, in the order of their agreement. The requesting player is the
    /// first.
    pub agreed: Vec<Color>,
}

impl OpenRequest {
    /// Returns whether every player still in the match has agreed once `color` agrees.
    #[must_use]
    pub fn is_completed_by(&self, color: Color, position: &AnyPosition) -> bool {
        position.active_players().all(|player| player == color || self.agreed.contains(&player))
    }
}

/// The requests of all kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Requests {
    draw: RequestState,
    takeback: RequestState,
    pause: RequestState,
    abort: RequestState,
}

/// The state of one kind of request: the open request, and for each player whether it has made a
/// request of this kind since its last turn began. A player may make one request of a kind in that
/// time (rule G9).
#[derive(Clone, Debug, PartialEq, Eq)]
struct RequestState {
    open: Option<OpenRequest>,
    used_by: ByColor<bool>,
}

impl Requests {
    pub(super) fn none() -> Self {
        let state = || RequestState { open: None, used_by: ByColor::from_fn(|_| false) };
        Self { draw: state(), takeback: state(), pause: state(), abort: state() }
    }

    /// Returns the open request of this kind.
    pub(super) fn open(&self, request: Request) -> Option<&OpenRequest> {
        self.of(request).open.as_ref()
    }

    /// Returns whether `color` has made a request of this kind since its last turn began.
    pub(super) fn is_used(&self, request: Request, color: Color) -> bool {
        self.of(request).used_by[color]
    }

    pub(super) fn ask(&mut self, request: Request, by: Color) {
        let state = self.of_mut(request);
        state.open = Some(OpenRequest { by, agreed: Vec::from([by]) });
        state.used_by[by] = true;
    }

    pub(super) fn agree(&mut self, request: Request, color: Color) {
        if let Some(open) = &mut self.of_mut(request).open {
            open.agreed.push(color);
        }
    }

    /// Closes the open request of this kind.
    pub(super) fn close(&mut self, request: Request) {
        self.of_mut(request).open = None;
    }

    /// Closes all open requests.
    pub(super) fn close_all(&mut self) {
        Request::ALL.into_iter().for_each(|request| self.close(request));
    }

    /// Starts the turn of `color`: the requests of `color` are closed, and `color` may make new
    /// requests (rule G9).
    pub(super) fn start_turn(&mut self, color: Color) {
        for request in Request::ALL {
            let state = self.of_mut(request);
            state.used_by[color] = false;
            state.open.take_if(|open| open.by == color);
        }
    }

    /// Closes the takeback request of `color` after its move.
    pub(super) fn moved(&mut self, color: Color) {
        self.takeback.open.take_if(|open| open.by == color);
    }

    fn of(&self, request: Request) -> &RequestState {
        match request {
            Request::Draw => &self.draw,
            Request::Takeback => &self.takeback,
            Request::Pause => &self.pause,
            Request::Abort => &self.abort,
        }
    }

    fn of_mut(&mut self, request: Request) -> &mut RequestState {
        match request {
            Request::Draw => &mut self.draw,
            Request::Takeback => &mut self.takeback,
            Request::Pause => &mut self.pause,
            Request::Abort => &mut self.abort,
        }
    }
}
