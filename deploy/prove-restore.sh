#!/bin/sh
# Restores the newest pgBackRest backup and all of the archived log into a temporary folder, starts PostgreSQL on the
# copy, reads every table, and removes it. The backup is good if the exit code is 0.
#
#   prove-restore.sh STANZA [DATABASE]
#
# Run it weekly as the user postgres, on a machine that can read the repository and has room for the whole database.
# TMPDIR: where the copy goes, /var/tmp unless set. MAX_AGE_HOURS: the age of the newest record at most, 2 unless set.
# PG_BIN: the folder of PostgreSQL's programs, Debian's for the version of the backup unless set.
set -eu
stanza=${1:?'Usage: prove-restore.sh STANZA [DATABASE]'}
database=${2:-sandpiper}
max_age_hours=${MAX_AGE_HOURS:-2}

# The copy holds personal data: only this user may enter the folder, and it is removed however the script ends.
copy=$(mktemp -d "${TMPDIR:-/var/tmp}/prove-restore.XXXXXX")
remove() {
  [ ! -e "$copy/data/postmaster.pid" ] || "$bin/pg_ctl" -D "$copy/data" -m immediate -w stop > /dev/null || true
  rm -rf "$copy"
}
trap remove EXIT
trap 'exit 1' HUP INT TERM

# pgBackRest verifies the checksum of every file. The copy must not archive into the repository it came from.
began=$(date +%s)
mkdir -m 0700 "$copy/data"
pgbackrest --stanza="$stanza" --pg1-path="$copy/data" --archive-mode=off restore
bin=${PG_BIN:-/usr/lib/postgresql/$(cat "$copy/data/PG_VERSION")/bin}

# Settings of the original may not fit this machine, and Debian keeps them outside of the data. Without hot standby,
# defaults are enough, and PostgreSQL takes connections only when the whole log is replayed.
echo 'local all all trust' > "$copy/pg_hba.conf"
: > "$copy/postgresql.conf"
options="-c config_file=$copy/postgresql.conf -c hba_file=$copy/pg_hba.conf -c listen_addresses= -c port=5432"
options="$options -c unix_socket_directories=$copy -c hot_standby=off -c ssl=off"
options="$options -c shared_preload_libraries= -c logging_collector=off"
"$bin/pg_ctl" -D "$copy/data" -l "$copy/log" -o "$options" -W start > /dev/null
until "$bin/pg_isready" -q -h "$copy"; do
  sleep 1
  "$bin/pg_ctl" -D "$copy/data" status > /dev/null && continue
  echo 'PostgreSQL does not start on the copy:' >&2
  tail -20 "$copy/log" >&2
  exit 1
done
echo "restored and started in $(($(date +%s) - began)) s"

ask() { "$bin/psql" -h "$copy" -U postgres -d "$database" -v ON_ERROR_STOP=1 -qAtX -c "$1"; }
# Reads every row of every table, as a dump would.
"$bin/pg_dump" -h "$copy" -U postgres -d "$database" > /dev/null
echo "read every table of $(ask 'SELECT pg_size_pretty(pg_database_size(current_database()))')"
ask "SELECT 'accounts: ' || (SELECT count(*) FROM portal.account) || ', FHIR resources: ' ||
  (SELECT count(*) FROM clinical.resource) || ', audit rows: ' || (SELECT count(*) FROM portal.audit_event)"

# The worker writes its status checks every minute: an old one means that the log is no longer archived.
newest=$(ask 'SELECT max(checked_at) FROM portal.status_check')
fresh=$(ask "SELECT max(checked_at) > now() - interval '$max_age_hours hours' FROM portal.status_check")
echo "newest record: ${newest:-none}"
if [ "$fresh" != t ]; then
  echo "The newest record is older than $max_age_hours hours: is the write-ahead log archived?" >&2
  exit 1
fi
echo "the backup of $stanza is good"
