//! Simulated clusters, in which nodes follow a table of another node over a network that loses,
//! doubles, delays and reorders messages. Time is simulated too, so a run takes milliseconds.

#![expect(clippy::unwrap_used, reason = "a panic is how a test says no")]

mod database;
mod follower;
mod followers;
mod owner;
mod proxy;
mod simulation;

use simulation::{Faults, Simulation};

/// The number of seeds, unless the environment sets another one.
const SEEDS: u64 = 100;

fn seeds() -> u64 {
    std::env::var("CLUSTER_SEEDS").map_or(SEEDS, |text| text.parse().expect("CLUSTER_SEEDS is a number"))
}

fn run(faults: Faults) {
    for seed in 0..seeds() {
        println!("seed {seed}");
        Simulation::new(seed, faults).run();
    }
}

#[test]
fn clients_have_the_owners_log_although_messages_are_lost_doubled_and_reordered() {
    run(Faults { network: true, cuts: false, owners: false });
}

#[test]
fn clients_have_the_owners_log_although_nodes_are_cut_off_for_a_while() {
    run(Faults { network: true, cuts: true, owners: false });
}

#[test]
fn clients_have_the_owners_log_although_owners_die_and_hand_the_table_over() {
    run(Faults { network: true, cuts: true, owners: true });
}

#[test]
fn without_faults_each_follower_gets_one_message_for_each_event() {
    let simulation = Simulation::new(1, Faults { network: false, cuts: false, owners: false });
    let counts = simulation.run();
    assert!(counts.events > 100, "{counts:?}");
    assert_eq!(counts.published, counts.events * counts.followers, "{counts:?}");
    assert_eq!(counts.follows, counts.followers, "{counts:?}");
}
