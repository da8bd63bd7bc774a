-- The time from which on no server ran the match until its owner claimed it. A claim that is repeated, because the answer to the
-- first one was lost, returns it again. It is null if the time is not known, and after the first event under the claim.
alter table matches add column unowned_since timestamptz;
