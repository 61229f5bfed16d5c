import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fhirTypeNumbers } from '../fhir/registry.ts'
import { isProblem } from '../http/problems.ts'
import { boxNames, chooseScopes, describeScopes } from './scope-labels.ts'
import { covers, narrow, narrowToTypes, scopesFor, typesOf } from './scope-narrowing.ts'
import {
  formatScope,
  formatScopes,
  launchScopeNames,
  parseScopes,
  readScopes,
  type Scope,
  type ScopeFilter,
} from './scopes.ts'

const laboratory = 'http://terminology.hl7.org/CodeSystem/observation-category|laboratory'
const concern = 'http://hl7.org/fhir/us/core/CodeSystem/condition-category|health-concern'

const parsed = (text: string) => formatScopes(parseScopes(text).scopes)
const narrowed = (...texts: readonly [string, ...string[]]) => {
  const [asked, ...ceilings] = texts.map((text) => parseScopes(text).scopes)
  return formatScopes(narrow(asked ?? [], ...ceilings))
}

// Two codes of one system, one of another, and any system: enough for every relation of two filters.
const filters: readonly (ScopeFilter | null)[] = [
  null,
  { parameter: 'category', system: 'urn:a', code: 'one' },
  { parameter: 'category', system: 'urn:a', code: 'two' },
  { parameter: 'category', system: 'urn:b', code: 'one' },
  { parameter: 'category', system: null, code: 'one' },
]
const anyResourceScope = fc
  .record({
    context: fc.constantFrom('patient', 'user', 'system'),
    type: fc.constantFrom('*', 'Condition', 'Observation', 'Patient', 'Group'),
    access: fc.constantFrom('read', '*', 'r', 's', 'rs', 'cruds'),
    filter: fc.constantFrom(...filters),
  })
  .map(({ context, type, access, filter }) => {
    const mayFilter = filter !== null && access !== 'read' && access !== '*'
    const query = mayFilter ? `?category=${filter.system ? `${filter.system}|` : ''}${filter.code}` : ''
    return `${context}/${type}.${access}${query}`
  })
const anyScopes = fc
  .array(fc.oneof(anyResourceScope, anyResourceScope, fc.constantFrom(...launchScopeNames)), { maxLength: 8 })
  .map((words) => parseScopes(words.join(' ')).scopes)

// The same tries at every run.
fc.configureGlobal({ seed: 42 })

/** Everything these scopes permit, said without the functions under test. */
function permitted(scopes: readonly Scope[]): Set<string> {
  const codings = ['urn:a|one', 'urn:a|two', 'urn:b|one', 'urn:c|three']
  return new Set(
    scopes.flatMap((scope) => {
      if (scope.kind === 'launch') return [scope.name]
      const { context, filter } = scope
      const types = scope.type === '*' ? Object.keys(fhirTypeNumbers) : [scope.type]
      return types
        .filter((type) => context !== 'patient' || type !== 'Group')
        .flatMap((type) =>
          codings
            .filter((coding) => {
              const [system, code] = coding.split('|')
              return !filter || (filter.code === code && (!filter.system || filter.system === system))
            })
            .flatMap((coding) => [
              ...(scope.read ? [`${context} reads ${type} ${coding}`] : []),
              ...(scope.search ? [`${context} searches ${type} ${coding}`] : []),
            ]),
        )
    }),
  )
}

test('scopes of both versions, wildcards and launch contexts are answered as they were asked', () => {
  const asked = [
    'openid fhirUser launch launch/patient launch/encounter offline_access online_access',
    'patient/Patient.rs patient/*.r user/Practitioner.s system/*.rs patient/Observation.read user/*.read',
    `patient/Observation.rs?category=${laboratory} patient/Condition.r?category=${concern}`,
    'system/Group.rs system/DocumentReference.rs?category=clinical-note',
  ].join(' ')

  expect(parseScopes(asked).refused).toEqual([])
  expect(parsed(asked)).toBe(asked)
})

test('writing is cut from what is asked, and a scope that is only writing is refused', () => {
  expect(parsed('patient/Patient.cruds patient/Goal.cr patient/Device.*')).toBe(
    'patient/Patient.rs patient/Goal.r patient/Device.read',
  )
  for (const text of ['patient/Patient.write', 'patient/Patient.cud', 'user/*.c'])
    expect(parseScopes(text)).toMatchObject({ scopes: [], refused: [{ text, reason: /read-only/ }] })
})

test('a filter may be percent-encoded, and the same scope asked twice is one', () => {
  const encoded = `patient/Observation.rs?category=${encodeURIComponent(laboratory)}`

  expect(parsed(`${encoded} patient/Observation.rs?category=${laboratory}  ${encoded}`)).toBe(
    `patient/Observation.rs?category=${laboratory}`,
  )
})

test.each([
  ['profile', /doesn’t know/],
  ['patient/Patient', /doesn’t know/],
  ['patient/patient.rs', /doesn’t have this resource type/],
  ['patient/constructor.rs', /doesn’t have this resource type/],
  ['patient/Patient.sr', /in this order/],
  ['patient/Patient.', /doesn’t know/],
  ['patient/Group.rs', /not part of one patient/],
  ['patient/Observation.read?category=x', /version 2/],
  ['patient/*.rs?category=x', /wildcard/],
  ['patient/Observation.rs?', /narrowed by category/],
  ['patient/Observation.rs?status=final', /narrowed by category/],
  ['patient/Observation.rs?category:in=x', /narrowed by category/],
  ['patient/Patient.rs?name=x', /whole type/],
  ['patient/Observation.rs?category=', /one value/],
  ['patient/Observation.rs?category=a,b', /one value/],
  ['patient/Observation.rs?category=a%2Cb', /one value/],
  ['patient/Observation.rs?category=a&date=2020', /one value/],
  ['patient/Observation.rs?category=a|b|c', /one value/],
  ['patient/Observation.rs?category=|a', /one value/],
  ['patient/Observation.rs?category=a|', /one value/],
  ['patient/Observation.rs?category=%20', /one value/],
  ['patient/Observation.rs?category=%ff', /one value/],
  ['patient/Observation.rs?category=%E2%80%AE', /one value/],
])('%s is refused by itself, with a reason for its developer', (text, reason) => {
  expect(parseScopes(`openid ${text}`)).toEqual({
    scopes: [{ kind: 'launch', name: 'openid' }],
    refused: [{ text, reason: expect.stringMatching(reason) }],
  })
})

test('a text that is too long, too many or no list of scopes is refused whole', () => {
  const kinds = [
    'x'.repeat(100_000),
    Array.from({ length: 300 }, (_, index) => `a${index}`).join(' '),
    'openid\nfhirUser',
    'openid\u0000',
    'patient/Observation.rs?category="x"',
    'öpenid',
  ].map((text) => {
    try {
      return parseScopes(text)
    } catch (problem) {
      return isProblem(problem) && problem.kind
    }
  })

  expect(kinds).toEqual(kinds.map(() => 'validation'))
  expect(parseScopes('')).toEqual({ scopes: [], refused: [] })
})

test('whatever text arrives, it is parsed or refused, and what was parsed reads the same again', () => {
  const pieces = fc.constantFrom(
    'patient/',
    'user/',
    '*',
    'Observation',
    '.rs',
    '.read',
    '?category=',
    'a|b',
    ' ',
    '%',
  )
  const texts = fc.oneof(
    fc.string(),
    fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(texts, (text) => {
      try {
        const { scopes } = parseScopes(text)
        expect(readScopes(formatScopes(scopes))).toEqual(scopes)
      } catch (problem) {
        expect(isProblem(problem) && problem.kind).toBe('validation')
      }
    }),
    { numRuns: 500 },
  )
  expect(() => readScopes('patient/Nothing.rs')).toThrow('stored scopes')
})

test('what is granted is never wider than asked, registered, approved and chosen', () => {
  fc.assert(
    fc.property(anyScopes, anyScopes, anyScopes, (asked, registered, approved) => {
      const granted = narrow(asked, registered, approved)
      const bounds = [asked, registered, approved].map(permitted)
      for (const each of permitted(granted)) {
        for (const bound of bounds) expect(bound).toContain(each)
      }
      expect(narrow(granted, registered, approved)).toEqual(granted)
    }),
    { numRuns: 1_000 },
  )
})

test('where nothing is granular, everything that is in all of them is granted', () => {
  const wholeScopes = anyScopes.map((scopes) =>
    scopes.filter((scope) => scope.kind === 'launch' || scope.filter === null),
  )
  fc.assert(
    fc.property(wholeScopes, wholeScopes, (asked, registered) => {
      const bound = permitted(registered)
      expect(permitted(narrow(asked, registered))).toEqual(
        new Set([...permitted(asked)].filter((each) => bound.has(each))),
      )
    }),
    { numRuns: 500 },
  )
})

test('with a granular scope granted, no whole-type scope for that type remains', () => {
  const asked = `patient/*.rs patient/Condition.rs user/Observation.rs patient/Condition.rs?category=${concern}`
  const granted = narrow(parseScopes(asked).scopes)

  expect(
    granted.filter((scope) => scope.kind === 'resource' && typesOf(scope).includes('Condition')),
  ).toEqual(parseScopes(`patient/Condition.rs?category=${concern}`).scopes)
  expect(scopesFor(granted, 'Goal', 'read')).toHaveLength(1)
  fc.assert(
    fc.property(anyScopes, anyScopes, (one, other) => {
      const resources = narrow(one, other).filter((scope) => scope.kind === 'resource')
      for (const type of resources.flatMap((scope) => (scope.filter ? [scope.type] : [])))
        expect(resources.every((scope) => scope.filter || (scope.type !== type && scope.type !== '*'))).toBe(
          true,
        )
    }),
  )
})

test('narrowing keeps the syntax that was asked, as far as it has words', () => {
  expect(narrowed('patient/*.read', 'patient/Patient.rs patient/Goal.rs')).toBe(
    'patient/Patient.read patient/Goal.read',
  )
  expect(narrowed('patient/*.read openid', 'patient/*.rs')).toBe('patient/*.read')
  expect(narrowed('patient/Goal.read', 'patient/*.r')).toBe('patient/Goal.r')
  expect(narrowed('patient/Observation.read', `patient/Observation.rs?category=${laboratory}`)).toBe(
    `patient/Observation.rs?category=${laboratory}`,
  )
  expect(narrowed('patient/Goal.rs', 'patient/*.r patient/Goal.rs patient/Goal.r')).toBe('patient/Goal.rs')
  expect(narrowed('patient/Goal.rs', 'user/Goal.rs system/*.rs')).toBe('')
})

test('a policy of types leaves those types, and what is not about a type', () => {
  const { scopes } = parseScopes('openid user/*.rs system/Goal.rs')

  expect(formatScopes(narrowToTypes(scopes, ['Patient', 'Group']))).toBe(
    'openid user/Group.rs user/Patient.rs',
  )
  expect(narrowToTypes(scopes, null)).toBe(scopes)
})

test('a scope covers what it permits and nothing else', () => {
  const covered = (granted: string, wanted: string) =>
    parseScopes(wanted).scopes.every((scope) => covers(parseScopes(granted).scopes, scope))

  expect(covered('system/*.rs', 'system/Patient.rs system/Goal.read system/Group.r')).toBe(true)
  expect(
    covered('patient/Observation.rs?category=laboratory', `patient/Observation.r?category=${laboratory}`),
  ).toBe(true)
  expect(
    covered(`patient/Observation.rs?category=${laboratory}`, 'patient/Observation.r?category=laboratory'),
  ).toBe(false)
  expect(covered('patient/Goal.r', 'patient/Goal.rs')).toBe(false)
  expect(covered('openid', 'offline_access')).toBe(false)
})

test('a list of people is in no patient’s record, not even by wildcard', () => {
  const { scopes } = parseScopes('patient/*.rs')

  expect(scopesFor(scopes, 'Group', 'read')).toEqual([])
  expect(scopesFor(scopes, 'Location', 'search')).toHaveLength(1)
  expect(scopesFor(parseScopes('system/*.r').scopes, 'Group', 'read')).toHaveLength(1)
  expect(scopesFor(parseScopes('system/*.r').scopes, 'Group', 'search')).toEqual([])
})

test('every type has words of its own, for the reader and for others', () => {
  const everything = parseScopes('user/*.rs openid offline_access').scopes
  for (const voice of ['own', 'other'] as const) {
    const { lines, identity, lasting } = describeScopes(everything, voice)
    expect(lines.map(({ type }) => type).sort()).toEqual(Object.keys(fhirTypeNumbers).sort())
    expect(new Set(lines.map(({ title }) => title)).size).toBe(lines.length)
    expect({ identity, lasting }).toEqual({ identity: true, lasting: 'offline' })
  }
  expect(describeScopes(everything, 'other').lines.filter(({ title }) => /\byour?\b/i.test(title))).toEqual(
    [],
  )
})

const choiceOfAll = (scopes: readonly Scope[]) => {
  const { lines } = describeScopes(scopes, 'own')
  return {
    types: lines.map(({ type }) => type as string),
    picks: lines.flatMap(boxNames),
    lasting: true,
  }
}

test('a choice is never wider than the offer, and lasting access only with its own tick', () => {
  const names = fc.subarray(['Condition', 'Observation', 'Patient', 'Group', '*', 'constructor'])
  fc.assert(
    fc.property(anyScopes, names, fc.boolean(), (asked, types, lasting) => {
      const offered = narrow(asked)
      const { picks } = choiceOfAll(offered)
      const granted = chooseScopes(offered, { types, picks: picks.slice(1), lasting })
      const bound = permitted(offered)
      for (const each of permitted(granted)) expect(bound).toContain(each)
      for (const name of ['offline_access', 'online_access'] as const) {
        const isGranted = granted.some((scope) => formatScope(scope) === name)
        expect(isGranted).toBe(lasting && bound.has(name))
      }
    }),
  )
})
