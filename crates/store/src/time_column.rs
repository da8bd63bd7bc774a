//! Points in time in columns. Postgres columns have the type `timestamptz`. SQLite columns contain
//! milliseconds since the Unix epoch, and their names end in `_ms`.

use quadrex_rules::Timestamp;
use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgArgumentBuffer, PgHasArrayType, PgTypeInfo, PgValueRef};
use sqlx::sqlite::{SqliteArgumentsBuffer, SqliteTypeInfo, SqliteValueRef};
use sqlx::{Decode, Encode, Postgres, Sqlite, Type};
use time::OffsetDateTime;

use super::error::{StoreError, unreadable};

/// The number of nanoseconds in a millisecond.
const NANOS: i128 = 1_000_000;

/// A point in time, in milliseconds since the Unix epoch. A negative value can be decoded, but
/// [`read`](Self::read) refuses it, because this program never writes a negative time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TimeColumn(i64);

impl TimeColumn {
    /// Returns the time in the column with this name.
    ///
    /// # Errors
    /// Returns [`StoreError::UnreadableRow`] if the time is before the Unix epoch.
    pub(super) fn read(self, column: &'static str) -> Result<Timestamp, StoreError> {
        u64::try_from(self.0).map(Timestamp::from_millis).map_err(|_| unreadable(column, self.0))
    }

    /// Returns the time that is earlier by a duration.
    #[cfg(feature = "simulation")]
    pub(super) fn before(self, duration: std::time::Duration) -> Self {
        Self(self.0.saturating_sub(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)))
    }
}

impl From<Timestamp> for TimeColumn {
    fn from(at: Timestamp) -> Self {
        Self(i64::try_from(at.as_millis()).expect("no clock runs past the year 292 million"))
    }
}

impl Type<Sqlite> for TimeColumn {
    fn type_info() -> SqliteTypeInfo {
        <i64 as Type<Sqlite>>::type_info()
    }

    fn compatible(info: &SqliteTypeInfo) -> bool {
        <i64 as Type<Sqlite>>::compatible(info)
    }
}

impl Encode<'_, Sqlite> for TimeColumn {
    fn encode_by_ref(&self, buffer: &mut SqliteArgumentsBuffer) -> Result<IsNull, BoxDynError> {
        <i64 as Encode<Sqlite>>::encode_by_ref(&self.0, buffer)
    }
}

impl Decode<'_, Sqlite> for TimeColumn {
    fn decode(value: SqliteValueRef<'_>) -> Result<Self, BoxDynError> {
        <i64 as Decode<Sqlite>>::decode(value).map(Self)
    }
}

impl Type<Postgres> for TimeColumn {
    fn type_info() -> PgTypeInfo {
        <OffsetDateTime as Type<Postgres>>::type_info()
    }
}

impl PgHasArrayType for TimeColumn {
    fn array_type_info() -> PgTypeInfo {
        <OffsetDateTime as PgHasArrayType>::array_type_info()
    }
}

impl Encode<'_, Postgres> for TimeColumn {
    /// # Errors
    /// Returns an error if the time is past the year 9999.
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        let at = OffsetDateTime::from_unix_timestamp_nanos(i128::from(self.0) * NANOS)?;
        <OffsetDateTime as Encode<Postgres>>::encode_by_ref(&at, buffer)
    }
}

impl Decode<'_, Postgres> for TimeColumn {
    fn decode(value: PgValueRef<'_>) -> Result<Self, BoxDynError> {
        let at = <OffsetDateTime as Decode<Postgres>>::decode(value)?;
        Ok(Self(i64::try_from(at.unix_timestamp_nanos().div_euclid(NANOS))?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_for_a_time_before_the_epoch_contains_the_column() {
        let at = Timestamp::from_millis(1_700_000_000_123);
        assert_eq!(TimeColumn::from(at).read("users.created_at").unwrap(), at);
        let refusal = TimeColumn(-5).read("users.created_at").unwrap_err().to_string();
        assert_eq!(refusal, "users.created_at cannot be read back: -5");
    }
}
