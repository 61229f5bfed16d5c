/**
 * The directory as a Bundle of brands and endpoints, from which an app's users choose where their record is.
 * https://hl7.org/fhir/smart-app-launch/STU2.2/brands.html
 */
import { identifierSystems } from '../contract/fhir/codes.ts'
import { paths } from '../contract/portal/paths.ts'
import type { DirectoryEntry } from '../domain/directory/directory.ts'

const profiles = 'http://hl7.org/fhir/smart-app-launch/StructureDefinition'
const fhirVersionUrl = 'http://hl7.org/fhir/StructureDefinition/endpoint-fhir-version'
const terminology = 'http://terminology.hl7.org/CodeSystem'

type Origins = {
  /** Of every FHIR base. */
  fhirOrigin: string
  /** Of the pages for people. */
  publicOrigin: string
}

type BundleOptions = Origins & {
  url: string
  entries: readonly DirectoryEntry[]
  /** Said of an empty directory, which changed when nobody can tell. */
  now: Date
}

/** The same list gives the same bytes: its time is that of its last change. */
export function brandsBundle({ url, entries, now, ...origins }: BundleOptions) {
  const changedAt = entries.reduce<Date | null>(
    (latest, { changedAt: at }) => (latest === null || at > latest ? at : latest),
    null,
  )
  const timestamp = (changedAt ?? now).toISOString()
  return {
    resourceType: 'Bundle',
    meta: { lastUpdated: timestamp, profile: [`${profiles}/user-access-brands-bundle`] },
    type: 'collection',
    timestamp,
    link: [{ relation: 'self', url }],
    ...(entries.length > 0 && {
      entry: entries.flatMap((each) => [
        { fullUrl: `${url}/Organization/${each.slug}`, resource: brand(each, origins) },
        { fullUrl: `${url}/Endpoint/${each.slug}`, resource: endpoint(each, origins) },
      ]),
    }),
  }
}

function brand({ slug, name, npi, address, changedAt }: DirectoryEntry, { publicOrigin }: Origins) {
  return {
    resourceType: 'Organization',
    id: slug,
    meta: { lastUpdated: changedAt.toISOString(), profile: [`${profiles}/user-access-brand`] },
    ...(npi !== null && { identifier: [{ system: identifierSystems.nationalProvider, value: npi }] }),
    active: true,
    type: [{ coding: [{ system: `${terminology}/organization-type`, code: 'prov' }] }],
    name,
    // Exactly one, where people read about the brand.
    telecom: [{ system: 'url', value: `${publicOrigin}${paths.directory}?q=${encodeURIComponent(name)}` }],
    ...(address !== null && {
      address: [
        {
          line: address.lines,
          city: address.city,
          state: address.state,
          postalCode: address.postalCode,
          country: 'US',
        },
      ],
    }),
    endpoint: [{ reference: `Endpoint/${slug}` }],
  }
}

function endpoint({ slug, name, changedAt }: DirectoryEntry, { fhirOrigin, publicOrigin }: Origins) {
  return {
    resourceType: 'Endpoint',
    id: slug,
    meta: { lastUpdated: changedAt.toISOString(), profile: [`${profiles}/user-access-endpoint`] },
    extension: [{ url: fhirVersionUrl, valueCode: '4.0.1' }],
    status: 'active',
    connectionType: { system: `${terminology}/endpoint-connection-type`, code: 'hl7-fhir-rest' },
    name: `${name}, FHIR R4`,
    managingOrganization: { reference: `Organization/${slug}` },
    // Where developers begin.
    contact: [{ system: 'url', value: `${publicOrigin}/` }],
    payloadType: [{ coding: [{ system: `${terminology}/endpoint-payload-type`, code: 'none' }] }],
    payloadMimeType: ['application/fhir+json'],
    address: `${fhirOrigin}/r4/${slug}`,
  }
}
