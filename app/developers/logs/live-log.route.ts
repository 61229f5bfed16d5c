import { getOrganization, page } from '../../services.server.ts'
import { readActivityQuery } from '../../shared/activity/activity-query.ts'
import { fits, nameCallers, readerOf } from './log.server.ts'

/** Requests as they come, those that fit the filters, from where the page or the stream before ended. */
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

/** A page that follows something: server-sent events. https://html.spec.whatwg.org/multipage/server-sent-events.html */

const lookEveryMs = 1_000
/** The browser comes back by itself, and its session is looked at again. */
const lastsMs = 10 * 60_000
const streamsMax = 100
const streamsPerReader = 4

const open = new Map<string, number>()

interface FollowOptions {
  /** Who follows: one reader keeps a few streams open, not many. */
  reader: string
  /** Ends the stream when the reader has left. */
  signal: AbortSignal
  /** Whether the reader is still signed in, asked at every beat: a stream may not outlive its session. */
  isSignedIn: () => Promise<boolean>
  /**
   * What is new, oldest first, and how far that goes: a reader who comes back hands the position in. A stream whose
   * reader may see no more ends with the error.
   */
  next: () => Promise<{ events: readonly unknown[]; position: string }>
}

/** Where a browser that lost the stream goes on by itself; undefined the first time. */
export function lastEventId(request: Request): string | undefined {
  return request.headers.get('last-event-id') || undefined
}

/** An endless answer, or 429 when there are too many. */
export function followAnswer({ reader, signal, isSignedIn, next }: FollowOptions): Response {
  const all = [...open.values()].reduce((sum, count) => sum + count, 0)
  const own = open.get(reader) ?? 0
  if (own >= streamsPerReader || all >= streamsMax)
    return new Response(null, { status: 429, headers: { 'retry-after': '60' } })
  open.set(reader, own + 1)
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
          // All events of a look and its position in one piece. Without events it is no more than the position, which
          // also keeps proxies from closing a quiet stream.
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
