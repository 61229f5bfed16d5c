/** What reaches a practice's records, as the first page of its console shows it. */

/** One kind is one sort of row: a key that developers requested, any other key, a backend system, an app of people. */
export const accessGroups = {
  keys: ['key', 'other_key'],
  systems: ['system'],
  apps: ['app'],
} as const
export type AccessGroup = keyof typeof accessGroups
export type AccessKind = (typeof accessGroups)[AccessGroup][number]

/** @returns null for anything else: every group is shown */
export function readAccessGroup(query: URLSearchParams): AccessGroup | null {
  const kind = query.get('show') ?? ''
  return Object.hasOwn(accessGroups, kind) ? (kind as AccessGroup) : null
}

/** So much of what a developer wrote is shown in a list. */
export const purposeCharactersMax = 140
