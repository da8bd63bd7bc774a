//! The closed list of variants.

/// Defines [`Variant`].
macro_rules! define {
    ($($module:ident::$variant:ident,)+) => {
        /// The variants of the game. Text: `classic`, `dilkel`, `dilkel-compact`.
        ///
        /// The methods answer every question that other code may ask about a variant, so code
        /// outside this module never needs to name a variant.
        ///
        /// ```
        /// use quadrex_rules::variant::Notation;
        /// use quadrex_rules::{Color, Variant};
        ///
        /// let variant: Variant = "dilkel".parse()?;
        /// assert_eq!(variant.colors(), [Color::Red, Color::Blue, Color::Yellow, Color::Green]);
        /// assert_eq!((variant.player_count(), variant.notation()), (4, Notation::Pgn4));
        /// assert_eq!(variant.color_of_letter('b'), Some(Color::Blue));
        /// assert_eq!(Variant::Classic.color_of_letter('b'), Some(Color::Black));
        /// # Ok::<(), quadrex_rules::VariantError>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Variant {
            $(
                #[doc = concat!("The variant with the rules of [`", stringify!($variant), "`](crate::", stringify!($variant), ").")]
                $variant,
            )+
        }

        impl Variant {
            /// The variant of requests that name no variant.
            pub const DEFAULT: Self = Self::Dilkel;

            /// Every variant.
            pub const ALL: [Self; [$(Self::$variant),+].len()] = [$(Self::$variant),+];
        }
    };
}

crate::for_each_variant!([define]);
