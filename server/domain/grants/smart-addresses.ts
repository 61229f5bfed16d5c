/** The absolute URLs of a practice's FHIR base and authorization server (decision 25). */
import { paths } from '../../contract/portal/paths.ts'

export type SmartAddresses = ReturnType<typeof createSmartAddresses>

export function createSmartAddresses({
  FHIR_ORIGIN,
  PUBLIC_ORIGIN,
}: {
  FHIR_ORIGIN: string
  PUBLIC_ORIGIN: string
}) {
  const fhirBase = (slug: string) => `${FHIR_ORIGIN}/r4/${slug}`
  return {
    /** The FHIR base, which is also the issuer, without a slash at the end. */
    fhirBase,
    authorize: (slug: string) => `${PUBLIC_ORIGIN}/r4/${slug}/authorize`,
    token: (slug: string) => `${fhirBase(slug)}/token`,
    introspect: (slug: string) => `${fhirBase(slug)}/introspect`,
    revoke: (slug: string) => `${fhirBase(slug)}/revoke`,
    jwks: (slug: string) => `${fhirBase(slug)}/.well-known/jwks.json`,
    style: (slug: string) => `${fhirBase(slug)}/smart-style.json`,
    /** The consent page. */
    decide: (id: string) => `${PUBLIC_ORIGIN}/authorize/${id}`,
    manageApps: `${PUBLIC_ORIGIN}${paths.patientApps}`,
  }
}
