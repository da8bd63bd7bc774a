-- bot: what kind of bot a user is, as others are shown it ("built_in" with its level, "engine" with its name, "account");
-- null for a person.
alter table users add column bot text check (json_valid(bot) and json_type(bot) = 'object');
