import { getOrganization, page } from '../../services.server.ts'
import { readActivityQuery } from '../../shared/activity/activity-query.ts'
import { fits, nameCallers, readerOf } from './log.server.ts'

/** Streams new requests that match the filters, after the last one of the page or of the stream before. */
export const loader = page(async (args) => {
  const { session, mine } = await getOrganization(args)
  const { keys, sessions } = args.context.services
  const query = readActivityQuery(args.request.url)
  const after = lastEventId(args.request) ?? new URL(args.request.url).searchParams.get('after') ?? undefined
  const follower = await keys.follow({ ...readerOf(query, mine), after })
  const nameOf = nameCallers(await keys.listCallers(mine))
  return followAnswer({
    reader: mine.accountId,
    signal: args.request.signal,
    isSignedIn: () => sessions.isLive(session.id),
    next: async () => {
      const { calls, position } = await follower.next()
      const events = calls
        .filter((call) => fits(call, query))
        .map((call) => ({ ...call, caller: nameOf(call) }))
      return { events, position }
    },
  })
})

/** Server-sent events, https://html.spec.whatwg.org/multipage/server-sent-events.html */

const lookEveryMs = 1_000
/** After this time the browser reconnects by itself, and its session is checked again. */
const lastsMs = 10 * 60_000
const streamsMax = 100
const streamsPerReader = 4

const open = new Map<string, number>()

interface FollowOptions {
  /** The account that reads. Each has a limited number of open streams. */
  reader: string
  /** Ends the stream when the reader has left. */
  signal: AbortSignal
  /** Whether the reader is still signed in, checked every second: a stream may not outlive its session. */
  isSignedIn: () => Promise<boolean>
  /**
   * New events, oldest first, and the position after them, which a browser sends when it reconnects. An error ends the
   * stream, such as when the reader has lost access.
   */
  next: () => Promise<{ events: readonly unknown[]; position: string }>
}

/** The position from which a browser continues after it reconnects; undefined the first time. */
export function lastEventId(request: Request): string | undefined {
  return request.headers.get('last-event-id') || undefined
}

/** A streaming response, or 429 if too many are open. */
export function followAnswer({ reader, signal, isSignedIn, next }: FollowOptions): Response {
  const all = [...open.values()].reduce((sum, count) => sum + count, 0)
  const readerStreams = open.get(reader) ?? 0
  if (readerStreams >= streamsPerReader || all >= streamsMax)
    return new Response(null, { status: 429, headers: { 'retry-after': '60' } })
  open.set(reader, readerStreams + 1)
  const encoder = new TextEncoder()
  let timer: ReturnType<typeof setTimeout> | undefined
  let ended = false

  const end = () => {
    if (ended) return
    ended = true
    clearTimeout(timer)
    const left = (open.get(reader) ?? 1) - 1
    if (left === 0) open.delete(reader)
    else open.set(reader, left)
  }

  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (text: string) => controller.enqueue(encoder.encode(text))
      const close = () => {
        if (ended) return
        end()
        controller.close()
      }
      const endsAt = Date.now() + lastsMs
      const look = async () => {
        try {
          if (!(await isSignedIn())) return close()
          const { events, position } = await next()
          if (ended) return
          // The events and their position are sent in one piece. Without events, the position alone keeps proxies from
          // closing a quiet stream.
          send(`${events.map(toEvent).join('')}id: ${position}\n\n`)
        } catch {
          close()
        }
        if (ended) return
        if (Date.now() > endsAt) close()
        else timer = setTimeout(() => void look(), lookEveryMs)
      }
      send('retry: 3000\n\n')
      signal.addEventListener('abort', close)
      if (signal.aborted) close()
      else void look()
    },
    cancel: end,
  })
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
  })
}

function toEvent(event: unknown): string {
  return `data: ${JSON.stringify(event)}\n\n`
}
