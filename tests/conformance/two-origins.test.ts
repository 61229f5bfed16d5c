/** One database served under two origins gives only that origin's addresses (decisions 0002 and 0012). */
import { expect, test } from 'vitest'
import { withBase } from '../../server/contract/fhir/base-url.ts'
import { type FhirType, fhirRegistry, fhirTypeOf } from '../../server/contract/fhir/registry.ts'
import { basePlaceholder } from '../../server/contract/fhir/type-row.ts'
import { testDatabase } from '../support/database.ts'

const bases = ['https://one.example/fhir/harbor-family', 'https://two.example:8443/a/$&/fhir/harbor-family']

/** Who names things in the records: code systems, profiles, identifiers. Nobody is asked anything there. */
const namingHosts = [
  'hl7.org',
  'terminology.hl7.org',
  'loinc.org',
  'snomed.info',
  'unitsofmeasure.org',
  'nucc.org',
  'ihe.net',
  'www.nlm.nih.gov',
  'www.w3.org',
  'sandpiper.example',
]

const { pool } = await testDatabase()
const { rows } = await pool.query<{ type: number; id: string; content: string }>(
  'SELECT type, id, content FROM clinical.resource WHERE NOT deleted',
)
const stored = rows.map((row) => ({ ...row, type: fhirTypeOf(row.type) }))

const hosts = (text: string) =>
  [...text.matchAll(/https?:\/\/([^/"\\|]+)/g)].map((match) => match[1] ?? '').sort()
const foreign = (text: string) => hosts(text).filter((host) => !namingHosts.includes(host))

test('what holds addresses of this service holds those of the origin it is served under, and no other', () => {
  const holding = stored.filter(({ type }) => fhirRegistry[type].holdsBase)
  const [one = '', two = ''] = bases
  const served = holding.map(({ type, content }) => ({
    first: withBase(type, content, one),
    second: withBase(type, content, two),
  }))

  const types = Object.keys(fhirRegistry).filter((type) => fhirRegistry[type as FhirType].holdsBase)
  const filled = holding.filter(({ content }) => content.includes(basePlaceholder))
  expect(new Set(filled.map(({ type }) => type))).toEqual(new Set(types))
  expect(new Set(served.flatMap(({ first }) => foreign(first)))).toEqual(new Set(['one.example']))
  expect(new Set(served.flatMap(({ second }) => foreign(second)))).toEqual(new Set(['two.example:8443']))
  for (const { first, second } of served) {
    expect(JSON.stringify(JSON.parse(second)).replaceAll(two, one)).toBe(JSON.stringify(JSON.parse(first)))
  }
})

test('no other type holds an address of this service, or what stands for one', () => {
  const others = stored.filter(({ type }) => !fhirRegistry[type].holdsBase)

  expect(others.length).toBeGreaterThan(1_000)
  expect(others.filter(({ content }) => foreign(content).length > 0).map(({ id }) => id)).toEqual([])
  for (const { type, content } of others.slice(0, 100)) {
    expect(withBase(type, content, bases[0] ?? '')).toBe(content)
  }
})
