/** Calls our own server over the network, as a client does. */
import { probeHeader } from '../../contract/http/load-shedding.ts'
import type { Core } from '../../domain/core.ts'
import { probeMark } from '../../limits/load-shedding.ts'

/** `status` 0: nothing answered in time. */
export type Answer = Readonly<{ status: number; body: unknown; milliseconds: number }>

/** Beyond the first an answer is slow, beyond the second there is none. */
export const slowMs = 2_000
const waitMs = 5_000

export async function httpProbe(
  { send, keyring, clock }: Pick<Core, 'send' | 'keyring' | 'clock'>,
  url: string,
  init: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  const started = performance.now()
  const took = () => performance.now() - started
  try {
    // Not refused under load: /readyz says whether others are.
    const headers = { ...init.headers, [probeHeader]: probeMark(keyring, clock()) }
    const response = await send(url, {
      ...init,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(waitMs),
    })
    const text = await response.text()
    return { status: response.status, body: parsed(text), milliseconds: took() }
  } catch {
    return { status: 0, body: undefined, milliseconds: took() }
  }
}

/** Where one of our own addresses is reached from here. */
export function reached({ env }: Pick<Core, 'env'>, origin: string): string {
  return env.PROBE_ORIGIN ?? origin
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
