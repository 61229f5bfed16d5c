/**
 * Rendered public pages, kept for a short time for visitors without a session. A page is stored with
 * gaps where its nonce and correlation id were; every response gets its own. It is compressed once: the gaps are
 * filled in the compressed page, too.
 */
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw as deflateRawCallback } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { keptUntilHeader } from './inner-socket.ts'

const deflateRaw = promisify(deflateRawCallback)

/** Values that every response has of its own, wherever the page repeats them. */
export type PageMarks = Readonly<{ nonce: string; correlationId: string }>

/** How a caller wants a page that is kept. */
type PageWish = Readonly<{ marks: PageMarks; gzip: boolean }>

/** Text of the page, or the name of the mark that stands there. */
type Part = Readonly<{ mark: keyof PageMarks }> | Readonly<{ text: Buffer; deflated: Buffer }>

export type StoredPage = Readonly<{
  status: number
  headers: readonly (readonly [name: string, value: string])[]
  /** Those that it was rendered with. */
  marks: PageMarks
  parts: readonly Part[]
  /** Set when the page may be given to others. */
  isShared: boolean
}>

/** `times`: how often it was given out. */
type Kept = { page: StoredPage; until: number; times: number }

/** Headers that every response gets anew. */
const ofOneResponse = new Set(['content-length', 'date', 'x-correlation-id', keptUntilHeader])

const bytesMax = 32 * 1_048_576
/** A page that so many ask for while it is kept is kept for longer: rendering it must not take from everybody else. */
const soughtFrom = 20
const soughtKeptMs = 4_000

/** @param clock of the time to live, injected so that tests need not wait */
export function createPageCache({ clock }: { clock: () => Date }) {
  const stored = new LRUCache<string, Kept>({
    maxSize: bytesMax,
    sizeCalculation: ({ page }) => page.parts.reduce((sum, part) => sum + sizeOf(part), 1_000),
  })
  const rendering = new Map<string, Promise<StoredPage>>()

  /** The page without rendering it, and until when it is kept; null when it must be rendered. */
  function find(key: string): Pick<Kept, 'page' | 'until'> | null {
    const found = stored.get(key)
    if (found === undefined) return null
    const more = found.times >= soughtFrom ? soughtKeptMs : 0
    if (found.until + more <= clock().getTime()) return null
    found.times++
    return found
  }

  /** A page that another process rendered. */
  async function keep(key: string, response: Response, marks: PageMarks, until: number): Promise<void> {
    const page = await toStored(response, marks)
    const headers = page.headers.filter(([name]) => !ofOneResponse.has(name))
    if (page.isShared) stored.set(key, { page: { ...page, headers }, until, times: 0 })
  }

  /**
   * Renders the page once, however many ask for it at this moment.
   * @param renderPage called with marks that stand for those of every response
   * @returns null when it was rendered for another person and must not be shared
   */
  async function render(
    key: string,
    secondsKept: number,
    wish: PageWish,
    renderPage: () => Promise<Response>,
  ): Promise<Response | null> {
    const underWay = rendering.get(key)
    if (underWay !== undefined) {
      const page = await underWay
      return page.isShared ? toResponse(page, wish) : null
    }
    const begun = renderPage()
      .then((response) => toStored(response, wish.marks))
      .finally(() => rendering.delete(key))
    rendering.set(key, begun)
    const page = await begun
    if (page.isShared && page.status === 200)
      stored.set(key, { page, until: clock().getTime() + secondsKept * 1_000, times: 0 })
    return toResponse(page, wish)
  }

  return { find, keep, render }
}

const sizeOf = (part: Part): number => ('mark' in part ? 0 : part.text.length + part.deflated.length)

async function toStored(response: Response, marks: PageMarks): Promise<StoredPage> {
  const pieces = (await response.text()).split(
    new RegExp(`(${marks.nonce.replaceAll('+', '\\+')}|${marks.correlationId})`),
  )
  const parts = await Promise.all(
    pieces.map(async (piece, at): Promise<Part> => {
      if (at % 2 === 1) return { mark: piece === marks.nonce ? 'nonce' : 'correlationId' }
      const text = Buffer.from(piece)
      // Ends at a whole byte, and refers to nothing before it: the parts can be put one after another.
      return { text, deflated: await deflateRaw(text, { finishFlush: constants.Z_SYNC_FLUSH }) }
    }),
  )
  return {
    status: response.status,
    headers: [...response.headers],
    marks,
    parts,
    isShared: response.status < 500 && !response.headers.has('set-cookie'),
  }
}

export function toResponse(
  { status, headers: kept, marks: own, parts }: StoredPage,
  wish: PageWish,
): Response {
  const { marks, gzip } = wish
  const filled = parts.map((part) => ('mark' in part ? markPart(marks[part.mark]) : part))
  const size = filled.reduce((sum, { text }) => sum + text.length, 0)
  const headers = Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      value.includes(own.nonce) ? value.replaceAll(own.nonce, marks.nonce) : value,
    ]),
  )
  if (size === 0) return new Response(null, { status, headers })
  if (!gzip) return new Response(Buffer.concat(filled.map(({ text }) => text)), { status, headers })
  headers['content-encoding'] = 'gzip'
  return new Response(gzipOf(filled, size), { status, headers })
}

/** As a block that is stored as it is, https://www.rfc-editor.org/rfc/rfc1951#page-11 */
function markPart(mark: string): { text: Buffer; deflated: Buffer } {
  const text = Buffer.from(mark)
  const head = Buffer.alloc(5)
  head.writeUInt16LE(text.length, 1)
  head.writeUInt16LE(~text.length & 0xffff, 3)
  return { text, deflated: Buffer.concat([head, text]) }
}

/** No name, no time, no flags; https://www.rfc-editor.org/rfc/rfc1952#page-5 */
const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
const lastBlock = Buffer.from([1, 0, 0, 255, 255])

function gzipOf(parts: readonly { text: Buffer; deflated: Buffer }[], size: number) {
  const tail = Buffer.alloc(8)
  tail.writeUInt32LE(
    parts.reduce((known, { text }) => crc32(text, known), 0),
    0,
  )
  tail.writeUInt32LE(size, 4)
  return Buffer.concat([gzipHead, ...parts.map(({ deflated }) => deflated), lastBlock, tail])
}
