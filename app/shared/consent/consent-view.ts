/** The authorize page's own shapes, the same on the server and in the browser. */
import {
  describeScopes,
  pickName,
  restName,
  type ScopeLine,
} from '../../../server/contract/smart/scope-labels.ts'
import type { Scope } from '../../../server/contract/smart/scopes.ts'

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
  picks: readonly {
    name: string
    title: string
    hint: string | null
    /** Everything that is in no part: granted only together with all parts. */
    isRest: boolean
  }[]
}

const rest = { title: 'Everything else', hint: 'Records in no group above, today and later' }

export function toLines(lines: readonly ScopeLine[]): ConsentLine[] {
  return lines.map(({ type, title, hint, picks, hasRest }) => ({
    type,
    title,
    hint,
    picks: [
      ...picks.map(({ filter, ...words }) => ({ name: pickName(type, filter), ...words, isRest: false })),
      ...(hasRest ? [{ name: restName(type), ...rest, isRest: true }] : []),
    ],
  }))
}

/** What can be left out one by one: parts where there are some, else whole types. */
export function countParts(lines: readonly ConsentLine[]): number {
  return lines.reduce((sum, { picks }) => sum + Math.max(1, picks.length), 0)
}

/** What scopes let an app read, one text per type: "Conditions", or "Conditions: problem list". */
export function toReads(scopes: readonly Scope[]): string[] {
  return describeScopes(scopes, 'other').lines.map(({ title, picks, type }) => {
    const whole = scopes.some(
      (scope) => scope.kind === 'resource' && !scope.filter && (scope.type === type || scope.type === '*'),
    )
    return whole || picks.length === 0
      ? title
      : `${title}: ${picks.map((pick) => pick.title.toLowerCase()).join(', ')}`
  })
}
