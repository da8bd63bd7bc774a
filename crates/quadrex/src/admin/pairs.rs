//! `quadrex admin pairs`: pairs of users who spare each other.

use std::fmt::Write;

use anyhow::Result;
use clap::Args;
use quadrex_protocol::http::{PairCount, PairDetails, PairList, PairView};
use quadrex_protocol::user::UserView;

use super::Operator;
use super::report::{Report, date};

#[derive(Debug, Args)]
pub(super) struct Pairs {
    /// Two users: shows their statistics and their common matches. Without users, the most
    /// conspicuous pairs are listed.
    #[arg(num_args = 2, value_names = ["USER", "USER"])]
    users: Vec<String>,
    /// Number of listed pairs.
    #[arg(long, default_value_t = 50, conflicts_with = "users", value_parser = clap::value_parser!(u16).range(1..=200))]
    limit: u16,
}

impl Pairs {
    pub(super) async fn execute(self, operator: &Operator) -> Result<()> {
        let [one, other] = &self.users[..] else {
            let list: PairList = operator.get(&format!("/api/admin/pairs?limit={}", self.limit)).await?;
            return operator.print(&list);
        };
        let (one, other) = (operator.user_id(one).await?, operator.user_id(other).await?);
        operator.print(&operator.get::<PairDetails>(&format!("/api/admin/pairs/{one}/{other}")).await?)
    }
}

impl Report for PairList {
    fn report(&self) -> String {
        if self.pairs.is_empty() {
            return "no pairs\n".to_owned();
        }
        self.pairs.iter().map(lines).collect()
    }
}

impl Report for PairDetails {
    fn report(&self) -> String {
        let mut text = lines(&self.pair);
        for listed in &self.matches {
            // Writing into a String cannot fail.
            let _ = writeln!(
                text,
                "match {}  {}  {}",
                listed.match_id,
                date(listed.started_at_ms),
                listed.variant
            );
        }
        text
    }
}

fn lines(pair: &PairView) -> String {
    let name = |user: &UserView| format!("{} ({})", user.name, user.id);
    let (a, b) = (name(&pair.a), name(&pair.b));
    let head = format!("{a} and {b}: score {:.1} in {} matches\n", pair.spares, pair.matches);
    let acts = |by: &str, on: &str, count: &PairCount| {
        format!(
            "  {by} against {on}: {} of {:.1} expected captures, {} of {:.1} checks, {} of {:.1} mates\n",
            count.captures,
            count.expected_captures,
            count.checks,
            count.expected_checks,
            count.eliminations,
            count.expected_eliminations
        )
    };
    head + &acts(&pair.a.name, &pair.b.name, &pair.a_to_b) + &acts(&pair.b.name, &pair.a.name, &pair.b_to_a)
}
