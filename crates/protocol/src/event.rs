//! What happened: the facts of a match's log.

use std::collections::BTreeMap;

use quadrex_rules::{Cause, Color, DrawPolicy, Move, Reason, Variant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::http::{Privacy, TimeSetting};
use crate::view::UserView;
use crate::vocabulary::{CauseText, ColorText, DrawPolicyText, MoveText, ReasonText, VariantText};

/// One fact of a match. The field `type` says which.
///
/// A match is the list of its events, numbered 1, 2, 3, ... (`seq`), and everything else about it follows from
/// them. The log, the frames and exported records hold this same type. What the rules derive from a fact (the
/// changed squares, checks, the notation) is not part of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// The table was made; always the first event.
    Opened {
        /// Which rules.
        #[ts(as = "VariantText")]
        #[schemars(with = "VariantText")]
        variant: Variant,
        /// Who may find the table.
        privacy: Privacy,
        /// Who made it.
        host: UserView,
        /// The position it starts from (FEN or FEN4), if it is not the variant's own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        setup: Option<String>,
        /// How repetition and the move count draw.
        #[ts(as = "DrawPolicyText")]
        #[schemars(with = "DrawPolicyText")]
        draws: DrawPolicy,
        /// The time control.
        time: TimeSetting,
    },
    /// A seat was taken.
    Seated {
        /// Which seat.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
        /// By whom.
        user: UserView,
    },
    /// A seat was given back before the start.
    Vacated {
        /// Which seat.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
    },
    /// All seats are held and the match began.
    Started {
        /// Who moves first: drawn by lot, or as the set-up says (RULES D2).
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        beginner: Color,
    },
    /// A move was made.
    Moved {
        /// By whom.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
        /// The move.
        #[ts(as = "MoveText")]
        #[schemars(with = "MoveText")]
        mv: Move,
        /// The mover's time left after it, in milliseconds, if the match has clocks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        left_ms: Option<u64>,
    },
    /// A player went out of a four-player match; its pieces left the board.
    Eliminated {
        /// Who.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
        /// Why.
        #[ts(as = "CauseText")]
        #[schemars(with = "CauseText")]
        cause: Cause,
        /// Whose pieces attacked the king when mate was judged (RULES D12).
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<ColorText>>")]
        #[schemars(with = "Vec<ColorText>")]
        by: Vec<Color>,
    },
    /// A draw was offered.
    DrawOffered {
        /// By whom.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
    },
    /// The open draw offer was accepted by one player.
    DrawAccepted {
        /// By whom.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
    },
    /// The open draw offer was declined.
    DrawDeclined {
        /// By whom.
        #[ts(as = "ColorText")]
        #[schemars(with = "ColorText")]
        color: Color,
    },
    /// The match ended; always the last event.
    Ended {
        /// How.
        #[ts(as = "ReasonText")]
        #[schemars(with = "ReasonText")]
        reason: Reason,
        /// The rank of each player, 1 the best; equal numbers are shared places (RULES D12).
        #[ts(as = "BTreeMap<ColorText, u8>")]
        #[schemars(with = "BTreeMap<ColorText, u8>")]
        places: BTreeMap<Color, u8>,
    },
}
