//! Conformance tests of the store, which run on SQLite, on Postgres and on the database of
//! simulations, and tests of what each database must refuse.

#![expect(clippy::unwrap_used, reason = "a panic is how a test says no")]

mod accounts;
mod archive;
mod conditional_moves;
mod group_commit;
mod groups;
mod heartbeats;
mod hibernation;
mod invitations;
mod log;
mod mail;
mod ownership;
mod ownership_hibernation;
mod ownership_model;
mod pairs;
mod postgres;
mod provider_identities;
mod races;
mod ratings;
mod recovery_keys;
mod relations;
mod reply_cutter;
mod reports;
mod requests;
mod retention;
mod reviews;
mod roles;
mod seat_holders;
mod shares;
mod simulated;
mod sqlite;
mod suspensions;
mod tables;
mod test_store;
mod tokens;
mod users;
mod warnings;

use std::future::Future;
use std::pin::Pin;

use test_store::TestStore;

type Running = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The name of a conformance test, and the test, which gets an empty store.
type ConformanceTest = (&'static str, fn(TestStore) -> Running);

macro_rules! conformance_tests {
    ($($module:ident :: $name:ident),+ $(,)?) => {
        &[$((concat!(stringify!($module), "::", stringify!($name)), |test| Box::pin($module::$name(test)))),+]
    };
}

/// The tests that run on all databases, each with its own empty store.
const CONFORMANCE_TESTS: &[ConformanceTest] = conformance_tests![
    heartbeats::the_last_heartbeat_is_stored,
    heartbeats::a_turn_absence_is_stored_until_a_later_one,
    users::a_token_identifies_its_user_only_as_its_kind_and_until_it_ends,
    users::the_sessions_of_a_user_are_listed_and_end,
    users::sessions_that_end_at_the_same_time_are_all_recorded,
    users::a_user_with_an_invalid_name_or_an_existing_id_is_refused,
    users::a_user_cannot_be_given_an_invalid_name,
    users::a_session_of_an_unknown_user_is_refused,
    users::a_handover_can_be_used_once_before_it_expires,
    accounts::a_guest_becomes_an_account_with_a_name_of_its_own,
    accounts::of_parallel_accounts_with_one_name_exactly_one_is_created,
    accounts::a_name_of_an_account_is_never_free_again,
    accounts::a_password_changes_once_and_ends_the_sign_ins_with_the_old_one,
    tokens::tokens_are_listed_with_their_scopes_and_end,
    suspensions::a_suspension_holds_until_it_ends_or_is_lifted,
    suspensions::users_are_found_by_the_beginning_of_their_name,
    suspensions::the_facts_about_a_user_count_sessions_and_tokens,
    reports::a_user_has_one_open_report_about_another_in_a_match,
    reports::reports_are_listed_in_pages_until_they_are_closed,
    reports::invalid_reports_are_refused,
    retention::guests_who_do_not_come_back_are_removed,
    retention::old_links_and_reports_are_removed,
    retention::one_server_at_a_time_removes_old_data,
    warnings::a_warning_is_listed_and_acknowledged_once,
    warnings::an_invalid_warning_is_refused,
    provider_identities::identities_belong_to_one_account_each,
    provider_identities::a_sign_in_with_a_provider_is_taken_once_before_it_expires,
    provider_identities::a_sign_up_with_a_provider_creates_one_account,
    mail::an_address_is_confirmed_once_before_the_link_expires,
    mail::an_address_stays_until_another_one_is_confirmed,
    mail::a_link_sets_a_password_once_and_ends_all_sessions,
    recovery_keys::a_recovery_key_is_valid_until_it_is_replaced_or_removed,
    relations::relations_are_listed_by_kind_until_they_are_removed,
    relations::a_block_ends_the_following_in_both_directions,
    relations::a_block_between_users_is_found_from_both_sides,
    groups::a_group_is_found_with_the_role_of_a_user,
    groups::users_join_a_group_within_the_limits,
    groups::the_owner_of_a_group_has_a_successor,
    groups::the_unfinished_tables_of_a_group_are_listed,
    invitations::an_invitation_waits_for_one_answer,
    invitations::an_accepted_invitation_has_one_link,
    invitations::invitations_are_hidden_by_blocks_and_end_with_the_start,
    invitations::users_are_acquainted_who_follow_each_other,
    tables::an_opened_table_is_found_with_its_match,
    tables::a_table_is_created_completely_or_not_at_all,
    tables::unfinished_tables_are_listed_oldest_first_until_they_end,
    tables::a_rematch_is_stored_with_the_end_of_the_previous_match,
    tables::a_link_is_stored_unchanged,
    requests::a_repeated_request_returns_its_table,
    requests::a_request_is_removed_after_a_day,
    requests::a_failed_request_is_not_stored,
    requests::concurrent_equal_requests_create_one_table,
    conditional_moves::conditional_moves_are_stored_only_by_the_owner_at_the_head,
    conditional_moves::lines_are_dropped_only_from_the_moves_that_were_read,
    log::every_kind_of_event_is_read_as_it_was_written,
    log::the_log_records_user_and_time_and_the_command_id_on_the_last_event,
    log::reading_starts_after_a_given_number,
    log::an_append_with_another_head_is_fenced,
    log::a_claim_fences_the_previous_owner,
    log::a_repeated_command_counts_once,
    log::a_single_use_invite_serves_one_user,
    log::an_open_invite_serves_many_users,
    log::an_invite_of_another_table_or_an_expired_invite_is_refused,
    log::a_failed_append_does_not_use_its_invite,
    log::written_data_is_there_after_a_restart,
    group_commit::concurrent_appends_to_many_matches_are_durable_and_in_order,
    group_commit::a_fenced_append_in_a_group_is_refused_alone,
    group_commit::a_repeated_command_in_a_group_gets_its_first_answer,
    group_commit::an_append_in_a_group_that_violates_a_constraint_fails_alone,
    group_commit::of_two_appends_at_one_head_in_a_group_one_is_fenced,
    group_commit::compound_appends_in_a_group_are_atomic,
    ownership::the_cluster_s_key_is_made_once,
    ownership::a_server_owns_what_it_creates_and_claims,
    archive::a_match_is_listed_from_its_start_and_with_its_end,
    archive::missing_matches_are_added_to_the_archive,
    archive::a_server_archives_what_a_killed_server_has_queued,
    archive::a_group_of_appends_queues_the_matches_that_start_or_end,
    archive::a_match_that_ends_while_its_start_is_archived_stays_queued,
    archive::lists_are_sorted_by_age_and_have_pages,
    archive::private_matches_are_listed_for_their_players_only,
    archive::a_match_is_listed_once_for_a_user_with_several_seats,
    archive::matches_are_found_by_the_start_of_a_players_name,
    archive::names_are_added_to_entries_of_an_older_version,
    hibernation::a_match_hibernates_until_it_is_claimed,
    hibernation::due_and_listed_hibernations_are_those_of_an_owner,
    hibernation::the_outages_since_a_hibernation_began_are_found,
    pairs::only_users_who_spare_each_other_are_reported,
    pairs::fair_users_are_not_reported,
    ratings::a_rated_match_changes_the_ratings_when_it_is_archived,
    ratings::matches_that_do_not_count_change_no_ratings,
    ratings::ratings_can_be_computed_again_from_the_archive,
    ratings::the_best_players_have_certain_ratings,
    reviews::reviews_wait_in_order_and_are_stored_when_done,
    reviews::automatic_reviews_wait_after_the_requested_ones,
    reviews::an_unknown_match_gets_no_review,
    shares::a_share_link_is_valid_for_its_match_until_it_is_removed_or_replaced,
    seat_holders::seat_holders_are_stored_with_the_events_that_change_them,
    seat_holders::own_matches_are_listed_in_pages,
    seat_holders::a_rematch_has_seat_holders_from_its_start,
    seat_holders::seat_holders_in_a_group_are_those_of_the_appends_that_succeeded,
    seat_holders::a_refused_append_changes_no_seat_holders,
    seat_holders::a_move_does_not_use_the_seat_holders,
    seat_holders::seat_holders_are_repaired_by_the_owner_of_a_match,
    races::of_several_writers_at_one_head_exactly_one_succeeds,
    races::competing_owners_never_fork_the_log,
    races::of_concurrent_uses_of_a_handover_exactly_one_succeeds,
    races::concurrent_copies_of_a_command_count_once,
];

/// Runs all conformance tests, and reports those that failed. `test` returns an empty store for the
/// number of a test.
async fn run_conformance_tests(mut test: impl AsyncFnMut(usize) -> TestStore) {
    let mut failed = Vec::new();
    for (number, (name, run)) in CONFORMANCE_TESTS.iter().enumerate() {
        let test = test(number).await;
        // In a task of its own, a panic does not end the other tests.
        if tokio::spawn(run(test)).await.is_err() {
            failed.push(*name);
        }
    }
    assert!(failed.is_empty(), "failed tests (their panics are above): {failed:#?}");
}
