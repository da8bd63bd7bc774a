//! What everybody still in must agree to: draws (G9), takebacks (S4), pauses and aborts.

use alloc::vec::Vec;
use core::fmt;

use crate::any::AnyPosition;
use crate::color::{ByColor, Color};

/// Something that needs the consent of everybody still in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Request {
    /// The match ends, and all still in share the best place (G9).
    Draw,
    /// The match goes back to before the asker's last move (S4).
    Takeback,
    /// The match stands still for a while. The rules only count who agrees: giving the pause is the table's.
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

/// What everybody still in is asked to agree to, and who has agreed so far.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OpenRequest {
    /// Who asked.
    pub by: Color,
    /// Who has agreed, the asker included, in the order of agreeing.
    pub agreed: Vec<Color>,
}

impl OpenRequest {
    /// Whether everybody still in has agreed once `color` has too.
    #[must_use]
    pub fn is_completed_by(&self, color: Color, position: &AnyPosition) -> bool {
        position.players_in().all(|player| player == color || self.agreed.contains(&player))
    }
}

/// The requests of all kinds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Requests {
    draw: Asked,
    takeback: Asked,
    pause: Asked,
    abort: Asked,
}

/// The open request of one kind, and who may still make one: each player one per own turn (G9).
#[derive(Clone, Debug, PartialEq, Eq)]
struct Asked {
    open: Option<OpenRequest>,
    spent: ByColor<bool>,
}

impl Requests {
    pub(super) fn none() -> Self {
        let asked = || Asked { open: None, spent: ByColor::from_fn(|_| false) };
        Self { draw: asked(), takeback: asked(), pause: asked(), abort: asked() }
    }

    /// The open request of this kind.
    pub(super) fn open(&self, request: Request) -> Option<&OpenRequest> {
        self.of(request).open.as_ref()
    }

    /// Whether `color` has used its turn's request of this kind.
    pub(super) fn is_spent(&self, request: Request, color: Color) -> bool {
        self.of(request).spent[color]
    }

    pub(super) fn ask(&mut self, request: Request, by: Color) {
        let asked = self.of_mut(request);
        asked.open = Some(OpenRequest { by, agreed: Vec::from([by]) });
        asked.spent[by] = true;
    }

    pub(super) fn agree(&mut self, request: Request, color: Color) {
        if let Some(open) = &mut self.of_mut(request).open {
            open.agreed.push(color);
        }
    }

    /// The open request of this kind lapses.
    pub(super) fn lapse(&mut self, request: Request) {
        self.of_mut(request).open = None;
    }

    /// Whatever is open lapses.
    pub(super) fn lapse_all(&mut self) {
        Request::ALL.into_iter().for_each(|request| self.lapse(request));
    }

    /// `color`'s turn has come: what it asked for lapses, and it may ask again (G9).
    pub(super) fn turn_comes(&mut self, color: Color) {
        for request in Request::ALL {
            let asked = self.of_mut(request);
            asked.spent[color] = false;
            asked.open.take_if(|open| open.by == color);
        }
    }

    /// `color` has made a move: it wants none taken back any more.
    pub(super) fn moved(&mut self, color: Color) {
        self.takeback.open.take_if(|open| open.by == color);
    }

    fn of(&self, request: Request) -> &Asked {
        match request {
            Request::Draw => &self.draw,
            Request::Takeback => &self.takeback,
            Request::Pause => &self.pause,
            Request::Abort => &self.abort,
        }
    }

    fn of_mut(&mut self, request: Request) -> &mut Asked {
        match request {
            Request::Draw => &mut self.draw,
            Request::Takeback => &mut self.takeback,
            Request::Pause => &mut self.pause,
            Request::Abort => &mut self.abort,
        }
    }
}
