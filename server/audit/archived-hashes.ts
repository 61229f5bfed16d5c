/** Hashes of the archived rows in the order of ids, object by object: seals are checked with them as with rows of the database. */
import { type ArchivedRecord, type ArchivePart, partColumns, readPart, toJson } from './access-archive.ts'

/** A row's id, and the hash that a seal is made of. */
type HashedRow = Readonly<{ id: string; hash: string }>

type ArchivedHashes = Readonly<{
  /** At most so many after one id, up to another and included. @throws ArchiveFault, ObjectStorageError */
  read(after: string, to: string, most: number): Promise<HashedRow[]>
  /** Whether months were archived or forgotten since. */
  hasChanged(): Promise<boolean>
}>

/**
 * @param hashText statement that makes HashedRows of rows that come as JSON
 * @param pending parts that the database does not know yet
 */
export async function openArchivedHashes(
  archive: ArchivedRecord,
  hashText: string,
  pending: readonly ArchivePart[] = [],
): Promise<ArchivedHashes> {
  const { pool } = archive
  const list = async () => {
    const { rows } = await pool.query<ArchivePart>(
      `SELECT ${partColumns} FROM log.access_archive ORDER BY key, start`,
    )
    return rows
  }
  const known = await list()
  const objects = toObjects([...known, ...pending])
  /** Of the objects that the place reached is in. Ids of two months overlap where the months meet. */
  const open = new Map<string, [bigint, string][]>()

  async function load(parts: readonly ArchivePart[]): Promise<[bigint, string][]> {
    const rows: [bigint, string][] = []
    for (const part of parts) {
      const hashed = await pool.query<HashedRow>(hashText, [toJson(await readPart(archive, part))])
      rows.push(...hashed.rows.map(({ id, hash }): [bigint, string] => [BigInt(id), hash]))
    }
    return rows.sort(byId)
  }

  return {
    async read(after, to, most) {
      const [first, last] = [BigInt(after), BigInt(to)]
      const found: [bigint, string][] = []
      for (const { key, parts, firstId, lastId } of objects) {
        if (lastId <= first) open.delete(key)
        if (lastId <= first || firstId > last) continue
        const rows = open.get(key) ?? (await load(parts))
        open.set(key, rows)
        const begin = rows.findIndex(([id]) => id > first)
        for (let at = begin; at >= 0 && at < begin + most; at++) {
          const row = rows[at]
          if (!row || row[0] > last) break
          found.push(row)
        }
      }
      return found
        .sort(byId)
        .slice(0, most)
        .map(([id, hash]) => ({ id: `${id}`, hash }))
    },
    hasChanged: async () => JSON.stringify(await list()) !== JSON.stringify(known),
  }
}

const byId = ([one]: [bigint, string], [other]: [bigint, string]) => (one < other ? -1 : one > other ? 1 : 0)

type StoredObject = { key: string; parts: ArchivePart[]; firstId: bigint; lastId: bigint }

function toObjects(parts: readonly ArchivePart[]): StoredObject[] {
  const objects = new Map<string, StoredObject>()
  for (const part of parts) {
    const [firstId, lastId] = [BigInt(part.firstId), BigInt(part.lastId)]
    const known = objects.get(part.key)
    if (known === undefined) objects.set(part.key, { key: part.key, parts: [part], firstId, lastId })
    else {
      known.parts.push(part)
      if (firstId < known.firstId) known.firstId = firstId
      if (lastId > known.lastId) known.lastId = lastId
    }
  }
  return [...objects.values()]
}
