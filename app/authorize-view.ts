/** The authorize page's own shapes, the same on the server and in the browser. */
import { pickName, type ScopeLine } from '../server/contract/scope-words.ts'

export interface AuthorizePerson {
  patientId: string
  name: string
  birthDate: string | null
  /** `self`, `parent`; null when a clinician looks. */
  relationship: string | null
}

/** A line of the consent form, with the names of its boxes. */
export interface ConsentLine {
  type: string
  title: string
  hint: string | null
  picks: readonly { name: string; title: string; hint: string | null }[]
}

export function toLines(lines: readonly ScopeLine[]): ConsentLine[] {
  return lines.map(({ type, title, hint, picks }) => ({
    type,
    title,
    hint,
    picks: picks.map(({ filter, ...words }) => ({ name: pickName(type, filter), ...words })),
  }))
}

/** What can be left out one by one: parts where there are some, else whole types. */
export function countParts(lines: readonly ConsentLine[]): number {
  return lines.reduce((sum, { picks }) => sum + Math.max(1, picks.length), 0)
}
