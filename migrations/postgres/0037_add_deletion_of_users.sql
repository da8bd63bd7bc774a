-- deleted_at is the time at which the user was deleted; null if the user was not. The row of a deleted user stays, for
-- the matches of the user, with the name of all deleted users.
alter table users add column deleted_at timestamptz;
