/** What a check is made of: it looks at one thing, and says what it found in words for everybody. */
import type { CheckedState } from '../../contract/status/components.ts'

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
