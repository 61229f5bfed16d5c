/**
 * Demographic codes as published; nothing else in `seed` holds a code literal.
 * CDC race and ethnicity: https://hl7.org/fhir/us/core/STU6.1/ValueSet-omb-race-category.html
 */
import type { Coding } from '../../server/contract/fhir/codes.ts'

/** OMB race categories. */
export const races = {
  americanIndian: { system: 'urn:oid:2.16.840.1.113883.6.238', code: '1002-5', display: 'American Indian or Alaska Native' },
  asian: { system: 'urn:oid:2.16.840.1.113883.6.238', code: '2028-9', display: 'Asian' },
  black: { system: 'urn:oid:2.16.840.1.113883.6.238', code: '2054-5', display: 'Black or African American' },
  pacificIslander: { system: 'urn:oid:2.16.840.1.113883.6.238', code: '2076-8', display: 'Native Hawaiian or Other Pacific Islander' },
  white: { system: 'urn:oid:2.16.840.1.113883.6.238', code: '2106-3', display: 'White' },
} as const satisfies Record<string, Coding>

/** Where no category is recorded. */
export const racesUnknown = { unknown: { system: 'http://terminology.hl7.org/CodeSystem/v3-NullFlavor', code: 'UNK', display: 'unknown' }, askedButUnknown: { system: 'http://terminology.hl7.org/CodeSystem/v3-NullFlavor', code: 'ASKU', display: 'asked but unknown' } } as const satisfies Record<string, Coding>

/** OMB ethnicity categories. */
export const ethnicities = { hispanic: { system: 'urn:oid:2.16.840.1.113883.6.238', code: '2135-2', display: 'Hispanic or Latino' }, notHispanic: { system: 'urn:oid:2.16.840.1.113883.6.238', code: '2186-5', display: 'Not Hispanic or Latino' } } as const satisfies Record<string, Coding>

/** Detailed races used by the seed. */
export const detailedRaces = {
  chinese: { system: 'urn:oid:2.16.840.1.113883.6.238', code: '2034-7', display: 'Chinese' },
  filipino: { system: 'urn:oid:2.16.840.1.113883.6.238', code: '2036-2', display: 'Filipino' },
  vietnamese: { system: 'urn:oid:2.16.840.1.113883.6.238', code: '2047-9', display: 'Vietnamese' },
  asianIndian: { system: 'urn:oid:2.16.840.1.113883.6.238', code: '2029-7', display: 'Asian Indian' },
  africanAmerican: { system: 'urn:oid:2.16.840.1.113883.6.238', code: '2058-6', display: 'African American' },
  european: { system: 'urn:oid:2.16.840.1.113883.6.238', code: '2108-9', display: 'European' },
} as const satisfies Record<string, Coding>

/** Detailed ethnicities used by the seed. */
export const detailedEthnicities = {
  mexican: { system: 'urn:oid:2.16.840.1.113883.6.238', code: '2148-5', display: 'Mexican' },
  puertoRican: { system: 'urn:oid:2.16.840.1.113883.6.238', code: '2180-8', display: 'Puerto Rican' },
  cuban: { system: 'urn:oid:2.16.840.1.113883.6.238', code: '2182-4', display: 'Cuban' },
  dominican: { system: 'urn:oid:2.16.840.1.113883.6.238', code: '2184-0', display: 'Dominican' },
} as const satisfies Record<string, Coding>

/** Tribal entities, http://terminology.hl7.org/CodeSystem/v3-TribalEntityUS */
export const tribes = {
  cherokeeNation: { system: 'http://terminology.hl7.org/CodeSystem/v3-TribalEntityUS', code: '40', display: 'Cherokee Nation, Oklahoma' },
  navajoNation: { system: 'http://terminology.hl7.org/CodeSystem/v3-TribalEntityUS', code: '170', display: 'Navajo Nation, Arizona, New Mexico & Utah' },
  easternCherokee: { system: 'http://terminology.hl7.org/CodeSystem/v3-TribalEntityUS', code: '78', display: 'Eastern Band of Cherokee Indians of North Carolina' },
} as const satisfies Record<string, Coding>

/** SNOMED CT codes of the us-core-sex extension. */
export const sexCodes = { female: '248152002', male: '248153007', unknown: '184115007' } as const

/** https://hl7.org/fhir/us/core/STU6.1/ValueSet-birthsex.html */
export const birthSexCodes = { female: 'F', male: 'M', unknown: 'UNK' } as const

/** BCP 47, as US Core asks for in `communication.language`. */
export const languages = {
  english: { system: 'urn:ietf:bcp:47', code: 'en', display: 'English' },
  spanish: { system: 'urn:ietf:bcp:47', code: 'es', display: 'Spanish' },
  chinese: { system: 'urn:ietf:bcp:47', code: 'zh', display: 'Chinese' },
  japanese: { system: 'urn:ietf:bcp:47', code: 'ja', display: 'Japanese' },
  polish: { system: 'urn:ietf:bcp:47', code: 'pl', display: 'Polish' },
  vietnamese: { system: 'urn:ietf:bcp:47', code: 'vi', display: 'Vietnamese' },
} as const satisfies Record<string, Coding>

/** http://terminology.hl7.org/CodeSystem/v3-MaritalStatus */
export const maritalStatuses = {
  married: { system: 'http://terminology.hl7.org/CodeSystem/v3-MaritalStatus', code: 'M', display: 'Married' },
  neverMarried: { system: 'http://terminology.hl7.org/CodeSystem/v3-MaritalStatus', code: 'S', display: 'Never Married' },
  widowed: { system: 'http://terminology.hl7.org/CodeSystem/v3-MaritalStatus', code: 'W', display: 'Widowed' },
} as const satisfies Record<string, Coding>

/** http://terminology.hl7.org/CodeSystem/v2-0131 */
export const contactRelationships = { nextOfKin: { system: 'http://terminology.hl7.org/CodeSystem/v2-0131', code: 'N', display: 'Next-of-Kin' } } as const satisfies Record<string, Coding>

/** http://terminology.hl7.org/CodeSystem/organization-type */
export const organizationTypes = { provider: { system: 'http://terminology.hl7.org/CodeSystem/organization-type', code: 'prov', display: 'Healthcare Provider' } } as const satisfies Record<string, Coding>
