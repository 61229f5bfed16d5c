import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../tests/support/database.ts'
import { migrate } from './migrations.ts'
import { APP_ROLE, prepareDatabaseUrls, servingUrl, withRole } from './roles.ts'

let database: TestDatabase
let administratorUrl: string

beforeEach(async () => {
  database = await testDatabase('empty')
  const url = new URL(inject('testServer').adminUrl)
  url.pathname = new URL(database.ownerUrl).pathname
  administratorUrl = url.href
})

afterEach(() => database.close())

describe('with DATABASE_URL alone', () => {
  it('its user owns the tables and the server acts as a role that owns nothing', async () => {
    const urls = await prepareDatabaseUrls({ databaseUrl: administratorUrl })
    await migrate({ ownerUrl: urls.ownerUrl, appRole: urls.appRole })

    expect(urls).toMatchObject({ ownerUrl: administratorUrl, appRole: APP_ROLE })
    expect(await ask(urls.appUrl, 'SELECT current_user::text AS name')).toEqual([{ name: APP_ROLE }])
    expect(await ask(urls.appUrl, 'SELECT count(*)::int FROM portal.account')).toEqual([{ count: 0 }])
    await expect(ask(urls.appUrl, 'DROP TABLE portal.account')).rejects.toThrow('must be owner')
  })

  it('a user who can neither make nor take on that role is told what to run', async () => {
    const plain = `sandpiper_test_${randomUUID().slice(0, 8)}`
    await ask(administratorUrl, `CREATE ROLE ${plain} NOLOGIN`)
    await ask(administratorUrl, `GRANT ${plain} TO CURRENT_USER`)

    const preparing = prepareDatabaseUrls({ databaseUrl: withRole(administratorUrl, plain) })

    await expect(preparing).rejects.toThrow(
      /CREATE ROLE sandpiper_app NOLOGIN; GRANT.*DATABASE_MIGRATION_URL/s,
    )
    await ask(administratorUrl, `DROP ROLE ${plain}`)
  })
})

describe('a process that only serves', () => {
  it('connects as the user of DATABASE_URL when that user owns nothing, and needs no owner', async () => {
    await migrate({ ownerUrl: database.ownerUrl })

    expect(await servingUrl(database.appUrl)).toBe(database.appUrl)
  })

  it('takes on the role made at migration when DATABASE_URL is the owner’s', async () => {
    await migrate({ ownerUrl: database.ownerUrl })
    await ask(administratorUrl, `GRANT ${APP_ROLE} TO ${new URL(database.ownerUrl).username}`).catch(() => {})

    const url = await servingUrl(database.ownerUrl)

    expect(await ask(url, 'SELECT current_user::text AS name')).toEqual([{ name: APP_ROLE }])
  })
})

async function ask(connectionString: string, sql: string) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
