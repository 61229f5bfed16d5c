/** The parts of a status check. Each check returns a finding: a state and a summary for the public status page. */

import { probeHeader } from '../../contract/http/load-shedding.ts'
import type { CheckedState } from '../../contract/status/components.ts'
import type { Core } from '../../domain/core.ts'
import { probeMark } from '../../limits/load-shedding.ts'

export type Finding = Readonly<{ state: CheckedState; summary: string }>

export const found = (state: CheckedState, summary: string): Finding => ({ state, summary })

const order: readonly CheckedState[] = ['operational', 'not_available', 'disabled', 'degraded', 'down']

/** The worst finding, or the first of several equally bad ones. */
export function worstOf(first: Finding, ...others: readonly Finding[]): Finding {
  return others.reduce(
    (worst, other) => (order.indexOf(other.state) > order.indexOf(worst.state) ? other : worst),
    first,
  )
}

/** Turns `down` into `degraded`, for a check that covers only a part of its component. */
export function atMostDegraded(finding: Finding): Finding {
  return finding.state === 'down' ? { ...finding, state: 'degraded' } : finding
}

/** `status` is 0 if there was no response in time. */
export type Answer = Readonly<{ status: number; body: unknown; milliseconds: number }>

/** Responses over `slowMs` count as slow; a request ends after `waitMs`. */
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
    // The header exempts probes from load shedding; /readyz reports whether other requests are refused.
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

/** Turns a good response into a finding by its response time. */
export function inTime({ milliseconds }: Answer, fast: string, slow: string): Finding {
  return milliseconds > slowMs ? found('degraded', slow) : found('operational', fast)
}

/** Replaces one of our public origins by PROBE_ORIGIN if the server cannot reach itself through the public one. */
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

/** @param url undefined if it is not configured; `off` if an operator turned the check off */
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
