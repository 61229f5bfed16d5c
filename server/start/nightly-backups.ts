/** What the worker does about backups: one each night, its proof, and the record of both for operators and metrics. */
import type { Logger } from 'pino'
import type { PrismaClient } from '../../prisma/generated/client/client.ts'
import type { PortalAudit } from '../audit/portal-audit.ts'
import { type BackupState, recordBackupState } from '../domain/operations/backup-state.ts'
import type { Env } from '../env.ts'
import type { Keyring } from '../keyring.ts'
import { BackupBusyError } from '../store/backup/manifest.ts'
import { listBackups, timeOf } from '../store/backup/object-place.ts'
import { findLastProven, readProof } from '../store/backup/stored-proof.ts'
import { openBackupStorage } from './backup-storage.ts'
import { makeBackup, proveStored } from './backups.ts'

type Dependencies = {
  env: Env
  keyring: Keyring
  prisma: PrismaClient
  portalAudit: PortalAudit
  clock: () => Date
  log: Logger
}

/** Older ones are not looked at every ten minutes. */
const provenAmong = 40
const dayMs = 86_400_000
/** A backup that was found bad is tried again then: a broken connection looks the same. */
const proveAgainMs = 6 * 3_600_000

/** The last moment at which a backup was due: HH:MM in UTC, today or yesterday. */
export function lastDue(at: string, now: Date): Date {
  const today = new Date(`${now.toISOString().slice(0, 10)}T${at}:00Z`)
  return today <= now ? today : new Date(today.getTime() - dayMs)
}

export function createNightlyBackups({ env, keyring, prisma, portalAudit, clock, log }: Dependencies) {
  async function look(url: string): Promise<BackupState> {
    const { client } = openBackupStorage(url, env)
    const { complete } = await listBackups(client)
    const newest = complete.at(-1) ?? null
    const last = newest === null ? null : await readProof(client, keyring, newest)
    const proven = await findLastProven(client, keyring, complete.slice(-provenAmong))
    return {
      newest: newest === null ? null : { name: newest, at: timeOf(newest).toISOString() },
      proof: last,
      proven: proven?.at ?? null,
      provesHere: env.BACKUP_PROOF_URL !== undefined,
    }
  }

  async function attempt(what: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof BackupBusyError)) log.error({ err: error }, `${what}; it is tried again`)
    }
  }

  /** Does what is due. Of two at once one does nothing. */
  async function tick(): Promise<void> {
    const { BACKUP_URL: to } = env
    const record = (state: BackupState | null) => recordBackupState({ prisma, portalAudit }, state)
    if (to === undefined) return record(null)
    const before = await look(to)
    await record(before)
    if (before.newest === null || new Date(before.newest.at) < lastDue(env.BACKUP_AT, clock()))
      await attempt('a backup could not be made', async () => {
        const keepDays = env.BACKUP_KEEP_DAYS ?? null
        const { name, kept, manifest } = await makeBackup({
          env,
          keyring,
          to,
          format: 'portable',
          keepDays,
          now: clock(),
        })
        log.info({ name }, 'a backup was made')
        if (manifest.lost)
          log.error(
            { name, documents: manifest.lost.length },
            'a backup lacks documents whose objects are missing',
          )
        if (kept !== null) log.warn({ reason: kept }, 'older backups could not be removed')
      })
    const { newest, proof } = await look(to)
    const isProven =
      proof !== null && (proof.fault === null || clock().getTime() - Date.parse(proof.at) < proveAgainMs)
    if (env.BACKUP_PROOF_URL !== undefined && newest !== null && !isProven)
      await attempt('a backup could not be proven', async () => {
        const { fault } = await proveStored({
          env,
          keyring,
          now: clock(),
          from: `${to.replace(/\/$/, '')}/${newest.name}`,
        })
        if (fault !== null) log.error({ name: newest.name, fault }, 'the newest backup is not good')
      })
    await record(await look(to))
  }

  return { tick }
}
