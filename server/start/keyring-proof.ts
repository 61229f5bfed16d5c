/**
 * Proves at start that ENCRYPTION_KEYS has the keys that sealed values in this database. A wrong key would otherwise only be
 * noticed at the first email with a link, MFA or id_token.
 *
 * Each key that seals values has a canary, a value sealed with it, in the database. `npm run rotate-keys` removes a canary
 * when nothing else needs its key.
 */
import type pg from 'pg'
import { sealContext as signingKeyContext } from '../domain/signing-keys/signing-keys.ts'
import { type Keyring, KeyringError, SealError } from '../keyring.ts'

type Canary = { keyId: string; sealed: Buffer }
export type KeyUses = { keyId: string; uses: { what: string; count: number }[] }

/** Columns whose values need the key that sealed them and cannot be regenerated. */
const columns = [
  { what: 'signing keys', table: 'signing_key', column: 'sealed_private' },
  { what: 'second steps', table: 'totp_secret', column: 'sealed_secret', where: 'confirmed_at IS NOT NULL' },
  {
    what: 'app secrets',
    table: 'client_secret',
    column: 'hash',
    where: 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())',
  },
  { what: 'passwords of sandbox people', table: 'practice', column: 'sealed_people_password' },
  { what: 'status subscriptions', table: 'status_subscription', column: 'sealed_token' },
  { what: 'links in emails', table: 'outbox_mail', column: 'sealed_links' },
  { what: 'audit rows', table: 'audit_event', column: 'chain_hash', where: 'octet_length(chain_hash) > 32' },
  { what: 'audit heads', table: 'audit_head', column: 'mac' },
] as const satisfies readonly { what: string; table: string; column: string; where?: string }[]

export const usedSealColumns: readonly string[] = columns.map(({ table, column }) => `${table}.${column}`)

/**
 * Runs before anything is sealed. Several processes may run it at once.
 * @throws KeyringError with a message for each missing or wrong key
 */
export async function proveKeyring({
  pool,
  keyring,
  clock,
}: {
  pool: pg.Pool
  keyring: Keyring
  clock: () => Date
}): Promise<void> {
  refuse(await findKeyringProblems({ pool, keyring }))
  const held = new Set(keyring.keyIds)
  const [first] = keyring.keyIds
  const used = (await listCanaries(pool)).length === 0 ? await listUses(pool) : []
  for (const keyId of new Set([first, ...used.map((each) => each.keyId)]))
    if (keyId !== undefined && held.has(keyId))
      await pool.query(
        `INSERT INTO portal.keyring_canary (key_id, sealed, created_at) VALUES ($1, $2, $3)
         ON CONFLICT DO NOTHING`,
        [keyId, Buffer.from(keyring.sealWith(keyId, Buffer.from(keyId), contextOf(keyId))), clock()],
      )
  // Another process may have inserted a canary with another key of the same id.
  refuse(await findKeyringProblems({ pool, keyring }))
}

/** @returns a message for each missing or wrong key */
export async function findKeyringProblems({ pool, keyring }: { pool: pg.Pool; keyring: Keyring }) {
  const canaries = await listCanaries(pool)
  // An earlier release sealed values without leaving canaries: the values serve as canaries.
  if (canaries.length === 0) return findProblemsWithoutCanaries({ pool, keyring })
  return canaries.flatMap(({ keyId, sealed }) => problemOf(keyring, keyId, sealed, contextOf(keyId)))
}

async function findProblemsWithoutCanaries({ pool, keyring }: { pool: pg.Pool; keyring: Keyring }) {
  const used = [...new Set((await listUses(pool)).map(({ keyId }) => keyId))]
  const missing = used.filter((keyId) => !keyring.keyIds.includes(keyId)).map(missingKey)
  const { rows } = await pool.query<{ kid: string; sealed: Buffer; keyId: string }>(
    `SELECT kid, sealed_private AS sealed, ${keyIdOf('sealed_private')} AS "keyId" FROM portal.signing_key`,
  )
  const wrong = rows
    .filter(({ keyId }) => keyring.keyIds.includes(keyId))
    .flatMap(({ kid, sealed, keyId }) => problemOf(keyring, keyId, sealed, signingKeyContext(kid)))
  return [...missing, ...new Set(wrong)]
}

/**
 * Removes the canaries of older keys that nothing needs any more, so that they can be removed from ENCRYPTION_KEYS.
 * @returns all older keys with the values that still need them
 */
export async function retireKeys({ pool, keyring }: { pool: pg.Pool; keyring: Keyring }): Promise<KeyUses[]> {
  const [first] = keyring.keyIds
  const uses = await listUses(pool)
  const older = (await listCanaries(pool)).map(({ keyId }) => keyId).filter((keyId) => keyId !== first)
  const result = older.map((keyId) => ({
    keyId,
    uses: uses.filter((use) => use.keyId === keyId).map(({ what, count }) => ({ what, count })),
  }))
  const unused = result.filter((key) => key.uses.length === 0).map(({ keyId }) => keyId)
  await pool.query('DELETE FROM portal.keyring_canary WHERE key_id = ANY ($1)', [unused])
  return result
}

function problemOf(keyring: Keyring, keyId: string, sealed: Uint8Array, context: string): string[] {
  if (!keyring.keyIds.includes(keyId)) return [missingKey(keyId)]
  try {
    keyring.open(sealed, context)
    return []
  } catch (error) {
    if (error instanceof SealError)
      return [
        `the key ${keyId} is not the key ${keyId} that encrypted data in this database. Use the original key`,
      ]
    throw error
  }
}

const missingKey = (keyId: string) =>
  `the key ${keyId} is missing, and it encrypted data in this database. Add it again, after the key that encrypts now`

async function listCanaries(pool: pg.Pool): Promise<Canary[]> {
  const { rows } = await pool.query<Canary>(
    'SELECT key_id AS "keyId", sealed FROM portal.keyring_canary ORDER BY key_id',
  )
  return rows
}

/** Counts the values that each key sealed, by kind. */
async function listUses(pool: pg.Pool): Promise<{ keyId: string; what: string; count: number }[]> {
  const parts = columns.map(
    ({ what, table, column, ...rest }) =>
      `SELECT '${what}' AS what, ${keyIdOf(column)} AS "keyId", count(*)::int AS count FROM portal.${table}
       WHERE ${column} IS NOT NULL${'where' in rest ? ` AND ${rest.where}` : ''} GROUP BY 1, 2`,
  )
  const { rows } = await pool.query(`${parts.join(' UNION ALL ')} ORDER BY "keyId", what`)
  return rows
}

/** The key id in front of a seal or keyed hash (keyring.ts). */
const keyIdOf = (column: string) => `encode(substr(${column}, 3, get_byte(${column}, 1)), 'escape')`

const contextOf = (keyId: string) => `keyring canary ${keyId}`

function refuse(problems: string[]): void {
  if (problems.length > 0) throw new KeyringError(problems)
}
