//! The change of one member of a state.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The change of an optional member of the state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Change<T> {
    /// Unchanged; absent from the patch.
    #[default]
    Unchanged,
    /// Removed; `null` in the patch.
    Removed,
    /// Set to this value.
    Set(T),
}

impl<T> Change<T> {
    pub(super) fn is_unchanged(&self) -> bool {
        matches!(self, Self::Unchanged)
    }

    /// Returns the change that sets the member to `after`, or removes it if `after` is `None`.
    pub(super) fn full(after: Option<T>) -> Self {
        after.map_or(Self::Removed, Self::Set)
    }

    pub(super) fn merge_into(self, member: &mut Option<T>) {
        match self {
            Self::Unchanged => {}
            Self::Removed => *member = None,
            Self::Set(value) => *member = Some(value),
        }
    }
}

impl<T: Clone + PartialEq> Change<T> {
    pub(super) fn between(before: Option<&T>, after: Option<&T>) -> Self {
        if before == after { Self::Unchanged } else { Self::full(after.cloned()) }
    }

    /// Returns the change of a member whose value also changes with time, such as a time limit. The
    /// member is in the patch whenever `after` has it.
    pub(super) fn always_if_present(before: Option<&T>, after: Option<T>) -> Self {
        if before.is_none() && after.is_none() { Self::Unchanged } else { Self::full(after) }
    }
}

impl<T: Serialize> Serialize for Change<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Set(value) => value.serialize(serializer),
            Self::Unchanged | Self::Removed => serializer.serialize_none(),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Change<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::deserialize(deserializer).map(Self::full)
    }
}
