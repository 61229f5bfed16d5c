/** A folder outside the database that keeps the heads of the audit chain. Lines are appended and never rewritten. */
import { open, readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { makeFolder } from '../store/make-folder.ts'
import { type HeadLine, parseHeadLine } from './head.ts'

/** A file stays small enough to be read every minute. */
const headsPerFile = 1_000n
const filePattern = /^heads-\d{9}\.jsonl$/

export function createHeadFolder({ name, folder }: { name: string; folder: string }) {
  /** Appends heads and flushes them to the disk. Writing a head twice does no harm. */
  async function append(heads: readonly HeadLine[]): Promise<void> {
    await makeFolder(folder)
    for (const file of new Set(heads.map(fileOf))) {
      const lines = heads.filter((head) => fileOf(head) === file)
      const handle = await open(join(folder, file), 'a+', 0o600)
      try {
        const { size } = await handle.stat()
        const last = Buffer.alloc(1)
        if (size > 0) await handle.read(last, 0, 1, size - 1)
        // After a line that a crash truncated, the next line must begin on its own line.
        const start = size > 0 && last.toString() !== '\n' ? '\n' : ''
        await handle.appendFile(`${start}${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
        await handle.sync()
      } finally {
        await handle.close()
      }
    }
  }

  /** Every head of the folder, in the order of its files. */
  async function readAll(): Promise<HeadLine[]> {
    const heads: HeadLine[] = []
    for (const file of await listFiles()) heads.push(...(await readHeads(file)))
    return heads
  }

  /** The head with the highest sequence; null: there is none. */
  async function newest(): Promise<HeadLine | null> {
    for (const file of (await listFiles()).reverse()) {
      const heads = await readHeads(file)
      const [first, ...rest] = heads
      if (first)
        return rest.reduce(
          (most, each) => (BigInt(each.sequence) > BigInt(most.sequence) ? each : most),
          first,
        )
    }
    return null
  }

  async function readHeads(file: string): Promise<HeadLine[]> {
    const text = await readFile(join(folder, file), 'utf8')
    return text.split('\n').flatMap((line) => parseHeadLine(line) ?? [])
  }

  async function listFiles(): Promise<string[]> {
    const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    return names.filter((each) => filePattern.test(each)).sort()
  }

  return { name, append, readAll, newest }
}

const fileOf = ({ sequence }: HeadLine): string =>
  `heads-${(BigInt(sequence) / headsPerFile).toString().padStart(9, '0')}.jsonl`

export type HeadFolder = ReturnType<typeof createHeadFolder>

/** The configured folders by their names in the database. */
export function headFolders(env: { AUDIT_HEADS_DIR: string; AUDIT_HEADS_SECOND_DIR?: string | undefined }) {
  const { AUDIT_HEADS_DIR: first, AUDIT_HEADS_SECOND_DIR: second } = env
  return { first: resolve(first), ...(second ? { second: resolve(second) } : {}) }
}
