//! What is read of a program.

use crate::engine::program::option_name;

#[test]
fn options_are_known_by_their_names() {
    assert_eq!(option_name("option name Skill Level type spin default 8 min 1 max 8"), Some("Skill Level"));
    assert_eq!(option_name("id name x"), None);
}
