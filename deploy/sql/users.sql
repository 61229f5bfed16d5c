-- The database of an installation and its two users. Run once, as a superuser:
--   OWNER_PASSWORD=… APP_PASSWORD=… psql -v ON_ERROR_STOP=1 -f deploy/sql/users.sql
\getenv owner_password OWNER_PASSWORD
\getenv app_password APP_PASSWORD

-- Passwords stay out of the server's log.
SET log_statement = 'none';
SET log_min_duration_statement = -1;
SET log_min_error_statement = 'panic';
SET password_encryption = 'scram-sha-256';

-- Owns the tables: migrations, imports and exports, pg_dump (DATABASE_MIGRATION_URL).
CREATE ROLE sandpiper_owner LOGIN PASSWORD :'owner_password';
-- Serves requests and runs jobs, and owns nothing (DATABASE_URL). A migration gives it its rights.
CREATE ROLE sandpiper_app LOGIN PASSWORD :'app_password';

CREATE DATABASE sandpiper OWNER sandpiper_owner TEMPLATE template0 ENCODING 'UTF8';
REVOKE ALL ON DATABASE sandpiper FROM PUBLIC;
GRANT CONNECT ON DATABASE sandpiper TO sandpiper_app;

-- Personal data in statements stays out of the server's log. Only a superuser may set this.
ALTER DATABASE sandpiper SET log_min_error_statement TO 'panic';
ALTER DATABASE sandpiper SET log_error_verbosity TO 'terse';
