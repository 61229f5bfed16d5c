/** What a check is made of: it looks at one thing, and says what it found in words for everybody. */

import { probeHeader } from '../../contract/http/load-shedding.ts'
import type { CheckedState } from '../../contract/status/components.ts'
import type { Core } from '../../domain/core.ts'
import { probeMark } from '../../limits/load-shedding.ts'

export type Finding = Readonly<{ state: CheckedState; summary: string }>

export const found = (state: CheckedState, summary: string): Finding => ({ state, summary })

const order: readonly CheckedState[] = ['operational', 'not_available', 'disabled', 'degraded', 'down']

/** The worst of several; of equals the first, whose words stand for all. */
export function worstOf(first: Finding, ...others: readonly Finding[]): Finding {
  return others.reduce(
    (worst, each) => (order.indexOf(each.state) > order.indexOf(worst.state) ? each : worst),
    first,
  )
}

/** At most so bad: what is broken here breaks only a part of the whole. */
export function atMostDegraded(finding: Finding): Finding {
  return finding.state === 'down' ? { ...finding, state: 'degraded' } : finding
}

/** `status` 0: nothing answered in time. */
export type Answer = Readonly<{ status: number; body: unknown; milliseconds: number }>

/** Beyond the first an answer is slow, beyond the second there is none. */
const slowMs = 2_000
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

/** By how long a good answer took. */
export function inTime({ milliseconds }: Answer, fast: string, slow: string): Finding {
  return milliseconds > slowMs ? found('degraded', slow) : found('operational', fast)
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

/** @param url unset: no one looks; `off`: off on purpose */
export async function lookOutside({ outbound }: Core, url: string | undefined): Promise<Finding> {
  if (url === undefined) return found('not_available', 'Not checked.')
  if (url === 'off') return found('disabled', 'Turned off.')
  try {
    const { status } = await outbound.get(url, { accept: '*/*' })
    return status >= 200 && status < 400
      ? found('operational', 'It responds.')
      : found('down', 'It responds with an error.')
  } catch {
    return found('down', 'It is not responding.')
  }
}
