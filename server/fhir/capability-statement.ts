/**
 * The CapabilityStatement, generated from the tables that the implementation uses.
 * https://hl7.org/fhir/R4/capabilitystatement.html
 * https://hl7.org/fhir/us/core/STU6.1/CapabilityStatement-us-core-server.html
 */

import { bulkOperations, fhirOperations } from '../contract/fhir/operations.ts'
import {
  type FhirType,
  type FhirTypeRow,
  fhirRegistry,
  registryRow,
  type SearchParameterRow,
} from '../contract/fhir/registry.ts'
import { searchTypeOf } from '../contract/fhir/type-row.ts'
import { type Deprecation, deprecationSentence } from '../contract/http/deprecation.ts'
import { limits } from '../contract/http/limits.ts'

/** Change it with the tables that the statement is generated from. */
const changedOn = '2026-11-28'

const usCore = 'http://hl7.org/fhir/us/core'
const combinationUrl =
  'http://hl7.org/fhir/StructureDefinition/capabilitystatement-search-parameter-combination'
/** https://hl7.org/fhir/smart-app-launch/STU2.2/conformance.html */
const oauthUrisUrl = 'http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris'
const smartServiceSystem = 'http://terminology.hl7.org/CodeSystem/restful-security-service'

/**
 * @param base the practice's FHIR base URL, without a slash at its end
 * @param rowOf the registry without what the search index does not support yet
 */
export function capabilityStatement({
  base,
  practiceName,
  rowOf = registryRow,
  deprecated = {},
  manageApps = null,
}: {
  base: string
  practiceName: string
  rowOf?: (type: FhirType) => FhirTypeRow
  /** Deprecated operations by name. */
  deprecated?: Deprecated
  /** The URL of the page where people revoke an app's access. */
  manageApps?: string | null
}) {
  return {
    resourceType: 'CapabilityStatement',
    id: 'sandpiper',
    url: `${base}/metadata`,
    name: 'SandpiperFhirApi',
    title: 'Sandpiper FHIR R4 API',
    status: 'active',
    date: changedOn,
    publisher: 'Sandpiper',
    description:
      'A read-only FHIR API of one practice for SMART apps and backend services, with the profiles of US Core 6.1.0.',
    kind: 'instance',
    instantiates: [
      `${usCore}/CapabilityStatement/us-core-server`,
      // https://hl7.org/fhir/uv/bulkdata/STU2/CapabilityStatement-bulk-data.html
      'http://hl7.org/fhir/uv/bulkdata/CapabilityStatement/bulk-data',
    ],
    software: { name: 'Sandpiper' },
    implementation: { description: practiceName, url: base },
    fhirVersion: '4.0.1',
    format: ['application/fhir+json', 'json'],
    implementationGuide: [
      `${usCore}/ImplementationGuide/hl7.fhir.us.core|6.1.0`,
      'http://hl7.org/fhir/smart-app-launch/ImplementationGuide/hl7.fhir.uv.smart-app-launch|2.2.0',
    ],
    rest: [
      {
        mode: 'server',
        documentation: `Read and search only. Pages hold ${limits.fhirPageSizeDefault} matches, ${limits.fhirPageSizeMax} at most; follow the link “next” to the end.`,
        security: security(base, manageApps),
        resource: (Object.keys(fhirRegistry) as FhirType[])
          .sort()
          .map((type) => resourceOf(type, rowOf(type), deprecated)),
        searchParam: [
          { name: '_count', type: 'number', documentation: 'Matches per page; 0 requests the total only.' },
          {
            name: '_sort',
            type: 'string',
            documentation: 'The type’s date or _lastUpdated, with a leading - for newest first.',
          },
        ],
      },
    ],
  }
}

function security(base: string, manageApps: string | null) {
  const uris = ['authorize', 'token', 'introspect', 'revoke'] as const
  const extension: { url: string; valueUri: string }[] = uris.map((name) => ({
    url: name,
    valueUri: `${base}/${name}`,
  }))
  if (manageApps !== null) extension.push({ url: 'manage', valueUri: manageApps })
  return {
    extension: [
      {
        url: oauthUrisUrl,
        extension,
      },
    ],
    cors: true,
    service: [{ coding: [{ system: smartServiceSystem, code: 'SMART-on-FHIR', display: 'SMART-on-FHIR' }] }],
    description: 'SMART App Launch 2.2: authorization code with PKCE, and backend services.',
  }
}

type Deprecated = Readonly<Record<string, Deprecation>>

function resourceOf(type: FhirType, row: FhirTypeRow, deprecated: Deprecated) {
  const offered = row.parameters.filter(isOffered)
  const operations = Object.values({ ...fhirOperations, ...bulkOperations }).filter(
    (operation) => operation.type === type,
  )
  const combinations = [...row.combinations.shall, ...row.combinations.should]
  return {
    ...(combinations.length > 0 && { extension: combinations.map(combinationOf) }),
    type,
    ...(row.profiles.length > 0 && { supportedProfile: row.profiles }),
    interaction: [{ code: 'read' }, { code: 'search-type' }],
    versioning: 'versioned',
    readHistory: false,
    updateCreate: false,
    conditionalCreate: false,
    conditionalRead: 'full-support',
    conditionalUpdate: false,
    conditionalDelete: 'not-supported',
    referencePolicy: ['literal', 'local'],
    ...(row.includes.length > 0 && { searchInclude: row.includes }),
    ...(row.revIncludes.length > 0 && { searchRevInclude: row.revIncludes }),
    searchParam: offered.map((parameter) => searchParamOf(type, parameter)),
    ...(operations.length > 0 && {
      operation: operations.map(({ name, definition, documentation }) => ({
        name,
        definition,
        documentation: `${endOf(deprecated[name])}${documentation}${name in fhirOperations ? postedToo : ''}`,
      })),
    }),
  }
}

const postedToo = ' Answers POST like GET: with a form, a Parameters resource or an empty body.'

function endOf(deprecation: Deprecation | undefined): string {
  if (deprecation === undefined) return ''
  const { successor } = deprecation
  return `${deprecationSentence(deprecation, successor === undefined ? null : `$${successor}`)} `
}

/** @param combination such as `patient+category+date` */
function combinationOf(combination: string) {
  return {
    url: combinationUrl,
    extension: combination.split('+').map((name) => ({ url: 'required', valueString: name })),
  }
}

function searchParamOf(type: FhirType, parameter: SearchParameterRow) {
  const definition = definitionOf(type, parameter)
  return {
    name: parameter.name,
    ...(definition !== null && { definition }),
    type: searchTypeOf[parameter.kind],
  }
}

/** US Core defines the parameters that it requires, alone or in combinations. FHIR defines those that every type has. */
function definitionOf(type: FhirType, { name, kind, expectation }: SearchParameterRow) {
  const plain = name.replace(/^_/, '')
  const { shall, should } = registryRow(type).combinations
  const combined = [...shall, ...should].some((combination) => combination.split('+').includes(name))
  if (expectation !== undefined || combined) {
    return `${usCore}/SearchParameter/us-core-${type.toLowerCase()}-${plain}`
  }
  return kind === 'id' || kind === 'updated' ? `http://hl7.org/fhir/SearchParameter/Resource-${plain}` : null
}

const isOffered = ({ offered }: SearchParameterRow): boolean => offered !== false
