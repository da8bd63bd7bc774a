//! Macros that pass a variant known only at run time to code for a variant known at compile time.

/// Evaluates an expression with the rules of a variant known only at run time.
///
/// ```
/// use quadrex_rules::{Position, Variant, with_rules};
///
/// let perft = |variant: Variant| with_rules!(variant, V => Position::<V>::start().perft(3));
/// assert_eq!((perft(Variant::Classic), perft(Variant::Dilkel)), (8_902, 7_800));
/// ```
#[macro_export]
macro_rules! with_rules {
    (@arms $variant:expr, $rules:ident => $result:expr; $($module:ident::$type:ident,)+) => {
        match $variant {
            $($crate::variant::Variant::$type => {
                type $rules = $crate::variant::$type;
                $result
            })+
        }
    };
    ($variant:expr, $rules:ident => $result:expr) => {
        $crate::for_each_variant!([$crate::with_rules] @arms $variant, $rules => $result;)
    };
}

/// Evaluates an expression with the [`Position`](crate::Position) inside an
/// [`AnyPosition`](crate::AnyPosition).
///
/// ```
/// use quadrex_rules::{AnyPosition, Setup, Variant, with_position};
///
/// let position = AnyPosition::new(&Setup::start(Variant::DEFAULT))?;
/// assert_eq!(with_position!(&position, position => position.players_left()), 4);
/// # Ok::<(), quadrex_rules::SetupError>(())
/// ```
#[macro_export]
macro_rules! with_position {
    (@arms $any:expr, $position:ident => $result:expr; $($module:ident::$type:ident,)+) => {
        match $any {
            $($crate::AnyPosition::$type($position) => $result,)+
        }
    };
    ($any:expr, $position:ident => $result:expr) => {
        $crate::for_each_variant!([$crate::with_position] @arms $any, $position => $result;)
    };
}
