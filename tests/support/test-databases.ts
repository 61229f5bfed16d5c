/** Databases of tests, as copies of templates; knows no test runner. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { migrate } from '../../server/store/migrations.ts'
import { APP_ROLE, type DatabaseUrls } from '../../server/store/roles.ts'
import { loadCast } from './cast.ts'
import type { TestServer } from './test-server.ts'

/** `cast`: migrated, with the pinned people. `schema`: migrated only. `empty`: nothing at all. */
export type Template = 'cast' | 'schema' | 'empty'

/** Any number will do, as long as every worker takes the same. */
const TEMPLATE_LOCK = 20261120

/**
 * Copies the template in about 50 ms; the template is made by whoever asks first.
 * @returns the copy's URLs, how to drop it whoever is still connected, and how to cut connections to it as an
 *   administrator may: those for which a condition on pg_stat_activity holds
 */
export async function createTestDatabase(
  server: TestServer,
  template: Template,
): Promise<
  DatabaseUrls & {
    drop: () => Promise<void>
    cut: (condition: string, ...values: unknown[]) => Promise<number>
  }
> {
  const name = `${server.prefix}${randomUUID().slice(0, 8)}`
  await asAdmin(server, async (client) => {
    if (template !== 'empty') await prepareTemplate(client, server, template)
    await createDatabase(client, server, name, template)
  })
  const drop = () =>
    asAdmin(server, async (client) => {
      await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    })
  const cut = (condition: string, ...values: unknown[]) =>
    asAdmin(server, async (client) => {
      const { rowCount } = await client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND ${condition}`,
        values,
      )
      return rowCount ?? 0
    })
  return { ...urlsOf(server, name), drop, cut }
}

async function prepareTemplate(client: pg.Client, server: TestServer, template: 'cast' | 'schema') {
  const name = templateName(server, template)
  if (await databaseExists(client, name)) return
  if (template === 'cast') await prepareTemplate(client, server, 'schema')
  await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK])
  try {
    if (await databaseExists(client, name)) return
    // Under its name only when it is whole: nobody copies half a template.
    const draft = `${name}_draft`
    await client.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`)
    await createDatabase(client, server, draft, template === 'cast' ? 'schema' : 'empty')
    const urls = urlsOf(server, draft)
    if (template === 'schema') await migrate({ ownerUrl: urls.ownerUrl, appRole: urls.appRole })
    else {
      await loadCast(urls)
      await compact(urls.ownerUrl)
    }
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${name}`)
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [TEMPLATE_LOCK])
  }
}

/**
 * Indexes that were filled in no order are half empty, migrations leave dead rows in the catalog: every copy would
 * carry both. Its statistics know the people of the template and nobody who comes later, as in an installation.
 */
async function compact(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    await client.query('REINDEX SCHEMA clinical')
    await client.query('VACUUM (FULL) pg_attribute, pg_proc, pg_depend, pg_class, pg_constraint')
    await client.query('ANALYZE')
  } finally {
    await client.end()
  }
}

async function createDatabase(client: pg.Client, server: TestServer, name: string, template: Template) {
  const source = template === 'empty' ? 'template0' : templateName(server, template)
  const owner = server.ownerRole ? ` OWNER ${server.ownerRole}` : ''
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${source} STRATEGY FILE_COPY${owner}`)
}

async function databaseExists(client: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
  return rowCount === 1
}

function templateName(server: TestServer, template: 'cast' | 'schema'): string {
  return `${server.prefix}template_${template}`
}

function urlsOf(server: TestServer, name: string): DatabaseUrls {
  return {
    ownerUrl: server.ownerUrl.replace('DATABASE', name),
    appUrl: server.appUrl.replace('DATABASE', name),
    appRole: APP_ROLE,
  }
}

async function asAdmin<T>(server: TestServer, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server.adminUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
