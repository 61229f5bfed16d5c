import type { Drain } from '../http/drain.ts'
import type { Listening } from './listen.ts'

/**
 * In the order that a proxy needs, so that it sees no failed request: not ready any more, `pause` for the
 * proxy to turn away, then no new connections and the end of those there are.
 */
export async function stopServing({
  drain,
  pause,
  server,
  graceMs,
}: {
  drain: Drain
  pause: () => Promise<unknown>
  server: Listening
  graceMs: number
}): Promise<void> {
  drain.begin()
  await pause()
  await server.close(graceMs)
}
