/** A page that follows something: server-sent events. https://html.spec.whatwg.org/multipage/server-sent-events.html */

const lookEveryMs = 1_000
/** The browser comes back by itself, and its session is looked at again. */
const lastsMs = 10 * 60_000
const streamsMax = 100
const streamsPerReader = 4

const open = new Map<string, number>()

export interface FollowOptions {
  /** Who follows: one reader keeps a few streams open, not many. */
  reader: string
  /** Ends the stream when the reader has left. */
  signal: AbortSignal
  /** What is new, oldest first. A stream whose reader may see no more ends with the error. */
  next: () => Promise<readonly { id: string }[]>
}

/** An endless answer, or 429 when there are too many. */
export function followAnswer({ reader, signal, next }: FollowOptions): Response {
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
          const events = await next()
          if (ended) return
          // A comment keeps proxies from closing a quiet stream.
          send(events.length === 0 ? ':\n\n' : events.map(toEvent).join(''))
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

function toEvent(event: { id: string }): string {
  return `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`
}
