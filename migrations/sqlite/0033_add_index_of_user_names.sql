-- For the search of operators for users by the first letters of a name. Names are compared byte by byte.
create index users_by_name on users (lower(name));
