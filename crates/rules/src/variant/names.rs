//! The names of a variant.

/// The names of a variant. Each variant gives its own beside its rules.
#[derive(Clone, Copy, Debug)]
pub(super) struct Names {
    /// The name in texts, on the wire and in settings.
    pub(super) name: &'static str,
    /// The values of the UCI option `UCI_Variant` that mean it, its own name first.
    pub(super) uci: &'static [&'static str],
    /// The value of the PGN4 tag `Variant`.
    pub(super) tag: &'static str,
}
