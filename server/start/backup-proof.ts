/**
 * Proves a backup by restoring it: into a database kept for that, which is empty before and after. Its tables are held
 * against their hashes, and the audit chain is computed again.
 */
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { PrismaClient } from '../../prisma/generated/client/client.ts'
import { createPortalAudit } from '../audit/portal-audit.ts'
import { createSealer } from '../audit/sealer.ts'
import type { BackupEnv } from '../env.ts'
import type { Keyring } from '../keyring.ts'
import type { OnProgress } from '../store/backup/back-up.ts'
import { BackupBusyError, BackupError, type Manifest } from '../store/backup/manifest.ts'
import type { BackupPlace } from '../store/backup/place.ts'
import { proofApplication, restore } from '../store/backup/restore.ts'
import type { StoredProof } from '../store/backup/stored-proof.ts'
import { DatabaseClient } from '../store/database-client.ts'
import { migrate } from '../store/migrations.ts'
import { APP_ROLE } from '../store/roles.ts'

type Proving = {
  env: Pick<BackupEnv, 'BACKUP_PROOF_URL'>
  keyring: Keyring
  place: BackupPlace
  now: Date
  onProgress?: OnProgress
}

/** Left in a database that we may empty: a schema that no backup has. */
const mark = 'sandpiper_backup_proof'
const ours = ['portal', 'clinical', 'log', 'graphile_worker', mark]

/**
 * @throws BackupError when settings or database are not fit for it, and errors of database and storage: they say nothing
 * of the backup
 */
export async function proveBackup({ env, keyring, place, now, onProgress }: Proving): Promise<StoredProof> {
  const url = env.BACKUP_PROOF_URL
  if (!url)
    throw new BackupError(
      'BACKUP_PROOF_URL is missing: a proof restores the backup into a database of its own. Create an empty one, never ' +
        'that of the service, and name it',
    )
  const client = new DatabaseClient({ connectionString: url, application_name: proofApplication })
  await client.connect()
  try {
    await takeAlone(client)
    await requireOurs(client)
    await empty(client)
    try {
      return {
        at: now.toISOString(),
        fault: await findFault({ url, client, keyring, place, onProgress }),
      }
    } finally {
      await empty(client)
    }
  } finally {
    await client.end()
  }
}

type Finding = Pick<Proving, 'keyring' | 'place'> & {
  url: string
  client: pg.Client
  onProgress: OnProgress | undefined
}

async function findFault({ url, client, keyring, place, onProgress }: Finding): Promise<string | null> {
  await makeRole(client)
  await migrate({ ownerUrl: url, appRole: APP_ROLE })
  try {
    const from = { ownerUrl: url, appRole: APP_ROLE, from: place, replace: false }
    return await findBreak(url, keyring, await restore({ ...from, ...(onProgress && { onProgress }) }))
  } catch (error) {
    // Who is connected says nothing of the backup.
    if (error instanceof BackupError && !(error instanceof BackupBusyError)) return error.message
    throw error
  }
}

/** The heads in folders are of the service, and newer. What was not sealed yet then is not late. */
async function findBreak(url: string, keyring: Keyring, { createdAt }: Manifest): Promise<string | null> {
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  pool.on('error', () => {}) // told by the query
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) })
  try {
    const clock = () => new Date(createdAt)
    const portalAudit = createPortalAudit({ clock })
    const verdict = await createSealer({ prisma, clock, keyring, portalAudit, headFolders: {} }).verify()
    return verdict.intact ? null : `audit chain, row ${verdict.number}: ${verdict.reason}`
  } finally {
    await prisma.$disconnect()
    await pool.end()
  }
}

async function takeAlone(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ alone: boolean }>(
    `SELECT pg_try_advisory_lock(hashtextextended('sandpiper backup proof', 0)) AS alone`,
  )
  if (!rows[0]?.alone)
    throw new BackupBusyError('another proof uses the database of BACKUP_PROOF_URL: wait for its end')
}

/** Empty, or emptied by an earlier proof: anything else belongs to somebody. */
async function requireOurs(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; marked: boolean; known: boolean }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name, to_regnamespace($2) IS NOT NULL AS marked,
       n.nspname = ANY ($1) OR (n.nspname = 'public' AND c.relname LIKE '\\_prisma\\_migrations%') AS known
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' ORDER BY 3, 1`,
    [ours, mark],
  )
  const foreign = rows.find(({ marked, known }) => !(marked && known))
  if (foreign)
    throw new BackupError(
      `the database of BACKUP_PROOF_URL holds ${foreign.name}: a proof empties its database. Name one that is empty, ` +
        'and never that of the service',
    )
}

/** In one transaction: killed in between, it has the mark, or is as it was. */
async function empty(client: pg.Client): Promise<void> {
  const schemas = ours.filter((each) => each !== mark)
  await client.query(
    `BEGIN; CREATE SCHEMA IF NOT EXISTS ${mark}; DROP SCHEMA IF EXISTS ${schemas.join(', ')} CASCADE;
     DROP TABLE IF EXISTS public."_prisma_migrations"; COMMIT`,
  )
}

async function makeRole(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [APP_ROLE])
  if (rowCount === 1) return
  await client.query(`CREATE ROLE ${APP_ROLE} NOLOGIN`).catch((error: Error) => {
    throw new BackupError(
      `the server of BACKUP_PROOF_URL has no role ${APP_ROLE} (${error.message}). As an administrator: ` +
        `CREATE ROLE ${APP_ROLE} NOLOGIN`,
    )
  })
}
