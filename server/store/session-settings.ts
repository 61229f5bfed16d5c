/**
 * PostgreSQL settings that our statements rely on for results, speed or privacy. The embedded server starts with them. On
 * other servers, migrating sets them for the database, as far as the owner may, and every start checks them.
 */
import type pg from 'pg'
import { withDatabaseClient } from './database-client.ts'
import { addOptions, parseDatabaseUrl } from './database-url.ts'

type Setting = {
  name: string
  value: string
  /** Only a superuser may set it: then people are asked to. */
  superuser?: true
}

const settings: readonly Setting[] = [
  // Compiling a statement takes longer than running it: $everything took ten times its time.
  { name: 'jit', value: 'off' },
  // Planning a statement takes longer than running it, and each connection would plan its first five runs anew.
  { name: 'plan_cache_mode', value: 'force_generic_plan' },
  { name: 'TimeZone', value: 'UTC' },
  // The driver reads dates in this form.
  { name: 'DateStyle', value: 'ISO, MDY' },
  // Statements and key values can hold people's data, which must not get into PostgreSQL's log.
  { name: 'log_min_error_statement', value: 'panic', superuser: true },
  { name: 'log_error_verbosity', value: 'terse', superuser: true },
]

/** The database cannot be used as it is; the message says what to do. */
export class DatabaseSettingsError extends Error {
  override name = 'DatabaseSettingsError'
}

/** Sets what the connected user may set for the whole database. Run under the lock of migrations. */
export async function setDatabaseSettings(client: pg.ClientBase): Promise<void> {
  for (const { name, value } of await findOthers(client)) {
    await client.query(`DO $$ BEGIN
      EXECUTE format('ALTER DATABASE %I SET ${name} TO ${quoted(value)}', current_database());
    EXCEPTION WHEN insufficient_privilege THEN NULL; END $$`)
  }
}

/**
 * Adds the settings that the database or role does not have as connection options to the URL.
 * @throws DatabaseSettingsError if connections do not accept them, or if the database is not in UTF-8
 */
export async function withSettings(url: string): Promise<string> {
  const others = (await readSettings(url)).filter(({ superuser }) => !superuser)
  if (others.length === 0) return url
  const result = addOptions(
    url,
    others.map(({ name, value }) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`),
  )
  const left = await readSettings(result).then(
    (found) => found.filter(({ superuser }) => !superuser),
    () => others,
  )
  if (left.length > 0)
    throw new DatabaseSettingsError(
      'this database has settings that Sandpiper cannot work with, and its connections do not take on others. ' +
        `Let its owner run: ${left.map((each) => statementFor(each, parseDatabaseUrl(url).database)).join(' ')}`,
    )
  return result
}

/** @returns statements for a superuser, one for each setting that differs */
export async function findStatementsForSuperuser(client: Pick<pg.Pool, 'query'>): Promise<string[]> {
  const others = await findOthers(client)
  const { rows } = await client.query<{ name: string }>(`SELECT quote_ident(current_database()) AS name`)
  return others.map((each) => statementFor(each, rows[0]?.name))
}

function readSettings(url: string): Promise<Setting[]> {
  return withDatabaseClient(url, async (client) => {
    const { rows } = await client.query<{ encoding: string }>(
      `SELECT current_setting('server_encoding') AS encoding`,
    )
    if (rows[0]?.encoding !== 'UTF8')
      throw new DatabaseSettingsError(
        `the database stores text as ${rows[0]?.encoding}, and Sandpiper needs UTF8. ` +
          'Create another one: CREATE DATABASE sandpiper TEMPLATE template0 ENCODING UTF8;',
      )
    return findOthers(client)
  })
}

/** @returns settings that have another value in this session */
async function findOthers(client: Pick<pg.Pool, 'query'> | pg.ClientBase): Promise<Setting[]> {
  const { rows } = await (client as pg.ClientBase).query<{ name: string; value: string }>(
    `SELECT name, current_setting(name) AS value FROM unnest($1::text[]) name`,
    [settings.map(({ name }) => name)],
  )
  const found = new Map(rows.map(({ name, value }) => [name, value]))
  return settings.filter(({ name, value }) => !sameValue(name, found.get(name), value))
}

/** UTC has many names, and the order of day and month does not matter in ISO dates. */
function sameValue(name: string, found: string | undefined, expected: string): boolean {
  if (name === 'TimeZone') return found !== undefined && /^(Etc\/)?(UTC|UCT|Universal|Zulu)$/i.test(found)
  if (name === 'DateStyle') return found?.startsWith('ISO') ?? false
  return found === expected
}

const quoted = (value: string) => `''${value}''`
const statementFor = ({ name, value }: Setting, database: string | undefined) =>
  `ALTER DATABASE ${database} SET ${name} TO '${value}';`
