/** A backup's `manifest.json`: enough to refuse what does not fit, and to prove what was restored. */
import { z } from 'zod'

/** A message for people. Nothing was changed unless the message says otherwise. */
export class BackupError extends Error {
  override name = 'BackupError'
}

/** Another one is at the same work. */
export class BackupBusyError extends BackupError {
  override name = 'BackupBusyError'
}

export const formats = ['custom', 'portable'] as const
export type Format = (typeof formats)[number]

const hash = z.string().regex(/^[0-9a-f]{64}$/)
/** Of this folder alone: a manifest of somebody else's making must not lead anywhere. */
const fileName = z.string().regex(/^[a-z_]+(\.[a-z_]+)*(\.ndjson\.gz|\.dump)$/)
const file = z.object({ name: fileName, bytes: z.int().min(0), sha256: hash })

const manifestSchema = z.object({
  kind: z.literal('sandpiper backup'),
  version: z.literal(1),
  format: z.enum(formats),
  createdAt: z.iso.datetime(),
  /** Version of this program. */
  program: z.string(),
  postgresql: z.int(),
  /** Major version of pg_dump; null in the portable format. */
  pgDump: z.int().nullable(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })).min(1),
  tables: z.array(
    z.object({
      name: z.string(),
      rows: z.int().min(0),
      /** Of its lines, uncompressed. */
      sha256: hash,
      /** In the portable format. */
      file: file.optional(),
    }),
  ),
  sequences: z.array(z.object({ name: z.string(), last: z.string().nullable() })),
  jobs: z.object({ file, count: z.int().min(0) }),
  /** Of the custom format. */
  dump: file.optional(),
  /** SHA-256 of executed agreements. */
  executed: z.array(hash),
  /** Ids, never keys, of the keyring that opens what is sealed. */
  sealedWith: z.array(z.string()),
  /** SHA-256 of documents whose bytes were missing in object storage. */
  lost: z.array(hash).optional(),
})

export type Manifest = z.output<typeof manifestSchema>

export const MANIFEST = 'manifest.json'

/**
 * @param name of the place, for people
 * @throws BackupError when it is none that this release reads
 */
export function parseManifest(text: string, name: string): Manifest {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw new BackupError(`${MANIFEST} in ${name} is not whole`)
  }
  const parsed = manifestSchema.safeParse(content)
  if (!parsed.success) {
    const at = parsed.error.issues[0]?.path.join('.')
    throw new BackupError(`${MANIFEST} in ${name} is not one that this release reads (${at})`)
  }
  return parsed.data
}

/** @throws BackupError naming what differs: rows of other tables would be lost or half right */
export function requireSameMigrations(
  backup: Manifest,
  database: readonly { name: string; checksum: string }[],
): void {
  const here = new Map(database.map(({ name, checksum }) => [name, checksum]))
  const there = new Map(backup.migrations.map(({ name, checksum }) => [name, checksum]))
  const missing = [...there.keys()].filter((name) => !here.has(name))
  const others = [...here.keys()].filter((name) => !there.has(name))
  const edited = [...there].filter(([name, checksum]) => here.has(name) && here.get(name) !== checksum)
  const lines = [
    ...missing.map((name) => `only the backup has ${name}`),
    ...others.map((name) => `only this database has ${name}`),
    ...edited.map(([name]) => `${name} is not the same`),
  ]
  if (lines.length === 0) return
  throw new BackupError(
    `the backup was made by version ${backup.program}, with other migrations:\n` +
      `${lines.map((line) => `  - ${line}`).join('\n')}\n` +
      'Restore it with the release that made it, then start the newer one: it migrates.',
  )
}
