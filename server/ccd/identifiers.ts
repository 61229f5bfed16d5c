/** Ids of CDA: a root that is a UUID or an OID, and an extension. Made from what is known, never drawn. */
import { createHash } from 'node:crypto'
import type * as fhir from 'fhir/r4.js'
import { nationalProviderOid } from '../contract/fhir/ccda-values.ts'
import { identifierSystems } from '../contract/fhir/codes.ts'
import type { Chart } from './chart.ts'
import { el, type Xml } from './xml.ts'

/** Another document when anything in the chart is another, and the same one until then. */
export function documentId({
  practice,
  patient,
  changedAt,
}: Pick<Chart, 'practice' | 'patient' | 'changedAt'>): string {
  return uuidOf(`${practice.slug} ccd ${patient.id} ${changedAt.toISOString()}`)
}

/** Of a resource: its practice, its type and its id. */
export const resourceId = ({ practice }: Chart, resource: { resourceType: string; id: string }): Xml =>
  el('id', { root: rootOf(practice.slug), extension: `${resource.resourceType}/${resource.id}` })

/** Of a part of a resource, which has no id of its own. */
export function partId(
  { practice }: Chart,
  resource: { resourceType: string; id: string },
  part: string,
): Xml {
  return el('id', {
    root: rootOf(practice.slug),
    extension: `${resource.resourceType}/${resource.id}#${part}`,
  })
}

/** What a chart's own system calls something; identifiers without a value are none. */
export function identifier({ practice }: Chart, { system, value }: fhir.Identifier): Xml | null {
  if (value === undefined) return null
  if (system === identifierSystems.nationalProvider) {
    return el('id', { root: nationalProviderOid, extension: value })
  }
  const oid = /^urn:oid:([0-2](\.(0|[1-9]\d*))+)$/.exec(system ?? '')?.[1]
  return el('id', { root: oid ?? uuidOf(`${practice.slug} ${system ?? ''}`), extension: value })
}

/** Root of a practice's own ids. */
const rootOf = (slug: string): string => uuidOf(`${slug} resources`)

/** A UUID of our own making, https://www.rfc-editor.org/rfc/rfc9562#name-uuid-version-8 */
function uuidOf(name: string): string {
  const known = uuids.get(name)
  if (known !== undefined) return known
  const bytes = createHash('sha256').update(`sandpiper ccd ${name}`).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  const uuid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  if (uuids.size >= uuidsMax) uuids.clear()
  uuids.set(name, uuid)
  return uuid
}

/** The same few roots are asked for again and again. */
const uuids = new Map<string, string>()
const uuidsMax = 1_000
