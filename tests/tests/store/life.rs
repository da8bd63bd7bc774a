//! Promises about the server's signs of life.

use crate::world::{NOW, World, after};

pub(crate) async fn the_last_sign_of_life_is_kept(world: World) {
    assert_eq!(world.store.last_beat().await.unwrap(), None, "nobody has run here");
    for at in [NOW, after(2_000), after(1_000)] {
        world.store.beat(at).await.unwrap();
        assert_eq!(world.store.last_beat().await.unwrap(), Some(at));
    }
}
