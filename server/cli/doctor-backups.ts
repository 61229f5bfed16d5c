/** What `sandpiper doctor` says of backups in object storage. */
import type { Env } from '../env.ts'
import { createKeyring } from '../keyring.ts'
import { openBackupStorage, requireRecipients } from '../start/backup-storage.ts'
import { createEncrypter } from '../store/backup/age-files.ts'
import { listBackups, timeOf } from '../store/backup/object-place.ts'
import { findLastProven, readProof } from '../store/backup/stored-proof.ts'
import type { Finding } from './finding.ts'

const hourMs = 3_600_000
/** One a day, and two hours for making it. */
const ageMax = 26 * hourMs
const proofAgeMax = 50 * hourMs
const page = 'docs/operations/backup.md'

export async function checkBackups(env: Env, now = new Date()): Promise<Finding[]> {
  const name = 'backups'
  if (env.BACKUP_URL === undefined)
    return [
      {
        name,
        state: 'warning',
        finding: 'the worker makes none: BACKUP_URL is not set',
        fix: `Set it, or make sure that something else makes them and tries them: ${page}`,
      },
    ]
  try {
    await createEncrypter(requireRecipients(env))
    const { client, address } = openBackupStorage(env.BACKUP_URL, env)
    const { complete } = await listBackups(client)
    const newest = complete.at(-1)
    const fix = `Look into the worker’s log, or run sandpiper backup: ${page}`
    if (newest === undefined)
      return [{ name, state: 'warning', finding: `there is none below ${address}`, fix }]
    const age = now.getTime() - timeOf(newest).getTime()
    const finding = `${complete.length} below ${address}, the newest is ${newest}`
    const keyring = createKeyring(env.ENCRYPTION_KEYS)
    const proof = await readProof(client, keyring, newest)
    const proven = await findLastProven(client, keyring, complete.slice(-40))
    return [
      age > ageMax ? { name, state: 'fault', finding, fix } : { name, state: 'ok', finding },
      describeProof(proof?.fault ?? null, proven?.at ?? null, now),
    ]
  } catch (error) {
    const { message } = error as Error
    return [{ name, state: 'fault', finding: message, fix: `Check the variables BACKUP_*: ${page}` }]
  }
}

function describeProof(fault: string | null, proven: string | null, now: Date): Finding {
  const name = 'backup proof'
  const fix = `Run sandpiper prove-backup where the private key is: ${page}`
  if (fault !== null) return { name, state: 'fault', finding: `the newest backup is not good: ${fault}`, fix }
  if (proven === null) return { name, state: 'warning', finding: 'no backup was ever proven', fix }
  const isOld = now.getTime() - Date.parse(proven) > proofAgeMax
  const finding = `a backup was found good at ${proven}`
  return isOld ? { name, state: 'warning', finding, fix } : { name, state: 'ok', finding }
}
