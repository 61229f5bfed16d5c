/** When a check turns its row, and how a component's days are counted. */
import type { CheckedState, ComponentState } from './components.ts'

/**
 * Findings closer together than this are of one round: two workers that look at the same moment are one look, not
 * two that agree.
 */
export const roundSpacingSeconds = 15

/** In words, for the page that says how it works. */
export const settlingWords = 'A state changes after two consecutive checks agree, in both directions.'

/** From well to broken; a state that says less than "it works" comes before it. */
const checkedOrder: readonly CheckedState[] = ['operational', 'not_available', 'disabled', 'degraded', 'down']

/**
 * What is told after a round: the middle one of what was told and the last two findings. So one finding on its own
 * turns nothing; of two that are both worse the milder one is told, of two that are both better the worse one.
 * What is off on purpose neither waits nor is waited for.
 */
export function settledState(published: CheckedState, before: CheckedState, now: CheckedState): CheckedState {
  if (now === 'disabled' || published === 'disabled') return now
  const [, middle] = [published, before, now].sort(
    (one, other) => checkedOrder.indexOf(one) - checkedOrder.indexOf(other),
  )
  return middle ?? now
}

/** What made a published state what it is. */
export const changeCauses = ['automatic', 'override', 'incident'] as const
export type ChangeCause = (typeof changeCauses)[number]

/** Of the states that one minute, or one day, saw the one that is told: the last of these. */
export const severity = [
  'not_available',
  'disabled',
  'operational',
  'under_maintenance',
  'degraded',
  'partial_outage',
  'major_outage',
  'down',
] as const satisfies readonly ComponentState[]

export function worstState(states: readonly ComponentState[]): ComponentState | null {
  const found = severity.filter((state) => states.includes(state))
  return found.at(-1) ?? null
}

/** Days that are shown and kept, today included; UTC. */
export const historyDays = 90

/** One component on one UTC day. */
export type HistoryDay = Readonly<{
  /** `yyyy-mm-dd` */
  day: string
  /** The worst that was told; null: no one looked all day. */
  worst: ComponentState | null
  /** Minutes by state, those in which no one looked left out. */
  minutes: Readonly<Partial<Record<ComponentState, number>>>
  /** Minutes of the day, so far, in which no one looked: no data, and not up. */
  noDataMinutes: number
}>

/** States in which something does not work. */
const troubleStates = ['degraded', 'partial_outage', 'major_outage', 'down'] as const

const trouble: readonly ComponentState[] = [...troubleStates, 'under_maintenance']

/** Share of the minutes that counted in which it worked, 0 to 1; null when none did. Off on purpose is not counted. */
export function workedShare(days: readonly Pick<HistoryDay, 'minutes'>[]): number | null {
  const sum = (states: readonly ComponentState[]) =>
    days.reduce(
      (all, { minutes }) => all + states.reduce((some, state) => some + (minutes[state] ?? 0), 0),
      0,
    )
  const counted = sum(['operational', ...trouble])
  return counted === 0 ? null : sum(['operational']) / counted
}

/** Whether subscribers get an email about a change: a failure or a recovery. A gap in the checks is neither. */
export function isNews(from: ComponentState | null, to: ComponentState): boolean {
  if (from === null || to === 'not_available') return false
  return trouble.includes(to) || trouble.includes(from)
}
