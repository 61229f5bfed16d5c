/** Calls our own server over the network, as a client does. */

export type HttpProbe = (
  url: string,
  init?: { method?: string; headers?: Record<string, string>; body?: string },
) => Promise<Answer>

/** `status` 0: nothing answered in time. */
export type Answer = Readonly<{ status: number; body: unknown; milliseconds: number }>

export type Send = (url: string, init: RequestInit) => Promise<Response>

/** Beyond the first an answer is slow, beyond the second there is none. */
export const slowMs = 2_000
const waitMs = 5_000

export function createHttpProbe(send: Send): HttpProbe {
  return async (url, init = {}) => {
    const started = performance.now()
    const took = () => performance.now() - started
    try {
      const response = await send(url, {
        ...init,
        redirect: 'manual',
        signal: AbortSignal.timeout(waitMs),
      })
      const text = await response.text()
      return { status: response.status, body: parsed(text), milliseconds: took() }
    } catch {
      return { status: 0, body: undefined, milliseconds: took() }
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
