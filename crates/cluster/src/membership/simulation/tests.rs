use super::*;

/// Returns the number of seeds: `QUADREX_MEMBERSHIP_SEEDS`, or 100.
fn seeds() -> u64 {
    let seeds = std::env::var("QUADREX_MEMBERSHIP_SEEDS").ok();
    seeds.map_or(100, |seeds| seeds.parse().expect("QUADREX_MEMBERSHIP_SEEDS is a number"))
}

#[test]
fn nodes_keep_their_promises_in_all_schedules() {
    let (mut recovered, mut handed_over) = (0, 0);
    let mut failed = Vec::new();
    for seed in 0..seeds() {
        let report = run(seed, false);
        failed.extend(report.violations);
        recovered += report.recovered;
        handed_over += report.handed_over;
    }
    let some = &failed[..failed.len().min(5)];
    assert!(failed.is_empty(), "{} violations, the first ones: {some:#?}", failed.len());
    assert!(recovered > 0 && handed_over > 0, "the schedules test nothing");
}
