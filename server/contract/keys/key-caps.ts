/** What a practice allows a key a day, and at which hours. */
import type { McpToolName } from '../mcp/tools.ts'
import type { OperationId } from '../rest/operations.ts'

export type KeyCaps = Readonly<{
  id: string
  callsPerDay: number | null
  /** Different patients whose records are read or written. */
  patientsPerDay: number | null
  hours: CapHours | null
  /** Of the hours, and of the day that is counted. */
  zone: string
}>

/** Minutes after midnight. An end before the beginning is on the next day. */
export type CapHours = Readonly<{ from: number; until: number }>

/** Answered whatever the caps say, and not counted: they tell of the key itself. */
export const uncapped: ReadonlySet<OperationId | McpToolName> = new Set(['getContext', 'get_context'])

export const capMax = { callsPerDay: 10_000_000, patientsPerDay: 1_000_000 } as const

/** Days for which the counts are kept. */
export const capDaysKept = 2

type CapRow = Omit<KeyCaps, 'hours'> & { hoursFrom: number | null; hoursUntil: number | null }

/** @returns null where nothing is capped */
export function toKeyCaps(row: CapRow | null): KeyCaps | null {
  if (row === null) return null
  const { id, callsPerDay, patientsPerDay, hoursFrom, hoursUntil, zone } = row
  const hours = hoursFrom === null || hoursUntil === null ? null : { from: hoursFrom, until: hoursUntil }
  if (callsPerDay === null && patientsPerDay === null && hours === null) return null
  return { id, callsPerDay, patientsPerDay, hours, zone }
}

export const isWithinHours = ({ from, until }: CapHours, minutes: number): boolean =>
  from < until ? minutes >= from && minutes < until : minutes >= from || minutes < until

/** `07:30`, as a form and `/context` have it. */
export function clockTime(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** One sentence for each cap, as emails, pages and refusals say it. */
export function capSentences({ callsPerDay, patientsPerDay, hours, zone }: KeyCaps): string[] {
  const n = (value: number, noun: string) =>
    `${value.toLocaleString('en-US')} ${value === 1 ? noun : `${noun}s`} a day (${zone})`
  return [
    ...(callsPerDay === null ? [] : [n(callsPerDay, 'call')]),
    ...(patientsPerDay === null ? [] : [n(patientsPerDay, 'patient')]),
    ...(hours === null ? [] : [`From ${clockTime(hours.from)} to ${clockTime(hours.until)} (${zone})`]),
  ]
}
