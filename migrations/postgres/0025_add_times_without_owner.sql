-- The times since hibernated_at in which no server owned the match, each up to the claim of the next owner. The players are
-- not charged for them. A bound is null if the time is not known.
alter table matches add column unowned tstzrange[];
