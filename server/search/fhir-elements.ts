/** Elements that several records hold, from FHIR JSON. */
import type * as fhir from 'fhir/r4.js'
import { identifierSystems } from '../contract/fhir/codes.ts'

/** A stored resource: bytes where a search or a read gave it. */
export type JsonText = string | Buffer

const past = new Set<string | undefined>(['old', 'maiden'])

/** The official name, else the first one still in use. */
export function currentName(names: readonly fhir.HumanName[] = []) {
  const inUse = names.filter(({ use }) => !past.has(use))
  const name = inUse.find(({ use }) => use === 'official') ?? inUse[0] ?? names[0]
  return { family: name?.family ?? null, given: name?.given ?? [] }
}

/** FHIR ranks preference from 1 up; what has no rank comes after. */
export function toTelecom(points: readonly fhir.ContactPoint[] = []) {
  const rank = (point: fhir.ContactPoint) => point.rank ?? Number.MAX_SAFE_INTEGER
  return [...points]
    .sort((a, b) => rank(a) - rank(b))
    .flatMap(({ system, value, use }) =>
      value === undefined ? [] : [{ system: system ?? ('other' as const), value, use: use ?? null }],
    )
}

/** The one in use first. */
export function toAddresses(addresses: readonly fhir.Address[] = []) {
  const isOld = ({ use }: fhir.Address) => use === 'old'
  return [...addresses.filter((each) => !isOld(each)), ...addresses.filter(isOld)].map(
    ({ use, line, city, state, postalCode, country }) => ({
      use: use ?? null,
      line: line ?? [],
      city: city ?? null,
      state: state ?? null,
      postalCode: postalCode ?? null,
      country: country ?? null,
    }),
  )
}

export function toCoding(coding: fhir.Coding | undefined) {
  return {
    system: coding?.system ?? null,
    code: coding?.code ?? null,
    display: coding?.display ?? null,
  }
}

/** The first coding, under the text of the concept when it has no display of its own. */
export function conceptCoding(concept: fhir.CodeableConcept | undefined) {
  const coding = toCoding(concept?.coding?.[0])
  return { ...coding, display: coding.display ?? concept?.text ?? null }
}

/** The id of a reference to this type, null for any other. */
export function idIn(reference: fhir.Reference | undefined, type: string): string | null {
  const [found, id] = reference?.reference?.split('/') ?? []
  return found === type && id ? id : null
}

export function identifierIn(
  identifiers: readonly fhir.Identifier[] = [],
  system: keyof typeof identifierSystems,
) {
  return identifiers.find((each) => each.system === identifierSystems[system])?.value ?? null
}
