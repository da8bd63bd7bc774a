//! The variants: their rules as types, and their facts as data.

mod dispatch;
mod facts;
mod id;
mod list;
mod names;
mod rules;

pub use facts::{Notation, VariantError};
pub use id::Variant;
pub use rules::{CastlingRule, DefeatRule, PerColor, PromotionRule, VariantRules};
pub(crate) use rules::{opposite, side};
pub use types::*;

/// Declares the module of each variant, and [`types`].
macro_rules! modules {
    ($($module:ident::$variant:ident,)+) => {
        $(mod $module;)+

        /// The types with the rules of the variants.
        pub mod types {
            $(pub use super::$module::$variant;)+
        }
    };
}

crate::for_each_variant!([modules]);
