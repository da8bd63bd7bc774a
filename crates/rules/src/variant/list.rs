//! The list of variants.

/// Calls a macro with the list of variants, as `module::Type,` for each.
///
/// A new variant is a line here and a file of the module's name in this folder. `Variant`,
/// `AnyPosition` and every dispatch over the variants, here and in other crates, are made from the
/// list.
///
/// ```
/// macro_rules! count {
///     ($label:literal $($module:ident::$variant:ident,)+) => { ($label, [$(stringify!($variant)),+].len()) };
/// }
/// let (label, count) = quadrex_rules::for_each_variant!([count] "variants");
/// assert_eq!((label, count), ("variants", quadrex_rules::Variant::ALL.len()));
/// ```
#[macro_export]
macro_rules! for_each_variant {
    ([$($callback:tt)+] $($arguments:tt)*) => {
        $($callback)+! {
            $($arguments)*
            classic::Classic,
            dilkel::Dilkel,
            dilkel_compact::DilkelCompact,
        }
    };
}
