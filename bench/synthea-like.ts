/**
 * Files shaped as Synthea writes them, of our own synthetic people, as large as one likes: one transaction Bundle a
 * patient, indented, with `urn:uuid` references, staff named by identifier in files of their own, claims, which are
 * not stored here, and one Provenance of everything.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultSeed } from '../seed/options.ts'
import { practiceBatches } from '../seed/practice-records.ts'
import { getPractice } from '../seed/practices.ts'
import { isFhirType, registryRow } from '../server/contract/fhir/registry.ts'
import type { Resource } from '../server/store/index-rows.ts'

const patients = 40
/** Stands in every id of a patient's Bundle where each copy has its own number. */
const mark = '@@@@@@@@'
const sourceSystem = 'https://source.example/synthetic'

interface PatientBundle {
  readonly text: string
  readonly entries: number
  readonly stored: number
}

interface Element {
  [name: string]: unknown
}

export interface WrittenInput {
  readonly megabytes: number
  readonly patients: number
  readonly entries: number
  /** Of the entries, those of types that are stored here. */
  readonly stored: number
}

export function writeSyntheaLike(folder: string, megabytes: number): WrittenInput {
  mkdirSync(folder, { recursive: true })
  const staff: Resource[] = []
  const templates: PatientBundle[] = []
  for (const { resources } of practiceBatches(getPractice('harbor-family'), { ...defaultSeed, patients })) {
    const shared = resources.filter(isShared)
    staff.push(...shared)
    const own = resources.filter((each) => !isShared(each) && each.resourceType !== 'Provenance')
    if (own.some(({ resourceType }) => resourceType === 'Patient')) templates.push(patientBundle(own))
  }
  let bytes = write(join(folder, 'practitionerInformation1.json'), staffBundle(staff))
  let count = 0
  let entries = staff.length
  let stored = staff.length
  while (bytes < megabytes * 1_000_000) {
    const template = templates[count % templates.length]
    if (!template) throw new Error('the practice has no patients')
    const text = template.text.replaceAll(mark, count.toString(16).padStart(8, '0'))
    bytes += write(join(folder, `Patient_${count}.json`), text)
    entries += template.entries
    stored += template.stored
    count += 1
  }
  return { megabytes: bytes / 1_000_000, patients: count, entries, stored }
}

function write(path: string, text: string): number {
  writeFileSync(path, text)
  return statSync(path).size
}

function isShared({ resourceType }: Resource): boolean {
  return isFhirType(resourceType) && registryRow(resourceType).compartment === null
}

function staffBundle(staff: readonly Resource[]): string {
  const entry = staff.map((resource) => ({
    fullUrl: `urn:uuid:${resource.id}`,
    resource: { ...resource, identifier: [{ system: sourceSystem, value: resource.id }] },
  }))
  return indented({ resourceType: 'Bundle', type: 'batch', entry })
}

function patientBundle(resources: readonly Resource[]): PatientBundle {
  const own = new Map(
    resources.map(({ resourceType, id }) => [`${resourceType}/${id}`, uuidOf(`${resourceType}/${id}`)]),
  )
  const all = [...resources, ...claimsFor(resources)]
  const entry = all.map((resource) => {
    const id = uuidOf(`${resource.resourceType}/${resource.id}`)
    return entryOf({ ...(referring(resource, own) as Resource), id })
  })
  const target = entry.slice(0, 1_500).map(({ fullUrl }) => ({ reference: fullUrl }))
  entry.push(
    entryOf({
      resourceType: 'Provenance',
      id: uuidOf('Provenance'),
      recorded: '2026-01-01T00:00:00Z',
      target,
    }),
  )
  return {
    text: indented({ resourceType: 'Bundle', type: 'transaction', entry }),
    entries: entry.length,
    stored: entry.filter(({ resource }) => isFhirType(resource.resourceType)).length,
  }
}

function entryOf(resource: Resource) {
  const request = { method: 'POST', url: resource.resourceType }
  return { fullUrl: `urn:uuid:${resource.id}`, resource, request }
}

/** A claim and its answer for each visit. */
function claimsFor(resources: readonly Resource[]): Resource[] {
  return resources
    .filter(({ resourceType }) => resourceType === 'Encounter')
    .flatMap(({ id, subject }) =>
      ['Claim', 'ExplanationOfBenefit'].map((resourceType) => ({
        resourceType,
        id: `${resourceType}-${id}`,
        contained: [{ resourceType: 'Coverage', id: 'coverage', beneficiary: subject }],
        patient: subject,
        item: Array.from({ length: 12 }, (_, at) => ({
          sequence: at + 1,
          productOrService: { text: 'Item of a synthetic claim' },
          net: { value: 103.5, currency: 'USD' },
        })),
      })),
    )
}

/** The patient's own resources by `urn:uuid`, all others by identifier. */
function referring(element: unknown, own: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(element)) return element.map((each) => referring(each, own))
  if (typeof element !== 'object' || element === null) return element
  const copy: Element = {}
  for (const [name, value] of Object.entries(element)) copy[name] = referring(value, own)
  if (typeof copy.reference === 'string') {
    const [type, id] = copy.reference.split('/')
    const uuid = own.get(copy.reference)
    copy.reference = uuid ? `urn:uuid:${uuid}` : `${type}?identifier=${sourceSystem}|${id}`
  }
  return copy
}

function uuidOf(address: string): string {
  const digits = createHash('sha256').update(address).digest('hex')
  return `${mark}-${digits.slice(0, 4)}-4${digits.slice(5, 8)}-8${digits.slice(9, 12)}-${digits.slice(12, 24)}`
}

function indented(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
