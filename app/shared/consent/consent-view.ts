/** What the authorize page shows of scopes, the same on the server and in the browser. */
import {
  consentGroups,
  type GroupChoice,
  groupScopes,
  type OfferedGroup,
} from '../../../server/contract/smart/consent-groups.ts'
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
  /** `self` or `parent`; null if the account is a clinician's. */
  relationship: string | null
}

const rest = { title: 'Everything else', hint: 'Records in none of the groups above, now and in the future' }

/** A line of the consent form, with the names of its boxes. */
export type ConsentLine = ReturnType<typeof toLines>[number]

export function toLines(lines: readonly ScopeLine[]) {
  return lines.map(({ type, title, hint, picks, hasRest }) => ({
    type,
    title,
    hint,
    picks: [
      ...picks.map(({ filter, ...words }) => ({ name: pickName(type, filter), ...words, isRest: false })),
      // The rest of the type is granted only together with all parts.
      ...(hasRest ? [{ name: restName(type), ...rest, isRest: true }] : []),
    ],
  }))
}

/** A group of the consent page with its boxes, as it is ticked at first. */
export type GroupView = ReturnType<typeof toGroupViews>[number]

/** A group of a single box has that box's title and hint. */
export function toGroupViews(groups: readonly OfferedGroup[], choice: GroupChoice) {
  return groups.map(({ id, sensitive, boxes, partial, contents, ...words }) => {
    const [box] = boxes
    const { title, hint } = box && partial && boxes.length === 1 ? box : words
    return {
      id,
      title,
      hint,
      sensitive,
      /** The parts that the app requests, unless it requests the isWholeType group. */
      requested: partial && boxes.length > 1 ? contents : [],
      ticked: choice.groups.includes(id),
      boxes: boxes.map(({ typeTitle: _, ...groupBox }) => ({
        ...groupBox,
        ticked: choice.boxes.includes(groupBox.name),
      })),
    }
  })
}

/** What scopes let an app read, by the groups of the consent page, and the groups they leave out. */
export function toGroupReads(scopes: readonly Scope[]): { reads: string[]; leftOut: string[] } {
  const groups = groupScopes(scopes, 'other')
  return {
    reads: groups.map(({ title, partial }) => (partial ? `${title} (in part)` : title)),
    leftOut: Object.entries(consentGroups).flatMap(([id, { title }]) =>
      groups.some((group) => group.id === id) ? [] : [title],
    ),
  }
}

/** What scopes let an app read, one text per type: "Conditions", or "Conditions: problem list". */
export function toReads(scopes: readonly Scope[]): string[] {
  return describeScopes(scopes, 'other').lines.map(({ title, picks, type }) => {
    const isWholeType = scopes.some(
      (scope) => scope.kind === 'resource' && !scope.filter && (scope.type === type || scope.type === '*'),
    )
    return isWholeType || picks.length === 0
      ? title
      : `${title}: ${picks.map((pick) => pick.title.toLowerCase()).join(', ')}`
  })
}
