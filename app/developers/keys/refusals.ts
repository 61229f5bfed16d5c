/** Refused calls of an organization's keys, those of one cause together. */

interface RefusedCall {
  method: string
  route: string
  status: number
  refusalReason: string | null
  count: number
  key: { name: string; to: string }
}

export interface Refusal extends Omit<RefusedCall, 'count'> {
  calls: number
}

const shownMax = 3

/** The most frequent first. */
export function groupRefusals(calls: readonly RefusedCall[]): Refusal[] {
  const groups = new Map<string, Refusal>()
  for (const { method, route, status, refusalReason, count, key } of calls) {
    const cause = [key.to, method, route, status, refusalReason].join(' ')
    const group = groups.get(cause) ?? { method, route, status, refusalReason, key, calls: 0 }
    groups.set(cause, { ...group, calls: group.calls + count })
  }
  return [...groups.values()].sort((one, other) => other.calls - one.calls).slice(0, shownMax)
}
