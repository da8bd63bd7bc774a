//! The variants: their rules as types, and their facts as data.

mod classic;
mod dilkel;
mod dilkel_compact;
mod facts;
mod id;
mod names;
mod rules;

pub use classic::Classic;
pub use dilkel::Dilkel;
pub use dilkel_compact::DilkelCompact;
pub(crate) use facts::with_rules;
pub use facts::{Notation, VariantError};
pub use id::Variant;
pub use rules::{CastlingRule, DefeatRule, PerColor, PromotionRule, VariantRules};
pub(crate) use rules::{opposite, side};
