//! Conformance tests of concurrent writers.

use quadrex_store::{AppendError, Handover};

use crate::test_store::{NOW, TestStore, TestTable, after, moved, numbers};

/// Several writers share an epoch, and read the head before each attempt. Exactly one of them may
/// append at each head.
pub(crate) async fn of_several_writers_at_one_head_exactly_one_succeeds(test: TestStore) {
    const WRITERS: u64 = 6;
    const EACH: u64 = 15;
    let test_table = test.table().await;
    let tasks = (0..WRITERS).map(|_| {
        let (test, mut test_table) = (test.clone(), test_table.clone());
        tokio::spawn(async move {
            let mut mine = Vec::new();
            while mine.len() < EACH as usize {
                match test.store.append(&test_table.append(vec![moved()])).await {
                    Ok(head) => {
                        mine.push(head);
                        test_table.head = head;
                    }
                    Err(AppendError::Fenced) => {
                        test_table.head = test.store.table(test_table.table).await.unwrap().unwrap().head_seq;
                    }
                    Err(error) => panic!("{error:?}"),
                }
            }
            mine
        })
    });
    let mut won = Vec::new();
    for task in tasks.collect::<Vec<_>>() {
        won.extend(task.await.unwrap());
    }
    won.sort_unstable();
    assert!(won.iter().copied().eq(3..=WRITERS * EACH + 2), "acknowledged heads: {won:?}");
    assert!(numbers(&test.store, test_table.match_id).await.into_iter().eq(1..=WRITERS * EACH + 2));
}

/// Owners claim the match from each other and append several times between claims. The log contains
/// exactly the appends that were acknowledged.
pub(crate) async fn competing_owners_never_fork_the_log(test: TestStore) {
    const OWNERS: usize = 4;
    const CLAIMS: usize = 12;
    let test_table = test.table().await;
    let tasks = (0..OWNERS).map(|owner| {
        let (test, test_table) = (test.clone(), test_table.clone());
        tokio::spawn(async move {
            let user = test.user("Bold Wren").await;
            let mut acknowledged = Vec::new();
            for claim in 0..CLAIMS {
                let epoch = test.store.claim(test_table.match_id).await.unwrap().unwrap();
                let head = numbers(&test.store, test_table.match_id).await.len() as u64;
                let mut mine = TestTable { epoch, head, ..test_table.clone() };
                for attempt in 0..5 {
                    let name = format!("{owner}-{claim}-{attempt}");
                    match test.store.append(&mine.command(&user, &name)).await {
                        Ok(head) => {
                            acknowledged.push((head, epoch, name));
                            mine.head = head;
                        }
                        Err(AppendError::Fenced) => break,
                        Err(error) => panic!("{error:?}"),
                    }
                }
            }
            acknowledged
        })
    });
    let mut acknowledged = Vec::new();
    for task in tasks.collect::<Vec<_>>() {
        acknowledged.extend(task.await.unwrap());
    }
    acknowledged.sort_unstable();
    let log = test.store.events(test_table.match_id, 2).await.unwrap();
    let logged: Vec<_> = log
        .into_iter()
        .map(|logged| {
            (
                logged.seq,
                logged.epoch,
                logged.command_id.map(|command_id| command_id.to_string()).unwrap_or_default(),
            )
        })
        .collect();
    assert_eq!(logged, acknowledged);
    assert!(!logged.is_empty());
    assert!(
        logged.is_sorted_by_key(|(_, epoch, _)| *epoch),
        "an older claim wrote after a newer one: {logged:?}"
    );
}

/// Many writers send the same command, each at another head. One of them writes it. The others are
/// fenced or get its number.
pub(crate) async fn concurrent_copies_of_a_command_count_once(test: TestStore) {
    let test_table = test.table().await;
    let tasks = (0..8).map(|attempt| {
        let (test, mut test_table) = (test.clone(), test_table.clone());
        tokio::spawn(async move {
            let (mut written, mut refused) = (0, Vec::new());
            for _ in 0..10 {
                test_table.head = test.store.table(test_table.table).await.unwrap().unwrap().head_seq;
                match test.store.append(&test_table.command(&test_table.host, "the-one")).await {
                    Ok(_) => written += 1,
                    Err(AppendError::Duplicate { seq }) => refused.push(seq),
                    Err(AppendError::Fenced) => {}
                    Err(error) => panic!("attempt {attempt}: {error:?}"),
                }
            }
            (written, refused)
        })
    });
    let (mut written, mut refused) = (0, Vec::new());
    for task in tasks.collect::<Vec<_>>() {
        let (more, also) = task.await.unwrap();
        written += more;
        refused.extend(also);
    }
    assert_eq!(written, 1);
    assert!(!refused.is_empty() && refused.iter().all(|&seq| seq == 3), "{refused:?}");
    assert_eq!(numbers(&test.store, test_table.match_id).await, [1, 2, 3]);
}

pub(crate) async fn of_concurrent_uses_of_a_handover_exactly_one_succeeds(test: TestStore) {
    let user = test.user("Quiet Otter").await;
    for _ in 0..10 {
        let secret = test.secret();
        let handover = Handover { secret, user: user.id, created_at: NOW, expires_at: after(1_000) };
        test.store.add_handover(&handover).await.unwrap();
        let tasks = (0..8).map(|_| {
            let store = test.store.clone();
            tokio::spawn(async move { store.use_handover(secret, NOW).await.unwrap() })
        });
        let mut let_in = Vec::new();
        for task in tasks.collect::<Vec<_>>() {
            let_in.extend(task.await.unwrap());
        }
        assert_eq!(let_in, [user.id]);
    }
}
