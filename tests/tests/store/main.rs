//! The promises of the store, on SQLite and on Postgres alike, and what each of them must refuse.

#![expect(clippy::unwrap_used, reason = "a panic is how a test says no")]

mod archive;
mod group_commit;
mod heartbeats;
mod log;
mod postgres;
mod races;
mod reply_cutter;
mod requests;
mod reviews;
mod roles;
mod sqlite;
mod tables;
mod test_store;
mod users;

use std::future::Future;
use std::pin::Pin;

use test_store::TestStore;

type Running = Pin<Box<dyn Future<Output = ()> + Send>>;

/// One promise: its name, and what shows whether it is kept by an empty store.
type Promise = (&'static str, fn(TestStore) -> Running);

macro_rules! promises {
    ($($module:ident :: $name:ident),+ $(,)?) => {
        &[$((concat!(stringify!($module), "::", stringify!($name)), |test| Box::pin($module::$name(test)))),+]
    };
}

/// The suite that runs on both databases, each promise on an empty one of its own.
const PROMISES: &[Promise] = promises![
    heartbeats::the_last_sign_of_life_is_kept,
    heartbeats::an_absence_on_a_turn_is_kept_until_a_later_one,
    users::a_token_names_its_user_by_its_own_door_until_it_ends,
    users::a_user_without_a_proper_name_or_with_a_taken_id_is_not_kept,
    users::a_user_is_renamed_to_a_proper_name_only,
    users::a_session_of_nobody_is_not_kept,
    users::a_handover_is_good_once_and_for_its_time,
    tables::an_opened_table_is_found_with_its_match,
    tables::a_table_opens_whole_or_not_at_all,
    tables::unfinished_tables_are_listed_oldest_first_until_they_end,
    tables::a_rematch_begins_with_the_end_of_the_match_before,
    tables::a_link_is_kept_as_it_was_made,
    requests::a_request_sent_again_gets_the_table_it_made,
    requests::a_request_is_forgotten_after_a_day,
    requests::a_request_that_fails_is_not_kept,
    requests::of_one_request_sent_at_once_many_times_one_makes_a_table,
    log::every_kind_of_event_comes_back_as_it_was_written,
    log::the_log_records_who_and_when_and_names_the_command_on_its_last_event,
    log::a_reader_gets_what_follows_after_a_number,
    log::an_append_with_another_head_is_fenced,
    log::a_claim_fences_the_owner_before,
    log::a_command_counts_once,
    log::a_single_invite_serves_one_user,
    log::an_open_invite_serves_many,
    log::an_invite_must_be_of_this_table_and_in_time,
    log::an_append_that_fails_uses_no_invite,
    log::what_was_written_is_there_after_a_restart,
    group_commit::appends_of_many_matches_at_once_are_all_durable_and_in_order,
    group_commit::a_fenced_append_among_many_is_refused_alone,
    group_commit::a_command_sent_twice_among_many_gets_its_first_answer_alone,
    group_commit::what_the_database_refuses_among_many_is_refused_alone,
    group_commit::of_two_at_one_head_among_many_one_is_fenced,
    group_commit::seats_by_invite_and_rematches_among_many_are_whole_or_not_at_all,
    archive::a_match_is_listed_from_its_beginning_and_with_its_end,
    archive::an_archive_that_lacks_matches_is_made_whole,
    archive::lists_have_the_newest_first_and_go_on_where_they_ended,
    archive::who_did_not_sit_at_a_private_table_sees_nothing_of_it,
    archive::one_person_at_several_seats_is_listed_once,
    archive::matches_are_found_by_how_a_players_name_begins,
    archive::an_archive_from_before_names_were_kept_gets_them,
    reviews::reviews_wait_in_order_and_are_kept_once_made,
    reviews::a_match_that_is_not_there_gets_no_review,
    races::of_writers_at_one_head_exactly_one_wins,
    races::owners_that_claim_from_each_other_never_fork_the_log,
    races::of_many_who_use_one_handover_exactly_one_is_let_in,
    races::one_command_sent_at_once_many_times_counts_once,
];

/// Runs the suite; `test` makes an empty store by the promise's number. Reports all promises that
/// were broken.
async fn keep_promises(mut test: impl AsyncFnMut(usize) -> TestStore) {
    let mut broken = Vec::new();
    for (number, (name, promise)) in PROMISES.iter().enumerate() {
        let test = test(number).await;
        // A task of its own, so that a panic ends this promise and not the suite.
        if tokio::spawn(promise(test)).await.is_err() {
            broken.push(*name);
        }
    }
    assert!(broken.is_empty(), "broken promises (their panics are above): {broken:#?}");
}
