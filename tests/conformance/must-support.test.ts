/**
 * Every mandatory and must-support element, slice, extension, choice and reference target of the 48 US Core 6.1.0
 * profiles is somewhere in the template practice, as a test suite that walks the profiles would look for it.
 * Facts: https://hl7.org/fhir/us/core/STU6.1/profiles-and-extensions.html
 */
import { describe, expect, test } from 'vitest'
import { castSeed } from '../../seed/options.ts'
import { practiceRecords } from '../../seed/practice-records.ts'
import { getPractice } from '../../seed/practices.ts'
import { type FhirType, fhirRegistry } from '../../server/contract/fhir-registry.ts'
import type { Resource } from '../../server/store/index-rows.ts'
import profileFacts from './facts/us-core-must-support.json' with { type: 'json' }

interface Slice {
  readonly name: string
  readonly path: string
  readonly by: {
    readonly type: string
    readonly path?: string
    readonly code?: string
    readonly system?: string
    readonly values?: readonly { path?: string; value?: string; system?: string; code?: string }[]
  }
}

interface ProfileFacts {
  readonly resource: string
  readonly profile: string
  readonly mandatory: readonly string[]
  readonly elements: readonly { path: string; fixed?: string; targets?: readonly string[] }[]
  readonly slices: readonly Slice[]
  readonly extensions: readonly { name: string; path: string; url: string }[]
  readonly choices: readonly {
    paths?: readonly string[]
    extensions?: readonly string[]
    targets?: readonly string[]
  }[]
}

const facts = profileFacts as readonly ProfileFacts[]
const resources = [...practiceRecords(getPractice('sandbox-template'), castSeed)]
const byAddress = new Map(resources.map((each) => [`${each.resourceType}/${each.id}`, each]))

/** Those it claims; a type whose resources claim none has but one. */
const profilesOf = (resource: Resource) =>
  (
    (resource.meta as { profile?: string[] } | undefined)?.profile ??
    fhirRegistry[resource.resourceType as FhirType]?.profiles ??
    []
  ).map((url) => url.split('/').pop())

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null
const list = (value: unknown): unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value]

/** Values at a path such as `component:systolic.valueQuantity.code` or `value[x]`. */
function valuesAt(root: unknown, path: string, slices: readonly Slice[], walked = ''): unknown[] {
  const [head = '', ...rest] = path.split('.')
  const [name = '', sliceName] = head.split(':')
  const here = walked === '' ? name : `${walked}.${name}`
  const found = childrenNamed(root, name).filter((value) => {
    if (sliceName === undefined) return true
    const slice = slices.find((each) => each.name === sliceName)
    return slice === undefined || belongs(value, slice)
  })
  if (rest.length === 0) return found
  return found.flatMap((value) => valuesAt(value, rest.join('.'), slices, here))
}

function childrenNamed(value: unknown, name: string): unknown[] {
  if (!isObject(value)) return []
  if (name.endsWith('[x]')) {
    const stem = name.slice(0, -3)
    return Object.entries(value).flatMap(([key, child]) =>
      key.startsWith(stem) && /^[A-Z]/.test(key.slice(stem.length)) ? list(child) : [],
    )
  }
  // The extensions of a primitive lie beside it, under its name with an underscore.
  if (name === 'extension') return list(value.extension)
  const beside = list(value[`_${name}`])
  return [...list(value[name]), ...beside]
}

function belongs(value: unknown, { by }: Slice): boolean {
  const codings = (each: unknown): Json[] =>
    isObject(each) ? (list(each.coding ?? each) as unknown[]).filter(isObject) : []
  const at = by.path ? valuesAt(value, by.path, []) : [value]
  switch (by.type) {
    case 'patternCodeableConcept':
    case 'patternCoding':
      return at.some((each) =>
        codings(each).some((coding) => coding.code === by.code && coding.system === by.system),
      )
    case 'patternIdentifier':
      return at.some((each) => isObject(each) && each.system === by.system)
    case 'requiredBinding':
      return at.some((each) =>
        codings(each).some((coding) =>
          by.values?.some((allowed) => allowed.code === coding.code && allowed.system === coding.system),
        ),
      )
    case 'value':
      return (by.values ?? []).every((wanted) =>
        valuesAt(value, wanted.path ?? '', []).some((each) => each === wanted.value),
      )
    default:
      return true
  }
}

function isThere(values: readonly unknown[], fixed?: string): boolean {
  return values.some((value) => (fixed === undefined ? value !== undefined : value === fixed))
}

/** What a profile asks for and nobody has. */
function missing(profile: ProfileFacts): string[] {
  const mine = resources.filter(
    (each) => each.resourceType === profile.resource && profilesOf(each).includes(profile.profile),
  )
  const at = (path: string) => mine.flatMap((each) => valuesAt(each, path, profile.slices))
  const has = (path: string, fixed?: string) => isThere(at(path), fixed)
  const hasExtension = (path: string, url: string) =>
    at(path).some((extension) => isObject(extension) && extension.url === url)
  const excused = (path: string) =>
    profile.choices.some(
      ({ paths = [], extensions = [] }) =>
        paths.includes(path) &&
        (paths.some((other) => has(other)) ||
          profile.extensions.some(
            (each) => extensions.includes(each.name) && hasExtension(each.path, each.url),
          )),
    )
  const leadsTo = (path: string, target: string) =>
    at(path).some(
      (reference) =>
        isObject(reference) &&
        typeof reference.reference === 'string' &&
        profilesOf(byAddress.get(reference.reference) ?? ({} as Resource)).includes(target),
    )
  const anyTargetDoes = (path: string, target: string) =>
    profile.choices.some(
      ({ targets = [] }) => targets.includes(target) && targets.some((other) => leadsTo(path, other)),
    )
  return [
    ...(mine.length === 0 ? ['no resource at all'] : []),
    ...mine.flatMap((each) =>
      profile.mandatory
        .filter((path) => !path.includes('.') && valuesAt(each, path, profile.slices).length === 0)
        .map((path) => `${each.id}: ${path}`),
    ),
    ...profile.mandatory.filter((path) => !has(path)),
    ...profile.elements
      .filter(({ path, fixed }) => !has(path, fixed) && !excused(path))
      .map(({ path }) => path),
    ...profile.elements.flatMap(({ path, targets = [] }) =>
      targets
        .filter((target) => !leadsTo(path, target) && !anyTargetDoes(path, target))
        .map((target) => `${path} → ${target}`),
    ),
    ...profile.slices
      .filter((slice) => slice.by.type !== 'type' && !at(slice.path).some((value) => belongs(value, slice)))
      .map((slice) => `${slice.path}:${slice.name}`),
    ...profile.extensions
      .filter(({ path, url }) => !hasExtension(path, url))
      .map(({ name }) => `extension ${name}`),
  ]
}

describe('the cast holds everything that US Core 6.1.0 asks for', () => {
  test('48 profiles are looked at', () => {
    expect(facts).toHaveLength(48)
  })

  test.each(facts.map((each) => [each.profile, each] as const))('%s', (_, profile) => {
    expect(missing(profile)).toEqual([])
  })
})

describe('what is asked of the record as a whole', () => {
  const codes = (type: string, path: string) =>
    new Set(
      resources
        .filter((each) => each.resourceType === type)
        .flatMap((each) => valuesAt(each, path, []).map(String)),
    )

  test('all eight kinds of note are there', () => {
    expect([...codes('DocumentReference', 'type.coding.code')]).toEqual(
      expect.arrayContaining([
        '11488-4',
        '18842-5',
        '34117-2',
        '28570-0',
        '11506-3',
        '18748-4',
        '11502-2',
        '11526-1',
      ]),
    )
  })

  test('reports come from cardiology, pathology and radiology', () => {
    expect([...codes('DiagnosticReport', 'category.coding.code')]).toEqual(
      expect.arrayContaining(['LP29708-2', 'LP7839-6', 'LP29684-5']),
    )
  })

  test('what a report presents is also a document of the same patient', () => {
    const attached = (type: string, path: string) =>
      resources
        .filter((each) => each.resourceType === type)
        .flatMap((each) =>
          valuesAt(each, path, []).map(
            (url) => `${(each.subject as { reference: string }).reference} ${url}`,
          ),
        )
    const documents = new Set(attached('DocumentReference', 'content.attachment.url'))
    const presented = attached('DiagnosticReport', 'presentedForm.url')

    expect(presented.length).toBeGreaterThan(0)
    expect(presented.filter((each) => !documents.has(each))).toEqual([])
  })

  test('screenings are social, functional, about disability and about thinking', () => {
    const screened = new Set(
      resources
        .filter((each) => profilesOf(each).includes('us-core-observation-screening-assessment'))
        .flatMap((each) => valuesAt(each, 'category.coding.code', []).map(String)),
    )

    expect([...screened]).toEqual(
      expect.arrayContaining(['sdoh', 'functional-status', 'disability-status', 'cognitive-status']),
    )
    expect([...codes('Condition', 'category.coding.code')]).toContain('sdoh')
  })

  test('data is absent with a reason, both ways', () => {
    const text = JSON.stringify(resources)

    expect(text).toContain('http://hl7.org/fhir/StructureDefinition/data-absent-reason')
    expect(text).toContain('http://terminology.hl7.org/CodeSystem/data-absent-reason')
  })
})
