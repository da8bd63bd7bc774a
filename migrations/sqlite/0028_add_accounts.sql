-- A row is a name that an account has or had. Names that look alike have the same key. The names of accounts are never
-- free again.
create table account_names (
    name_key text not null primary key check (length(name_key) between 1 and 1000),
    user_id blob not null references users (id),
    taken_at_ms integer not null
) strict;

-- A row is the account of a user: users without a row are guests. The password is stored as the text of Argon2id, with its
-- parameters and its salt. name_key is the current name. renamed_at_ms is the last change of the name.
create table accounts (
    user_id blob not null primary key references users (id),
    name_key text not null unique references account_names (name_key),
    password_hash text not null check (password_hash like '$argon2id$%'),
    created_at_ms integer not null,
    renamed_at_ms integer
) strict;
