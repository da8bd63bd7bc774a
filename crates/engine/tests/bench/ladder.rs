//! What is told of a rating.

use crate::engine::ladder::told;
use crate::engine::statistics::Mean;

#[test]
fn a_rating_is_told_with_its_interval_or_not_at_all() {
    let rating = Mean { value: 2049.6, error: 81.2 };
    assert_eq!(told(Some(rating)), "an even score is expected at UCI_Elo 2050 +- 81");
    assert_eq!(told(None), "everything was won, or lost: no rating can be told");
}
