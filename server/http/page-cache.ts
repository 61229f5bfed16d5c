/**
 * Rendered public pages, kept for a short time for visitors without a session (decision 107). A page is stored with
 * gaps where its nonce and correlation id were; every response gets its own.
 */
import { LRUCache } from 'lru-cache'

/** Values that every response has of its own, wherever the page repeats them. */
export type PageMarks = Readonly<{ nonce: string; correlationId: string }>

type StoredPage = Readonly<{
  status: number
  headers: Headers
  /** Text, then the name of a mark, then text, and so on. */
  parts: readonly string[]
  /** Set when the page may be given to others. */
  isShared: boolean
}>

const bytesMax = 32 * 1_048_576

/** @param clock of the time to live, injected so that tests need not wait */
export function createPageCache({ clock }: { clock: () => Date }) {
  const stored = new LRUCache<string, { page: StoredPage; until: number }>({
    maxSize: bytesMax,
    sizeCalculation: ({ page }) => page.parts.reduce((sum, part) => sum + part.length * 2, 1_000),
  })
  const rendering = new Map<string, Promise<StoredPage>>()

  /** The page without rendering it, for these marks; null when it must be rendered. */
  function find(key: string, marks: PageMarks): Response | null {
    const found = stored.get(key)
    return found !== undefined && found.until > clock().getTime() ? toResponse(found.page, marks) : null
  }

  /**
   * Renders the page once, however many ask for it at this moment.
   * @param render called with marks that stand for those of every response; null when it was rendered for
   *   somebody else and must not be shared
   */
  async function render(
    key: string,
    secondsKept: number,
    marks: PageMarks,
    renderPage: () => Promise<Response>,
  ): Promise<Response | null> {
    const underWay = rendering.get(key)
    if (underWay !== undefined) {
      const page = await underWay
      return page.isShared ? toResponse(page, marks) : null
    }
    const begun = renderPage()
      .then((response) => toStored(response, marks))
      .finally(() => rendering.delete(key))
    rendering.set(key, begun)
    const page = await begun
    if (page.isShared && page.status === 200)
      stored.set(key, { page, until: clock().getTime() + secondsKept * 1_000 })
    return toResponse(page, marks)
  }

  return { find, render }
}

async function toStored(response: Response, { nonce, correlationId }: PageMarks): Promise<StoredPage> {
  const text = await response.text()
  const parts = text
    .split(nonce)
    .flatMap((between, at) => [
      ...(at === 0 ? [] : ['nonce']),
      ...between
        .split(correlationId)
        .flatMap((part, index) => (index === 0 ? [part] : ['correlationId', part])),
    ])
  return {
    status: response.status,
    headers: response.headers,
    parts,
    isShared: response.status < 500 && !response.headers.has('set-cookie'),
  }
}

function toResponse({ status, headers, parts }: StoredPage, marks: PageMarks): Response {
  const text = parts.map((part, at) => (at % 2 === 0 ? part : marks[part as keyof PageMarks])).join('')
  return new Response(text === '' ? null : text, { status, headers: new Headers(headers) })
}
