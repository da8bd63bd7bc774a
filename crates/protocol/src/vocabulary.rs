//! Descriptions of the rules' texts for TypeScript and JSON Schema.
//!
//! The rules crate serializes its types as text (`"red"`, `"h2h4"`). The enums here are never
//! constructed. They exist because the generated descriptions list the possible texts.

use schemars::JsonSchema;
use ts_rs::TS;

macro_rules! words {
    ($(#[$doc:meta])* $name:ident = $text:tt : $($variant:ident),+) => {
        $(#[$doc])*
        #[derive(TS, JsonSchema)]
        #[ts(rename = $text, rename_all = "kebab-case")]
        #[schemars(rename = $text, rename_all = "kebab-case")]
        #[expect(dead_code, reason = "only describes the texts of the rules crate's own type")]
        pub(crate) enum $name {
            $($variant),+
        }
    };
}

words!(
    /// A color. Two-player variants use White and Black, four-player variants use the other colors.
    ColorText = "Color": White, Black, Red, Blue, Yellow, Green
);
macro_rules! variant_text {
    ($($module:ident::$variant:ident,)+) => {
        words!(
            /// A variant.
            VariantText = "Variant": $($variant),+
        );
    };
}
quadrex_rules::for_each_variant!([variant_text]);
words!(
    /// The cause of a player's elimination from a four-player match.
    CauseText = "Cause": Mate, Resign, Time, Absence
);
words!(
    /// The reason for a match's end.
    ReasonText = "Reason": Mate, Stalemate, Repetition, Moves, Material, Agreement, Resign, Time, Absence
);
words!(
    /// The kind of a request that needs the consent of all active players (RULES G9, S4).
    RequestText = "Request": Draw, Takeback, Pause, Abort
);
words!(
    /// The handling of draws by repetition and move count (RULES G11): a player must claim such a
    /// draw, or it is automatic.
    DrawPolicyText = "DrawPolicy": Claim, Automatic
);

/// The reason why a match ended without a result.
#[derive(TS, JsonSchema)]
#[ts(rename = "AbortCause", rename_all = "snake_case")]
#[schemars(rename = "AbortCause", rename_all = "snake_case")]
#[expect(dead_code, reason = "only describes the texts of the rules crate's own type")]
pub(crate) enum AbortCauseText {
    Agreement,
    FirstMove,
    Absence,
    Operator,
}

/// A square, `a1` to `n14`.
#[derive(TS, JsonSchema)]
#[ts(rename = "Square")]
#[schemars(rename = "Square")]
#[expect(dead_code, reason = "only describes the text of the rules crate's own type")]
pub(crate) struct SquareText(#[schemars(regex(pattern = r"^[a-n](1[0-4]|[1-9])$"))] String);

/// A move in UCI style: from, to, promotion (`h2h4`, `b10a11n`); castling is the king's move
/// (`g1e1`).
#[derive(TS, JsonSchema)]
#[ts(rename = "Move")]
#[schemars(rename = "Move")]
#[expect(dead_code, reason = "only describes the text of the rules crate's own type")]
pub(crate) struct MoveText(#[schemars(regex(pattern = r"^([a-n](1[0-4]|[1-9])){2}[nbrq]?$"))] String);
