/**
 * The keys by which lists sort and find a resource. A search compares prefixes with: family and given name in both orders,
 * each later word of a name, and the identifier.
 */
import type { RosterRow } from '../contract/fhir/registry.ts'
import { fold, numberKey } from '../contract/text/fold.ts'
import { elementsAt, textsAt } from './elements.ts'

/** The most keys that a resource has. A search reads up to this many rows for each resource it returns. */
export const rosterKeysMax = 12
const numberKeysMax = 4

export type RosterKeys = ReturnType<typeof rosterKeys>

/** Between family and given name in `sort`: less than any letter, so that short family names come first. */
const separator = '\u0001'

export function rosterKeys(row: RosterRow, resource: Readonly<Record<string, unknown>>) {
  const born = row.bornPath === undefined ? undefined : textsAt(resource, [row.bornPath])[0]
  const numbers = elementsAt(resource, ['identifier'])
    .filter((identifier) => (identifier as { system?: unknown }).system === row.identifierSystem)
    .flatMap((identifier) => textsAt(identifier as Record<string, unknown>, ['value']))
  const named = row.names === 'person' ? personKeys(resource, row.path) : textKeys(resource, row.path)
  // Numbers come first, so that a person with many names is still found by number.
  const keys = [
    ...new Set([
      ...numbers.flatMap(numberKeys).slice(0, numberKeysMax),
      ...named.keys.filter((key) => key !== ''),
    ]),
  ]
  return {
    sort: named.sort,
    keys: keys.length === 0 ? [''] : keys.slice(0, rosterKeysMax),
    born: born ?? null,
  }
}

/** A current name orders the list. Earlier names only find the person. */
function personKeys(resource: Readonly<Record<string, unknown>>, path: string) {
  const names = elementsAt(resource, [path]).map((name) => {
    const element = name as Record<string, unknown>
    const family = fold(textsAt(element, ['family'])[0] ?? '')
    const given = fold(textsAt(element, ['given']).join(' '))
    const text = fold(textsAt(element, ['text'])[0] ?? '')
    return { family: family === '' && given === '' ? text : family, given, past: isPast(element.use) }
  })
  const ordered = [...names.filter((name) => !name.past), ...names.filter((name) => name.past)]
  const first = ordered[0]
  return {
    sort: first ? `${first.family}${separator}${first.given}` : '',
    keys: ordered.flatMap(({ family, given }) => [
      join(family, given),
      join(given, family),
      join(given.split(' ')[0] ?? '', family),
      ...laterWords(given),
      ...laterWords(family),
    ]),
  }
}

function textKeys(resource: Readonly<Record<string, unknown>>, path: string) {
  const text = fold(textsAt(resource, [path])[0] ?? '')
  return { sort: text, keys: [text, ...laterWords(text)] }
}

/** `SYN-004217` is found by its beginning, and by the beginning of its digits. */
function numberKeys(number: string): string[] {
  return [number, ...laterWords(fold(number))].map(numberKey)
}

/** `de la cruz` → `la cruz`, `cruz`: a compound name is found by any of its words. */
function laterWords(name: string): string[] {
  const words = name.split(' ')
  return words.slice(1).map((_, index) => words.slice(index + 1).join(' '))
}

function isPast(use: unknown): boolean {
  return use === 'old' || use === 'maiden'
}

function join(first: string, second: string): string {
  return `${first} ${second}`.trim()
}
