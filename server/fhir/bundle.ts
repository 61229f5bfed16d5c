/**
 * A searchset made by joining stored texts: nothing is parsed or serialized again.
 * https://hl7.org/fhir/R4/bundle.html#searchset
 */
import { type FhirType, registryRow } from '../contract/fhir/registry.ts'
import { basePlaceholder } from '../contract/fhir/type-row.ts'
import { type OutcomeIssue, outcomeText } from '../http/outcome.ts'

/** A resource as the store gives it. */
export interface StoredText {
  readonly type: FhirType
  readonly id: string
  readonly content: string
  /** Of what is made when it is asked for, and has no address of its own. */
  readonly fullUrl?: string
}

interface Searchset {
  /** Absolute FHIR base of the practice. */
  readonly base: string
  readonly total: number
  readonly self: string
  readonly next: string | null
  readonly matches: readonly StoredText[]
  readonly included: readonly StoredText[]
  /** What was left out of the search, said in an entry of its own. */
  readonly warnings: readonly OutcomeIssue[]
}

export function searchset({ base, total, self, next, matches, included, warnings }: Searchset): string {
  const links = [{ relation: 'self', url: self }, ...(next === null ? [] : [{ relation: 'next', url: next }])]
  const entries = [
    ...matches.map((each) => entry(base, each, 'match')),
    ...included.map((each) => entry(base, each, 'include')),
    ...(warnings.length === 0 ? [] : [`{"resource":${outcomeText(warnings)},"search":{"mode":"outcome"}}`]),
  ]
  const head = `{"resourceType":"Bundle","type":"searchset","total":${total},"link":${JSON.stringify(links)}`
  // FHIR knows no empty arrays.
  return entries.length === 0 ? `${head}}` : `${head},"entry":[${entries.join(',')}]}`
}

/** The text as it leaves: under this base, where its type holds addresses of it. */
export function servedText(base: string, { type, content }: StoredText): string {
  return registryRow(type).holdsBase ? content.replaceAll(basePlaceholder, base) : content
}

function entry(base: string, resource: StoredText, mode: 'match' | 'include'): string {
  const { type, id, fullUrl = `${base}/${type}/${id}` } = resource
  return `{"fullUrl":"${fullUrl}","resource":${servedText(base, resource)},"search":{"mode":"${mode}"}}`
}
