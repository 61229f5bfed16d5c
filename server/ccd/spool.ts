/** Text whose turn comes later, packed: the entries of a long section are much alike, and take a twentieth of their length. */
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** Of one piece, so that neither packing nor a slow reader holds more. */
const pieceBytes = 512 * 1024
/** A piece and the entry that filled it come out in one step, not in forty of zlib's own size. */
const unpackedBytes = 640 * 1024

export function createSpool() {
  const packed: Promise<Buffer>[] = []
  let gathering: Buffer = empty
  let length = 0

  /** As bytes at once: text that is put together from ten thousand parts is slow to read. */
  function add(text: string): void {
    // No character takes more than three bytes.
    const end = length + text.length * 3
    if (end > gathering.length) gathering = grown(gathering, length, end)
    length += gathering.write(text, length)
  }

  async function packGathered(): Promise<void> {
    const before = packed.at(-1)
    packed.push(deflate(gathering.subarray(0, length), { level: 1 }))
    packed.at(-1)?.catch(ignore)
    gathering = empty
    length = 0
    await before
  }

  async function* pieces(): AsyncGenerator<string, void> {
    let coming = unpacked(0)
    for (let at = 0; at < packed.length; at++) {
      const piece = await coming
      coming = unpacked(at + 1)
      yield piece.toString()
    }
    if (length > 0) yield gathering.toString('utf8', 0, length)
  }

  /** One is unpacked while the one before is sent. */
  function unpacked(at: number): Promise<Buffer> {
    const asked = (packed[at] ?? Promise.resolve(null)).then((piece) =>
      piece === null ? empty : inflate(piece, { chunkSize: unpackedBytes }),
    )
    asked.catch(ignore)
    return asked
  }

  return {
    add,

    /** It is time to pack. */
    isFull: () => length >= pieceBytes,

    /** Packs what was added; ends as soon as the piece before is packed, so that one is packed while the next is added. */
    pack: packGathered,

    /** So much that a part of it was packed. */
    isLong: () => packed.length > 0,

    /** Everything that was added, in its order. */
    pieces,
  }
}

const empty = Buffer.alloc(0)

function grown(buffer: Buffer, length: number, end: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.max(end, buffer.length * 2, 4096))
  buffer.copy(larger, 0, 0, length)
  return larger
}

/** Rejects for a caller that awaits it. One that stopped early gets no error. */
function ignore(): void {}
