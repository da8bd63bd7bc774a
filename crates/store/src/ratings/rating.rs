//! The rating of a match, in the transaction that archives it.

use std::collections::HashMap;

use quadrex_protocol::UserId;
use quadrex_protocol::archive::MatchSummary;
use uuid::Uuid;

use super::{RatedMatch, RatingChange, RatingKind, RawRating, UserRating};
use crate::StoreError;
use crate::database::{Sql, Transaction, execute_in, fetch_all_in, fetch_one_in};
use crate::time_column::TimeColumn;

/// The statement that adds to the number of the match that was rated last, and returns the sum. Until
/// the transaction ends, no other match is rated, so the numbers are in the order of the commits.
pub(super) const ADD_TO_LAST: Sql = Sql::both(
    "insert into rating_order (id, last) values (1, $1)
     on conflict (id) do update set last = rating_order.last + excluded.last returning last",
);

/// A row of `ratings` with its user.
#[derive(sqlx::FromRow)]
struct RawUserRating {
    user_id: Uuid,
    #[sqlx(flatten)]
    rating: RawRating,
}

/// Rates a match that has just been archived as ended, if it counts for ratings and was not rated
/// before. Only matches between accounts count.
pub(crate) async fn rate_in(transaction: &mut Transaction, summary: &MatchSummary) -> Result<(), StoreError> {
    let failed = || StoreError::database("rate a match");
    let Some(rated) = RatedMatch::of(summary) else { return Ok(()) };
    let users: Vec<UserId> = rated.users().collect();
    if count_accounts(transaction, &users).await.map_err(failed())? < users.len() {
        return Ok(());
    }
    let (number,): (i64,) = fetch_one_in!(&mut *transaction, (i64,), ADD_TO_LAST, 1_i64).map_err(failed())?;
    let already = Sql::both("select count(*) from rating_changes where match_id = $1");
    let (already,): (i64,) =
        fetch_one_in!(&mut *transaction, (i64,), already, rated.match_id.0).map_err(failed())?;
    if already > 0 && !quadrex_runtime::has_planted!(RatingAppliedTwice) {
        return Ok(());
    }
    let known = ratings_of(transaction, rated.kind, &users).await?;
    for (change, rating) in rated.changes(|user| known.get(&user).copied()) {
        put_rating(transaction, rated.kind, change.user, &rating).await.map_err(failed())?;
        put_change(transaction, rated.kind, number, &change).await.map_err(failed())?;
    }
    Ok(())
}

/// Returns four users to bind, the last one repeated if there are fewer.
fn four(users: &[UserId]) -> [Uuid; 4] {
    std::array::from_fn(|index| users.get(index).or(users.last()).map_or(Uuid::nil(), |user| user.0))
}

async fn count_accounts(transaction: &mut Transaction, users: &[UserId]) -> Result<usize, sqlx::Error> {
    let sql = Sql::both("select count(*) from accounts where user_id in ($1, $2, $3, $4)");
    let [one, two, three, four] = four(users);
    let (count,): (i64,) = fetch_one_in!(&mut *transaction, (i64,), sql, one, two, three, four)?;
    Ok(usize::try_from(count).unwrap_or(0))
}

/// Returns the ratings of these users, at most four, as far as they have any.
async fn ratings_of(
    transaction: &mut Transaction,
    kind: RatingKind,
    users: &[UserId],
) -> Result<HashMap<UserId, UserRating>, StoreError> {
    let sql = Sql {
        postgres: "select user_id, value, deviation, volatility, matches, updated_at from ratings
                   where variant = $1 and speed = $2 and user_id in ($3, $4, $5, $6)",
        sqlite: "select user_id, value, deviation, volatility, matches, updated_at_ms as updated_at
                 from ratings where variant = $1 and speed = $2 and user_id in ($3, $4, $5, $6)",
    };
    let [one, two, three, four] = four(users);
    let rows = fetch_all_in!(
        &mut *transaction,
        RawUserRating,
        sql,
        kind.variant.name(),
        kind.speed.name(),
        one,
        two,
        three,
        four
    );
    let rows = rows.map_err(StoreError::database("read the ratings of the players"))?;
    rows.into_iter().map(|row| Ok((UserId(row.user_id), row.rating.read()?))).collect()
}

/// Writes the rating of a user.
pub(super) async fn put_rating(
    transaction: &mut Transaction,
    kind: RatingKind,
    user: UserId,
    rated: &UserRating,
) -> Result<(), sqlx::Error> {
    let sql = Sql {
        postgres: "insert into ratings
                       (user_id, variant, speed, value, deviation, volatility, matches, updated_at)
                   values ($1, $2, $3, $4, $5, $6, $7, $8)
                   on conflict (user_id, variant, speed) do update set
                       value = excluded.value, deviation = excluded.deviation,
                       volatility = excluded.volatility, matches = excluded.matches,
                       updated_at = excluded.updated_at",
        sqlite: "insert into ratings
                     (user_id, variant, speed, value, deviation, volatility, matches, updated_at_ms)
                 values ($1, $2, $3, $4, $5, $6, $7, $8)
                 on conflict (user_id, variant, speed) do update set
                     value = excluded.value, deviation = excluded.deviation,
                     volatility = excluded.volatility, matches = excluded.matches,
                     updated_at_ms = excluded.updated_at_ms",
    };
    execute_in!(
        &mut *transaction,
        sql,
        user.0,
        kind.variant.name(),
        kind.speed.name(),
        rated.rating.value,
        rated.rating.deviation,
        rated.rating.volatility,
        i64::from(rated.matches),
        TimeColumn::from(rated.updated_at),
    )?;
    Ok(())
}

/// Writes the change of a rating by the match with this number.
pub(super) async fn put_change(
    transaction: &mut Transaction,
    kind: RatingKind,
    number: i64,
    change: &RatingChange,
) -> Result<(), sqlx::Error> {
    let sql = Sql {
        postgres: "insert into rating_changes
                       (match_id, color, user_id, number, variant, speed, at, value_before,
                        deviation_before, value, deviation, volatility)
                   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
                   on conflict (match_id, color) do update set
                       value_before = excluded.value_before, deviation_before = excluded.deviation_before,
                       value = excluded.value, deviation = excluded.deviation,
                       volatility = excluded.volatility",
        sqlite: "insert into rating_changes
                     (match_id, color, user_id, number, variant, speed, at_ms, value_before,
                      deviation_before, value, deviation, volatility)
                 values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
                 on conflict (match_id, color) do update set
                     value_before = excluded.value_before, deviation_before = excluded.deviation_before,
                     value = excluded.value, deviation = excluded.deviation,
                     volatility = excluded.volatility",
    };
    execute_in!(
        &mut *transaction,
        sql,
        change.match_id.0,
        change.color.name(),
        change.user.0,
        number,
        kind.variant.name(),
        kind.speed.name(),
        TimeColumn::from(change.at),
        change.before.value,
        change.before.deviation,
        change.after.value,
        change.after.deviation,
        change.after.volatility,
    )?;
    Ok(())
}
