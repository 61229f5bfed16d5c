/** Converts FHIR elements that several REST records contain. */
import type * as fhir from 'fhir/r4.js'
import { identifierSystems } from '../contract/fhir/codes.ts'

/** The JSON of a stored resource; searches and reads return bytes. */
export type JsonText = string | Buffer

const past = new Set<string | undefined>(['old', 'maiden'])

/** The official name, or else the first current one. */
export function currentName(names: readonly fhir.HumanName[] = []) {
  const inUse = names.filter(({ use }) => !past.has(use))
  const name = inUse.find(({ use }) => use === 'official') ?? inUse[0] ?? names[0]
  return { family: name?.family ?? null, given: name?.given ?? [] }
}

/** Rank 1 is the most preferred. Contact points without a rank come last. */
export function toTelecom(points: readonly fhir.ContactPoint[] = []) {
  const rank = (point: fhir.ContactPoint) => point.rank ?? Number.MAX_SAFE_INTEGER
  return [...points]
    .sort((a, b) => rank(a) - rank(b))
    .flatMap(({ system, value, use }) =>
      value === undefined ? [] : [{ system: system ?? ('other' as const), value, use: use ?? null }],
    )
}

/** Current addresses come first. */
export function toAddresses(addresses: readonly fhir.Address[] = []) {
  const isOld = ({ use }: fhir.Address) => use === 'old'
  return [...addresses.filter((address) => !isOld(address)), ...addresses.filter(isOld)].map(
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

/** The first coding. Without a display it gets the concept's text. */
export function conceptCoding(concept: fhir.CodeableConcept | undefined) {
  const coding = toCoding(concept?.coding?.[0])
  return { ...coding, display: coding.display ?? concept?.text ?? null }
}

/** The id of a reference to this type; null for any other reference. */
export function idIn(reference: fhir.Reference | undefined, type: string): string | null {
  const [found, id] = reference?.reference?.split('/') ?? []
  return found === type && id ? id : null
}

export function identifierIn(
  identifiers: readonly fhir.Identifier[] = [],
  system: keyof typeof identifierSystems,
) {
  return identifiers.find((identifier) => identifier.system === identifierSystems[system])?.value ?? null
}
