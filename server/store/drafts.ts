/** Computes the drafts of resources: everything that is derived from their content. It stores nothing but dictionary values. */
import { Problem } from '../contract/http/problems.ts'
import { type Dictionary, keyOf } from './dictionary.ts'
import { indexRows, type Resource } from './index-rows.ts'
import { checkIndexRows, type Draft } from './index-tables.ts'
import { checkResource } from './resource-text.ts'

type Checked = Omit<Draft, 'tokens'>

/**
 * Runs before the transaction, because it adds to the dictionary, which all writers share.
 * @returns the drafts sorted by address
 * @throws Problem `validation` for an invalid resource, and for a resource that is listed twice
 */
export async function makeDrafts(dictionary: Dictionary, resources: readonly Resource[]): Promise<Draft[]> {
  const checked = checkResources(resources)
  return numberTokens(checked, await dictionary.numbersFor(checked.flatMap(({ index }) => index.tokens)))
}

/**
 * @returns the resources sorted by address, so that writers lock rows in the same order and never deadlock
 * @throws Problem `validation` for an invalid resource, and for a resource that is listed twice
 */
export function checkResources(resources: readonly Resource[]): Checked[] {
  const checked = new Map(resources.map(checkStorable).map((draft) => [addressOf(draft), draft]))
  if (checked.size !== resources.length) {
    throw new Problem('validation', { message: 'The same resource stands twice in one write.' })
  }
  return [...checked].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, draft]) => draft)
}

/** @param numbers the ids of coded values in the dictionary, by `keyOf` */
export function numberTokens(
  checked: readonly Checked[],
  numbers: { readonly get: (key: string) => number | undefined },
): Draft[] {
  return checked.map((draft) => ({
    ...draft,
    tokens: draft.index.tokens.map((token) => numbers.get(keyOf(token)) ?? -1),
  }))
}

/**
 * Checks what can be checked without the database. @returns the resource with its index rows
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
