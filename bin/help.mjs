import { commands } from './commands.mjs'

/** @typedef {import('./commands.mjs').CommandName} CommandName */
/**
 * A command as people type it.
 * @typedef {(name: CommandName, options?: string) => string} Typed
 */

/** @satisfies {Record<CommandName, (by: Typed) => string>} */
const texts = {
  serve: () => `
sandpiper serve

Answers requests on HOST and PORT: the APIs and the pages (ROLE=web). With ROLE=api or ROLE=portal only those, with
ROLE=all the jobs, too. It neither migrates nor seeds: a schema that lacks one of its migrations is refused.

SIGTERM: /readyz responds 503 and responses close their connections, for DRAIN_SECONDS (5). Then no new connections;
open requests have 10 seconds. SIGINT (Ctrl-C) leaves out the first step.

Settings are environment variables: docs/operations/settings.md lists them. Required are DATABASE_URL, PUBLIC_ORIGIN, ENCRYPTION_KEYS and
SMTP_URL.
`,
  work: () => `
sandpiper work

Runs the jobs: emails, bulk exports, due dates, status checks. Listens on HOST and HEALTH_PORT (3090) only, for
/healthz, /readyz and /metrics. Run one or several; each job is done once. It needs the same settings as sandpiper serve.
`,
  migrate: (by) => `
${by('migrate')}            apply pending migrations, and renew what the server's user may do
${by('migrate', '--status')}   list the migrations and their state; exit code 1 if any is pending

Run it with every release, before its servers start, and beside those of the previous release: migrations only add.
Needs DATABASE_URL, the user of the server, and DATABASE_MIGRATION_URL, the owner of the tables, and nothing else.

Exit code 2, too: the history of migrations is one that a person must look at. Nothing of a migration that fails is kept.
`,
  seed: (by) => `
${by('seed', '[options]')}

Fills the database with synthetic practices and people. The same options create the same records, byte for byte.

  --seed NUMBER        different people for a different number (42)
  --patients NUMBER    patients per practice, including the pinned ones (40)
  --as-of YYYY-MM-DD   reference date; no record is later (2026-11-15)
  --practice SLUG      this practice only; can be repeated
  --if-empty           skip existing practices
  --anew               recreate them and discard later changes
  --no-history         create no sample history for the demonstration, now or later

Practices: sandbox-template, sandpiper-demonstration, harbor-family, juniper-point, cedar-hollow, old-quay, canary
`,
  admin: (by) => `
${by('admin', 'create-staff --email ADDRESS --name NAME --role reviewer|ops')}
${by('admin', 'create-practice --slug SLUG --name NAME [--environment production|sandbox]')}
${by('admin', 'invite-practice-admin --practice SLUG --email ADDRESS')}

Creates the first people and practices of an installation. It neither asks for nor prints passwords: each person gets
an email with a link that works once. Staff choose a password and set up an authenticator app at their first sign-in, at
/staff/sign-in. The admin of a practice signs in at /practice/sign-in. Operators can also create practices, rename them
and invite their admins in the portal, at /staff/practices. They manage staff at /staff/people, where every role needs
the approval of a second operator: create two operators here first.

  --role          reviewer decides requests; ops runs the installation
  --environment   production by default
  --slug          part of the practice's addresses; it cannot be changed

Run create-staff or invite-practice-admin again to send a new link; the old one stops working. Emails are sent while a
server or worker is running. Every command is recorded in the audit log.

Exit code 3: the address or slug is taken, and nothing was changed.
`,
  doctor: () => `
sandpiper doctor

Checks a deployment from the machine and with the environment of a server: settings, database user, its TLS, migrations
and log, clock, keyring, documents, mail, folders, object storage, public origin with its certificate, proxies. Each line says what was
found; a warning or fault says what to do. It changes nothing, sends no email and prints no secret.

Exit code 1, too: at least one fault.
`,
  'move-documents': (by) => `
${by('move-documents', '--to s3')}         to the object storage of DOCUMENT_URL
${by('move-documents', '--to database')}   back to the database

Moves the bytes of existing documents; DOCUMENT_STORAGE says where new ones go. You can run it while the server is running,
stop it and run it again: it continues with the rest, and each document can be read at every moment. Bytes are compared
with their SHA-256 on the way. PostgreSQL uses the freed space again; VACUUM FULL clinical.binary_chunk returns it.

Exit code 3: the bytes of some documents are missing or damaged. They are counted and left as they are.
`,
  'rotate-keys': (by) => `
${by('rotate-keys')}

Rotates the key that signs id_tokens: the next key, which is already published, signs from now on; the current one
retires and stays published for a day; a new next key is created. You can run it while the server is running; the server
picks up the change within a minute. The next key must have been published for a day, because apps may cache the key set.

To change ENCRYPTION_KEYS: put the new key in front of the old one, restart every server, then run this command. It
re-encrypts signing keys and staff authenticator secrets with the new key. App secrets are rehashed when each is next
used, and links in emails are erased when the email is sent. The command lists what still needs an older key and forgets
keys that nothing needs. Run it again until it says that you can remove the older key: the server refuses to start
without a key that it still needs.
Rows of the audit chain stay signed with their original key, because signing them again would rewrite the evidence. Keep
that key for as long as the chain must be verifiable.
`,
  'audit-verify': (by) => `
${by('audit-verify')}

Checks every sealed audit row of the portal, every signed head and the head folders. Prints the last row up to which the
chain is proven. Exits with code 1, the row and the reason if a row was changed, removed or moved, if a head is missing or
unknown, or if rows older than five minutes are not sealed or not covered by a head. Needs the keys in ENCRYPTION_KEYS
that signed the rows and heads. You can run it while the server is running.

Also hashes the practices' record of access again, up to the last row that the chain covers, and exits with code 1 if a
row of it was changed, removed or added.

After restoring an older backup: ${by('audit-accept', '--help')}
`,
  'audit-accept': (by) => `
${by('audit-accept', '--reason "restored the backup of 20 November after a disk failure"')}

Use it when audit:verify reports heads that the database does not know, or heads missing from a head folder. Both are
expected after you restore an older backup. Records what is missing and the reason in the audit chain, signs a new head
after the lost ones, and completes the head folders. The lost heads stay in their files as evidence. It does not repair a
changed row.
`,
  import: (by) => `
${by('import', '--practice SLUG --synthetic PATH…')}

Loads R4 resources into a practice: NDJSON or Bundles, as Synthea or another server's bulk export writes them.
Everything is checked before the first resource is stored. If it is interrupted, run it again: it continues with
what is missing. Importing the same files twice changes nothing. Exit code 3: some lines were invalid.

  --synthetic      confirms that the files contain no real records; required for production practices
  --strict         stops at the first invalid line and stores nothing
  --rejects FILE   where invalid lines are listed with file, line and reason, for you alone to read
                   (import-rejects.ndjson beside the first PATH)
`,
  'export-practice': (by) => `
${by('export-practice', '--practice SLUG --out FOLDER')}

Writes every resource of a practice, one NDJSON file per type, and its documents' bytes. ${by('import')} can read
them.
`,
}

const exitCodes = `
Exit codes: 0 done, 1 failed, 2 wrong options or settings. With 2 nothing was changed.`

/** @type {Record<'sandpiper' | 'npm', Typed>} */
const typed = {
  sandpiper: (name, options = '') => `sandpiper ${name} ${options}`.trim(),
  npm: (name, options) => `npm run ${commands[name].npm ?? name}${options ? ` -- ${options}` : ''}`,
}

/**
 * @param {CommandName} name
 * @param {'sandpiper' | 'npm'} by how people call it
 */
export function helpOf(name, by) {
  return `${texts[name](typed[by]).trim()}\n${exitCodes}`
}

export function overview() {
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(17)}${summary}`)
  return `sandpiper COMMAND [options]

${lines.join('\n')}

sandpiper COMMAND --help lists options and exit codes. Every command works on the database of DATABASE_URL. None installs,
builds or starts anything else.`
}
