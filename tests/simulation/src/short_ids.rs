//! Short names for the ids in stories.

use std::collections::BTreeMap;

use uuid::Uuid;

/// The number of characters of an id.
const LENGTH: usize = 36;

/// The number of characters before the first hyphen of an id.
const BEFORE_HYPHEN: usize = 8;

/// Numbers the ids of tables, matches and users in the order in which they appear: #1, #2 and so on.
#[derive(Debug, Default)]
pub struct ShortIds(BTreeMap<Uuid, usize>);

impl ShortIds {
    /// Returns a text with the numbers in place of the ids.
    pub fn shorten(&mut self, text: &str) -> String {
        let mut short = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(hyphen) = rest.find('-') {
            if let Some((before, id, after)) = split_at_id(rest, hyphen) {
                let next = self.0.len() + 1;
                let number = *self.0.entry(id).or_insert(next);
                short.push_str(before);
                short.push_str(&format!("#{number}"));
                rest = after;
            } else {
                let (read, unread) = rest.split_at(hyphen + 1);
                short.push_str(read);
                rest = unread;
            }
        }
        short.push_str(rest);
        short
    }
}

/// Returns the id that has its first hyphen here, with what is before and after it.
fn split_at_id(text: &str, hyphen: usize) -> Option<(&str, Uuid, &str)> {
    let begin = hyphen.checked_sub(BEFORE_HYPHEN)?;
    let (before, rest) = text.split_at_checked(begin)?;
    let (id, after) = rest.split_at_checked(LENGTH)?;
    Some((before, Uuid::try_parse(id).ok()?, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANN: &str = "019b76da-a929-71a2-800d-826841e7f41d";
    const BEN: &str = "019b76da-a812-7500-bd4d-2554698506d4";

    #[test]
    fn ids_are_numbered_in_the_order_in_which_they_appear() {
        let mut ids = ShortIds::default();
        assert_eq!(ids.shorten(&format!("{BEN} meets {ANN}; {BEN}-{ANN}.")), "#1 meets #2; #1-#2.");
        assert_eq!(ids.shorten(&format!("{ANN}{BEN}")), "#2#1", "the numbers are the same in all texts");
    }

    #[test]
    fn everything_else_stays_as_it_is() {
        let cut = &ANN[..LENGTH - 1];
        for text in ["", "-", "player-1.4-tab-2-1", "Zürich-Köln-Ä", "01234567-", "é1234567-89", cut] {
            assert_eq!(ShortIds::default().shorten(text), text);
        }
        let mut ids = ShortIds::default();
        assert_eq!(ids.shorten(&format!("tab-2-{ANN} ünd {cut}-")), format!("tab-2-#1 ünd {cut}-"));
    }
}
