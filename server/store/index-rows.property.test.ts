import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type FhirType,
  fhirRegistry,
  fhirTypeNumbers,
  type SearchParameterRow,
  searchParameterNumbers,
} from '../contract/fhir/registry.ts'
import { fold } from '../contract/text/fold.ts'
import { type IndexRows, indexRows, type Resource } from './index-rows.ts'

const cases = (Object.keys(fhirRegistry) as FhirType[]).flatMap((type) =>
  fhirRegistry[type].parameters
    // Columns of the stored resource itself, tested with the write and the owner.
    .filter((parameter) => !['id', 'updated', 'patient'].includes(parameter.kind))
    .flatMap((parameter) => parameter.paths.map((path) => [type, parameter, path] as const)),
)

describe('every parameter’s value found in a resource yields its index row', () => {
  test.each(cases.map(([type, parameter, path]) => [type, parameter.name, path, parameter] as const))(
    '%s %s at %s',
    (type, _, path, parameter) => {
      fc.assert(
        fc.property((leafOf[parameter.kind] as LeafOf)(parameter), fc.boolean(), ({ leaf, row }, listed) => {
          const resource = { resourceType: type, id: 'x', ...at(path, leaf, listed) } as Resource

          row(indexRows(type, resource), parameter)
        }),
        { numRuns: 10, seed: 42 },
      )
    },
  )
})

test('a value that lies elsewhere yields nothing', () => {
  const rows = indexRows('Condition', {
    resourceType: 'Condition',
    id: 'x',
    extension: [{ url: 'https://elsewhere.example/date', valueDateTime: '2020-01-01' }],
    onsetString: 'as a child',
    subject: { reference: 'Group/1' },
    encounter: { reference: 'Encounter/1/_history/2' },
  })

  expect(rows).toMatchObject({ patientId: null, sortDate: null, tokens: [], moments: [], links: [] })
})

/** An object with the leaf at the path, inside arrays or not. */
function at(path: string, leaf: unknown, listed: boolean): Record<string, unknown> {
  const [step = '', ...rest] = path.split(/\.(?![^[]*\])/)
  const [, name = step, url] = /^(\w+)\[(.+)\]$/.exec(step) ?? []
  const inner = rest.length === 0 ? leaf : at(rest.join('.'), leaf, listed)
  const value = url === undefined ? inner : { url, ...(inner as object) }
  const noise =
    url === undefined ? [] : [{ url: 'https://elsewhere.example/extension', valueDateTime: '1900' }]
  return { [name]: listed || url !== undefined ? [...noise, value] : value }
}

type Check = (rows: IndexRows, parameter: SearchParameterRow) => void
interface Example {
  leaf: unknown
  row: Check
}

const number = (parameter: SearchParameterRow) => searchParameterNumbers[parameter.name]
const word = fc.stringMatching(/^[a-z]{1,12}$/)
const targetType = fc.constantFrom(...(Object.keys(fhirTypeNumbers) as FhirType[]))

type LeafOf = (parameter: SearchParameterRow) => fc.Arbitrary<Example>

const leafOf: Readonly<Record<string, LeafOf>> = {
  string: () =>
    fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }).map((leaf) => ({
      leaf,
      row: (rows, parameter) => {
        const value = fold(leaf)
        if (value === '') expect(rows.names).toEqual([])
        else expect(rows.names).toContainEqual({ parameter: number(parameter), value })
      },
    })),
  identifier: () =>
    fc.record({ system: word, value: fc.string({ minLength: 1 }) }).map((leaf) => ({
      leaf,
      row: (rows) => expect(rows.identifiers).toContainEqual(leaf),
    })),
  token: ({ system }) =>
    fc.tuple(word, word).map(([other, code]) => ({
      leaf:
        system === undefined
          ? other.length % 2 === 0
            ? { system: other, code }
            : { coding: [{ system: other, code }], text: 'in words' }
          : code,
      row: (rows, parameter) =>
        expect(rows.tokens).toContainEqual({ parameter: number(parameter), system: system ?? other, code }),
    })),
  canonical: () =>
    word.map((name) => ({
      leaf: `https://forms.example/${name}|2`,
      row: (rows, parameter) => {
        for (const code of [`https://forms.example/${name}|2`, `https://forms.example/${name}`])
          expect(rows.tokens).toContainEqual({ parameter: number(parameter), system: '', code })
      },
    })),
  date: ({ paths }) =>
    fc.integer({ min: 1900, max: 2090 }).map((year) => ({
      leaf: paths.some((path) => path.endsWith('eriod')) ? { start: `${year}`, end: `${year}` } : `${year}`,
      row: (rows, parameter) => {
        const interval = { low: `${year}-01-01T00:00:00Z`, high: `${year + 1}-01-01T00:00:00Z` }
        if (parameter.sorts) expect(rows.sortDate).toEqual(interval)
        else expect(rows.moments).toContainEqual({ parameter: number(parameter), ...interval })
      },
    })),
  reference: () =>
    fc.tuple(targetType, word).map(([type, target]) => ({
      leaf: { reference: `${type}/${target}`, display: 'somebody' },
      row: (rows, parameter) =>
        expect(rows.links).toContainEqual({
          kind: number(parameter),
          targetType: fhirTypeNumbers[type],
          target,
        }),
    })),
}
