/** Resources on their way into the store, with everything that is computed from them. Nothing is stored here. */
import { Problem } from '../contract/http/problems.ts'
import { type Dictionary, keyOf } from './dictionary.ts'
import { indexRows, type Resource } from './index-rows.ts'
import { checkIndexRows, type Draft } from './index-tables.ts'
import { checkResource } from './resource-text.ts'

type Checked = Omit<Draft, 'tokens'>

/**
 * Before the transaction: the dictionary is shared by all writers.
 * @returns the drafts sorted by address
 * @throws Problem `validation` for what cannot be stored, and when a resource stands twice
 */
export async function makeDrafts(dictionary: Dictionary, resources: readonly Resource[]): Promise<Draft[]> {
  const checked = checkResources(resources)
  return numberTokens(checked, await dictionary.numbersFor(checked.flatMap(({ index }) => index.tokens)))
}

/**
 * @returns them sorted by address, so that no two writers wait in a ring
 * @throws Problem `validation` for what cannot be stored, and when a resource stands twice
 */
export function checkResources(resources: readonly Resource[]): Checked[] {
  const checked = new Map(resources.map(checkStorable).map((each) => [addressOf(each), each]))
  if (checked.size !== resources.length) {
    throw new Problem('validation', { message: 'The same resource stands twice in one write.' })
  }
  return [...checked].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each)
}

/** @param numbers of the dictionary, by `keyOf` */
export function numberTokens(
  checked: readonly Checked[],
  numbers: { readonly get: (key: string) => number | undefined },
): Draft[] {
  return checked.map((each) => ({
    ...each,
    tokens: each.index.tokens.map((token) => numbers.get(keyOf(token)) ?? -1),
  }))
}

/**
 * Whether a resource may be stored, told from itself alone. @returns it with its index rows
 * @throws Problem `validation`
 */
export function checkStorable(resource: Resource): Checked {
  const identified = checkResource(resource)
  const index = indexRows(identified.resourceType, identified)
  checkIndexRows(index)
  return { resource: identified, index }
}

/** `Patient/pt-1` */
export function addressOf({ resource }: Pick<Draft, 'resource'>): string {
  return `${resource.resourceType}/${resource.id}`
}
