//! Types with one strict text form, which `Display`, `FromStr` and serde share.

/// Implements `Display` with the type's `name`, and `FromStr` by finding the value with this name in
/// `ALL`. Serde uses the same text.
macro_rules! impl_text_from_name {
    ($($type:ty: $error:ident),+ $(,)?) => {$(
        impl core::fmt::Display for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(self.name())
            }
        }

        impl core::str::FromStr for $type {
            type Err = $error;

            fn from_str(text: &str) -> Result<Self, $error> {
                Self::ALL.into_iter().find(|value| value.name() == text).ok_or($error)
            }
        }

        $crate::serde_text::impl_serde_from_text!($type);
    )+};
}

/// Implements `Serialize` and `Deserialize` through `Display` and `FromStr`.
macro_rules! impl_serde_from_text {
    ($($type:ty),+ $(,)?) => {$(
        #[cfg(feature = "serde")]
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <alloc::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )+};
}

pub(crate) use {impl_serde_from_text, impl_text_from_name};
