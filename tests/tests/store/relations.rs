//! Conformance tests of the relations between users.

use futures_util::future::join_all;
use quadrex_store::{BlockBetween, RelationAdded, RelationKind};

use crate::test_store::{NOW, TestStore, after};

use RelationKind::{Block, Follow, Mute};

pub(crate) async fn relations_are_listed_by_kind_until_they_are_removed(test: TestStore) {
    let store = &test.store;
    let [ada, ben, cleo] = [test.user("Ada").await, test.user("Ben").await, test.user("Cleo").await];
    let add = async |kind, other, at| store.add_relation(ada.id, kind, other, after(at), 2).await;
    let names = async |kind| {
        let related = store.related_users(ada.id, kind, 9).await.unwrap();
        related.into_iter().map(|related| (related.user.name, related.since)).collect::<Vec<_>>()
    };
    assert_eq!(add(Block, ben.id, 1).await.unwrap(), RelationAdded::Added);
    assert_eq!(add(Mute, ben.id, 2).await.unwrap(), RelationAdded::Added);
    assert_eq!(add(Block, cleo.id, 3).await.unwrap(), RelationAdded::Added);
    assert_eq!(add(Block, ben.id, 4).await.unwrap(), RelationAdded::Added, "it exists already");
    assert_eq!(names(Block).await, [("Cleo".to_owned(), after(3)), ("Ben".to_owned(), after(1))]);
    assert_eq!(names(Mute).await, [("Ben".to_owned(), after(2))]);
    assert_eq!(names(Follow).await, []);
    assert_eq!(store.relations_to(ada.id, ben.id).await.unwrap(), [Block, Mute]);
    assert_eq!(store.relations_to(ben.id, ada.id).await.unwrap(), []);
    assert_eq!(store.related_users(ada.id, Block, 1).await.unwrap().len(), 1);

    let dora = test.user("Dora").await;
    assert_eq!(add(Block, dora.id, 5).await.unwrap(), RelationAdded::Full);
    store.remove_relation(ada.id, Block, cleo.id).await.unwrap();
    store.remove_relation(ada.id, Block, cleo.id).await.unwrap();
    assert_eq!(add(Block, dora.id, 6).await.unwrap(), RelationAdded::Added);
    assert_eq!(names(Block).await, [("Dora".to_owned(), after(6)), ("Ben".to_owned(), after(1))]);

    assert!(add(Mute, ada.id, 7).await.is_err(), "nobody has a relation to themselves");
    assert!(add(Mute, test.stranger("Nobody").id, 7).await.is_err());
}

pub(crate) async fn a_block_ends_the_following_in_both_directions(test: TestStore) {
    let store = &test.store;
    let [ada, ben, cleo] = [test.user("Ada").await.id, test.user("Ben").await.id, test.user("Cleo").await.id];
    let add = async |user, kind, other| store.add_relation(user, kind, other, NOW, 9).await.unwrap();
    for (user, other) in [(ada, ben), (ben, ada), (ben, cleo), (cleo, ada)] {
        assert_eq!(add(user, Follow, other).await, RelationAdded::Added);
    }
    assert_eq!(add(ada, Block, ben).await, RelationAdded::Added);
    assert_eq!(store.relations_to(ada, ben).await.unwrap(), [Block]);
    assert_eq!(store.relations_to(ben, ada).await.unwrap(), []);
    assert_eq!(store.relations_to(ben, cleo).await.unwrap(), [Follow]);
    assert_eq!(store.relations_to(cleo, ada).await.unwrap(), [Follow]);
    assert_eq!(add(ben, Follow, ada).await, RelationAdded::Blocked);
    assert_eq!(add(ada, Follow, ben).await, RelationAdded::Added, "Ben does not block Ada");

    for _ in 0..20 {
        store.remove_relation(ada, Block, ben).await.unwrap();
        let changes = [(ben, Follow, ada), (ada, Block, ben)];
        join_all(changes.map(|(user, kind, other)| add(user, kind, other))).await;
        assert_eq!(store.relations_to(ben, ada).await.unwrap(), [], "nobody follows across a block");
    }
}

pub(crate) async fn a_block_between_users_is_found_from_both_sides(test: TestStore) {
    let store = &test.store;
    let mut users = Vec::new();
    for number in 0..8 {
        users.push(test.user(&format!("User {number}")).await.id);
    }
    let (ada, others) = (users[0], &users[1..]);
    let between = async || store.block_between(ada, others).await.unwrap();
    assert_eq!(between().await, None);
    assert_eq!(store.block_between(ada, &[]).await.unwrap(), None);
    let add = async |user, kind, other| store.add_relation(user, kind, other, NOW, 9).await.unwrap();
    add(others[0], Block, others[1]).await;
    add(ada, Mute, others[0]).await;
    add(others[0], Follow, ada).await;
    assert_eq!(between().await, None);
    add(others[6], Block, ada).await;
    assert_eq!(between().await, Some(BlockBetween::ByOther));
    assert_eq!(store.block_between(ada, &others[..6]).await.unwrap(), None);
    add(ada, Block, others[0]).await;
    assert_eq!(between().await, Some(BlockBetween::ByUser));
    assert_eq!(store.block_between(ada, &others[6..]).await.unwrap(), Some(BlockBetween::ByOther));
    assert_eq!(store.block_between(others[0], &[ada]).await.unwrap(), Some(BlockBetween::ByOther));
}
