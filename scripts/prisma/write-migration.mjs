import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { built } from '../setup/database.mjs'
import { ROOT } from '../setup/folders.mjs'
import { SetupError } from '../setup-error.mjs'
import { diffToSchema } from './schema-engine.mjs'

const MIGRATIONS = path.join(ROOT, 'prisma/migrations')

/**
 * Migrations apply by name, and some names lie in the future: a new one takes the present second, or the one after the
 * newest.
 * @param {string} newest `yyyymmddhhmmss`
 * @param {Date} now
 */
export function stampAfter(newest, now) {
  const stampOf = (/** @type {Date} */ time) => time.toISOString().replace(/\D/g, '').slice(0, 14)
  const newestTime = newest.replace(/(....)(..)(..)(..)(..)(..)/, '$1-$2-$3T$4:$5:$6Z')
  return stampOf(now) > newest ? stampOf(now) : stampOf(new Date(Date.parse(newestTime) + 1000))
}

/** @param {string} newestBefore name of the last migration before the baseline, which has no stamp */
function newestStamp(newestBefore) {
  const names = fs.readdirSync(MIGRATIONS).filter((name) => /^\d{14}_/.test(name))
  return [newestBefore, ...names].sort().at(-1)?.slice(0, 14) ?? ''
}

/**
 * Writes the migration that leads from the existing ones to `schema.prisma`.
 * @param {string} name snake_case words for what it does
 * @param {string} adminUrl of a role that may create databases
 * @returns {Promise<string | null>} its folder, or null when there is no difference
 */
export async function writeMigration(name, adminUrl) {
  if (!/^[a-z][a-z0-9_]*$/.test(name))
    throw new SetupError('name the migration by what it does, in small letters: npm run db:new -- add_birds')
  const { migrate, NEWEST_BEFORE_BASELINE } = await built('server/store/migrations.js')
  const sql = await inDraftDatabase(adminUrl, async (url) => {
    await migrate({ ownerUrl: url })
    return diffToSchema(url)
  })
  if (sql === '') return null
  const folder = path.join(
    MIGRATIONS,
    `${stampAfter(newestStamp(NEWEST_BEFORE_BASELINE), new Date())}_${name}`,
  )
  fs.mkdirSync(folder)
  // The engine writes names without their schema.
  fs.writeFileSync(path.join(folder, 'migration.sql'), `SET LOCAL search_path TO portal, public;\n\n${sql}`)
  return folder
}

/**
 * @template T
 * @param {string} adminUrl
 * @param {(url: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
async function inDraftDatabase(adminUrl, work) {
  const name = `sandpiper_draft_${crypto.randomUUID().slice(0, 8)}`
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query(`CREATE DATABASE ${name} TEMPLATE template0`)
    try {
      return await work(url.href)
    } finally {
      await client.query(`DROP DATABASE ${name} WITH (FORCE)`)
    }
  } finally {
    await client.end()
  }
}
