//! The names of a variant.

/// The names of a variant. Each variant defines its names beside its rules.
#[derive(Clone, Copy, Debug)]
pub(super) struct Names {
    /// The name in texts, on the wire and in settings: the type's name in lower case, with hyphens.
    pub(super) name: &'static str,
    /// The name for people, in English.
    pub(super) title: &'static str,
    /// The value of the tag `Variant` in a written game.
    pub(super) tag: &'static str,
    /// More values of the UCI option `UCI_Variant` that mean this variant.
    pub(super) uci_aliases: &'static [&'static str],
}

impl Names {
    /// Names with `name` as the tag and without aliases.
    pub(super) const fn new(name: &'static str, title: &'static str) -> Self {
        Self { name, title, tag: name, uci_aliases: &[] }
    }
}
