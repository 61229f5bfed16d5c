/** The registry against the facts of US Core 6.1.0: nothing that it asks for may be missing. */
import { describe, expect, test } from 'vitest'
import { fhirRegistry, isFhirType } from '../../server/contract/fhir/registry.ts'
import { searchTypeOf } from '../../server/contract/fhir/type-row.ts'
import facts from './facts/us-core-searches.json' with { type: 'json' }

interface ParameterFacts {
  type: string
  expectation: string
  /** FHIRPath. */
  expression: string
  comparators?: string[]
}

interface TypeFacts {
  profiles: string[]
  parameters: Record<string, ParameterFacts>
  shall: string[]
  should: string[]
  includes: string[]
  revIncludes: string[]
  /** Searches that the conformance kit sends, parameters joined by `+`. */
  checked?: string[]
}

describe.each(Object.entries(facts.types as Record<string, TypeFacts>))('%s', (type, asked) => {
  if (!isFhirType(type)) throw new Error(`${type} is not stored`)
  const row = fhirRegistry[type]
  const offered = new Map(
    row.parameters.filter((each) => each.offered !== false).map((each) => [each.name as string, each]),
  )

  test('has every profile, combination, include and reverse include', () => {
    expect([...row.profiles].sort()).toEqual([...asked.profiles].sort())
    expect([...row.combinations.shall].sort()).toEqual([...asked.shall].sort())
    expect([...row.combinations.should].sort()).toEqual([...asked.should].sort())
    expect([...row.includes].sort()).toEqual([...asked.includes].sort())
    // More than US Core asks: every type but Provenance has its Provenance.
    expect(row.revIncludes).toEqual(expect.arrayContaining(asked.revIncludes))
    expect(row.revIncludes).toEqual(type === 'Provenance' ? [] : ['Provenance:target'])
  })

  test('offers every search parameter, of its type, with its date prefixes', () => {
    for (const [name, { type: kind, expectation, comparators = [] }] of Object.entries(asked.parameters)) {
      const parameter = offered.get(name)
      expect(parameter && searchTypeOf[parameter.kind], name).toBe(kind)
      expect(parameter?.expectation ?? 'MAY', name).toBe(expectation)
      expect(parameter?.comparators ?? [], name).toEqual(expect.arrayContaining(comparators))
    }
  })

  test('looks for each value where the specification says it lies', () => {
    for (const [name, { expression }] of Object.entries(asked.parameters)) {
      const paths = offered.get(name)?.paths ?? []
      const theirs = expression.split('|').map(elementPath)
      const covers = (their: string) => paths.some((path) => path.startsWith(their))
      const known = (path: string) => theirs.some((their) => path.startsWith(their))
      expect(
        theirs.filter((their) => !covers(their)),
        `${name} in ${expression}`,
      ).toEqual([])
      expect(
        paths.filter((path) => !known(path)),
        `${name} in ${expression}`,
      ).toEqual([])
    }
  })

  test('can answer every search of the conformance kit', () => {
    for (const name of (asked.checked ?? []).flatMap((search) => search.split('+')))
      expect([...offered.keys()]).toContain(name)
  })
})

/** `Condition.onset.as(Period)` → `onset`: choices are element names that begin alike. */
function elementPath(expression: string): string {
  return expression
    .trim()
    .replace(/^\((.*)\)$/, '$1')
    .replace(/ as \w+$/, '')
    .replace(/^[A-Z]\w+\./, '')
    .replace(/\.as\(\w+\)/, '')
    .replace(/\.where\(url = '(.+?)'\)/, '[$1]')
    .replace(/\.where\(.*\)/, '')
}
