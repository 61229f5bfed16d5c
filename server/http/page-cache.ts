/**
 * A short-lived cache of rendered public pages for visitors without a session. A page is stored with gaps for its nonce and
 * correlation id, which every response fills with its own. The parts are compressed once, and gaps are also filled in the
 * compressed page.
 */
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw as deflateRawCallback } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { keptUntilHeader } from './inner-socket.ts'

const deflateRaw = promisify(deflateRawCallback)

/** Values that differ in every response, wherever the page contains them. */
export type PageMarks = Readonly<{ nonce: string; correlationId: string }>

/** Options for a response from a stored page. */
type ResponseMarks = Readonly<{ marks: PageMarks; gzip: boolean }>

/** A text of the page, or the name of a mark. */
type Part = Readonly<{ mark: keyof PageMarks }> | Readonly<{ text: Buffer; deflated: Buffer }>

export type StoredPage = Readonly<{
  status: number
  headers: readonly (readonly [name: string, value: string])[]
  /** The marks that the page was rendered with. */
  marks: PageMarks
  parts: readonly Part[]
  /** Whether other visitors may get the page. */
  isShared: boolean
}>

/** `times` counts the responses from this entry. */
type Kept = { page: StoredPage; until: number; times: number }

/** Headers that are not stored, because every response sets its own. */
const unstoredHeaders = new Set(['content-length', 'date', 'x-correlation-id', keptUntilHeader])

const bytesMax = 32 * 1_048_576
/** A page that was served this often stays longer in the cache, so that rendering it does not slow down others. */
const popularFrom = 20
const popularExtraMs = 4_000

/** @param clock for expiry, injected so that tests need not wait */
export function createPageCache({ clock }: { clock: () => Date }) {
  const stored = new LRUCache<string, Kept>({
    maxSize: bytesMax,
    sizeCalculation: ({ page }) => page.parts.reduce((sum, part) => sum + sizeOf(part), 1_000),
  })
  const rendering = new Map<string, Promise<StoredPage>>()

  /** @returns the stored page and its expiry; null if the page must be rendered */
  function find(key: string): Pick<Kept, 'page' | 'until'> | null {
    const found = stored.get(key)
    if (found === undefined) return null
    const extraMs = found.times >= popularFrom ? popularExtraMs : 0
    if (found.until + extraMs <= clock().getTime()) return null
    found.times++
    return found
  }

  /** Stores a page that another process rendered. */
  async function keep(key: string, response: Response, marks: PageMarks, until: number): Promise<void> {
    const page = await toStored(response, marks)
    const headers = page.headers.filter(([name]) => !unstoredHeaders.has(name))
    if (page.isShared) stored.set(key, { page: { ...page, headers }, until, times: 0 })
  }

  /**
   * Renders the page once for concurrent requests.
   * @param renderPage renders the page with the marks of `wish`
   * @returns null if another request rendered the page and it must not be shared
   */
  async function render(
    key: string,
    secondsKept: number,
    wish: ResponseMarks,
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
      // Each part ends at a byte boundary and does not refer to earlier data, so parts can be concatenated.
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
  wish: ResponseMarks,
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

/** A mark as an uncompressed block, https://www.rfc-editor.org/rfc/rfc1951#page-11 */
function markPart(mark: string): { text: Buffer; deflated: Buffer } {
  const text = Buffer.from(mark)
  const head = Buffer.alloc(5)
  head.writeUInt16LE(text.length, 1)
  head.writeUInt16LE(~text.length & 0xffff, 3)
  return { text, deflated: Buffer.concat([head, text]) }
}

/** A gzip header without name, time and flags: https://www.rfc-editor.org/rfc/rfc1952#page-5 */
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
