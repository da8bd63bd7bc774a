-- automatic: nobody has requested the review; the match was queued when it ended. Such rows come after the requested ones.
alter table reviews add column automatic boolean not null default false;
