-- removed_at is the time at which a guest was removed who had not come back for long; null for all other users. The row stays,
-- for the matches of the guest.
alter table users add column removed_at timestamptz;
