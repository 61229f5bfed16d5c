/** Text whose turn comes later, packed: the entries of a long section are much alike, and take a twentieth of their length. */
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'

const pack = promisify(deflateRaw)
const unpack = promisify(inflateRaw)

/** Characters in one piece, so that neither packing nor a slow reader holds more. */
const pieceCharacters = 512 * 1024

export interface Spool {
  add(text: string): Promise<void>
  /** So much that a part of it was packed. */
  isLong(): boolean
  /** Everything that was added, in its order. */
  pieces(): AsyncGenerator<string, void>
}

export function createSpool(): Spool {
  const packed: Buffer[] = []
  let gathered = ''

  async function add(text: string): Promise<void> {
    gathered += text
    if (gathered.length < pieceCharacters) return
    const piece = gathered
    gathered = ''
    packed.push(await pack(piece, { level: 1 }))
  }

  async function* pieces(): AsyncGenerator<string, void> {
    for (const piece of packed) yield (await unpack(piece)).toString()
    if (gathered !== '') yield gathered
  }

  return { add, isLong: () => packed.length > 0, pieces }
}
