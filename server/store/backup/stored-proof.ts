/** The result of a proof, beside its backup in object storage, and signed: who proves may be another machine. */
import { z } from 'zod'
import type { Keyring } from '../../keyring.ts'
import type { S3Client } from '../s3-client.ts'

const context = 'backup proof'
const schema = z.object({ backup: z.string(), at: z.iso.datetime(), fault: z.string().nullable() })

export type StoredProof = { at: string; fault: string | null }

const keyOf = (backup: string) => `${backup}/proof`

export async function writeProof(
  client: S3Client,
  keyring: Pick<Keyring, 'mac'>,
  backup: string,
  { at, fault }: StoredProof,
): Promise<void> {
  const text = JSON.stringify({ backup, at, fault })
  const seal = Buffer.from(keyring.mac(text, context)).toString('base64')
  await client.put(keyOf(backup), Buffer.from(`${text}\n${seal}\n`))
}

/** Null: there is none that this installation signed. */
export async function readProof(
  client: S3Client,
  keyring: Pick<Keyring, 'matchesMac'>,
  backup: string,
): Promise<StoredProof | null> {
  const stream = await client.get(keyOf(backup))
  if (stream === null) return null
  const [text = '', seal = ''] = Buffer.concat(await stream.toArray())
    .toString('utf8')
    .split('\n')
  if (!keyring.matchesMac(text, Buffer.from(seal, 'base64'), context)) return null
  const parsed = schema.safeParse(JSON.parse(text))
  return parsed.success && parsed.data.backup === backup
    ? { at: parsed.data.at, fault: parsed.data.fault }
    : null
}

/** @param backups oldest first. @returns the last one that was found good, and when */
export async function findLastProven(
  client: S3Client,
  keyring: Pick<Keyring, 'matchesMac'>,
  backups: readonly string[],
): Promise<{ backup: string; at: string } | null> {
  for (const backup of backups.toReversed()) {
    const proof = await readProof(client, keyring, backup)
    if (proof?.fault === null) return { backup, at: proof.at }
  }
  return null
}
