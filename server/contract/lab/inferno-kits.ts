/**
 * What the public Inferno test kits ask a server for: the apps that each registers, its addresses, and its inputs.
 * Kits: (g)(10) 8.0, US Core 1.1 (suite 6.1.0), SMART App Launch 1.0 (STU 2 and 2.2), Bulk Data 0.13 (2.0.0).
 */
import { conformancePersonId } from './conformance-person.ts'

/** Where the kits are offered to everybody; a copy that someone runs has an address of its own. */
export const publicInferno = 'https://inferno.healthit.gov/suites'

export const infernoRoles = {
  standalone: { audience: 'patient', authentication: 'client_secret_basic', title: 'Standalone launch' },
  public: { audience: 'patient', authentication: 'none', title: 'Public app' },
  asymmetric: { audience: 'patient', authentication: 'private_key_jwt', title: 'Asymmetric app' },
  ehr: { audience: 'clinician', authentication: 'client_secret_basic', title: 'EHR launch' },
  backend: { audience: 'backend', authentication: 'private_key_jwt', title: 'Backend system' },
} as const

export type InfernoRole = keyof typeof infernoRoles

const types =
  'Patient AllergyIntolerance CarePlan CareTeam Condition Coverage Device DiagnosticReport DocumentReference Encounter Endpoint Goal Immunization Location Medication MedicationDispense MedicationRequest Observation Organization Practitioner PractitionerRole Procedure Provenance QuestionnaireResponse RelatedPerson ServiceRequest Specimen'.split(
    ' ',
  )
const each = (context: 'patient' | 'user') => types.map((type) => `${context}/${type}.rs`).join(' ')

/** What an app of a kit may ask for at most. */
const infernoScopes: Readonly<Record<'patient' | 'clinician' | 'backend', string>> = {
  patient: 'openid fhirUser launch/patient offline_access patient/*.rs patient/*.read',
  clinician:
    'openid fhirUser launch launch/patient launch/encounter offline_access patient/*.rs user/*.rs patient/*.read user/*.read',
  backend: 'system/*.rs system/*.read',
}

const standaloneScopes = `launch/patient openid fhirUser offline_access ${each('patient')}`
const ehrScopes = `launch openid fhirUser offline_access ${each('user')}`

/**
 * What every Inferno signs with, the public one and copies: all kits come with the same two keys. So no key set is
 * fetched, which would fail for a copy that only its developer reaches.
 */
const infernoKeys = {
  keys: [
    {
      kty: 'EC',
      crv: 'P-384',
      alg: 'ES384',
      use: 'sig',
      kid: '4b49a739d1eb115b3225f4cf9beb6d1b',
      x: 'JQKTsV6PT5Szf4QtDA1qrs0EJ1pbimQmM2SKvzOlIAqlph3h1OHmZ2i7MXahIF2C',
      y: 'bRWWQRJBgDa6CTgwofYrHjVGcO-A7WNEnu4oJA5OUJPPPpczgx1g2NsfinK-D2Rw',
    },
    {
      kty: 'RSA',
      alg: 'RS384',
      use: 'sig',
      kid: 'b41528b6f37a9500edb8a905a595bdd7',
      n: 'vjbIzTqiY8K8zApeNng5ekNNIxJfXAue9BjoMrZ9Qy9m7yIA-tf6muEupEXWhq70tC7vIGLqJJ4O8m7yiH8H2qklX2mCAMg3xG3nbykY2X7JXtW9P8VIdG0sAMt5aZQnUGCgSS3n0qaooGn2LUlTGIR88Qi-4Nrao9_3Ki3UCiICeCiAE224jGCg0OlQU6qj2gEB3o-DWJFlG_dz1y-Mxo5ivaeM0vWuodjDrp-aiabJcSF_dx26sdC9dZdBKXFDq0t19I9S9AyGpGDJwzGRtWHY6LsskNHLvo8Zb5AsJ9eRZKpnh30SYBZI9WHtzU85M9WQqdScR69Vyp-6Uhfbvw',
      e: 'AQAB',
    },
  ],
} as const

interface Kit {
  readonly title: string
  readonly suite: string
  readonly roles: readonly InfernoRole[]
  /** Folder of its redirect and launch URLs, below Inferno's address. */
  readonly folder?: string
}

export const infernoKits = {
  g10: {
    title: 'ONC Certification (g)(10)',
    suite: 'g10_certification',
    roles: ['standalone', 'ehr', 'public', 'asymmetric', 'backend'],
    folder: 'smart',
  },
  'us-core': {
    title: 'US Core 6.1.0',
    suite: 'us_core_v610',
    roles: ['standalone'],
    folder: 'smart',
  },
  'smart-stu2': {
    title: 'SMART App Launch STU 2',
    suite: 'smart_stu2',
    roles: ['standalone', 'ehr', 'backend'],
    folder: 'smart_stu2',
  },
  'smart-stu2-2': {
    title: 'SMART App Launch STU 2.2',
    suite: 'smart_stu2_2',
    roles: ['standalone', 'ehr', 'backend'],
    folder: 'smart_stu2_2',
  },
  bulk: {
    title: 'Bulk Data 2.0.0',
    suite: 'bulk_data_v200',
    roles: ['backend'],
  },
} as const satisfies Record<string, Kit>

export type InfernoKit = keyof typeof infernoKits

export const infernoKitNames = Object.keys(infernoKits) as InfernoKit[]

export const isInfernoKit = (name: string): name is InfernoKit => Object.hasOwn(infernoKits, name)

/** @param organizationId its id is in the client id, so that the button makes each app once */
export const infernoClientId = (kit: InfernoKit, role: InfernoRole, organizationId: string): string =>
  `inferno-${kit}-${role}-${organizationId}`

/** What an app of a kit is registered with. @param inferno address of the Inferno that will run */
export function infernoApp(kit: InfernoKit, role: InfernoRole, inferno: string) {
  const { title, folder }: Kit = infernoKits[kit]
  const { audience, authentication, title: roleTitle } = infernoRoles[role]
  return {
    audience,
    authentication,
    name: `Inferno: ${title}, ${roleTitle}`,
    description: 'Tests this sandbox with the public Inferno test kits.',
    scope: infernoScopes[audience],
    ...(role !== 'backend' && { redirectUris: [`${inferno}/custom/${folder}/redirect`] }),
    ...(role === 'ehr' && { launchUrl: `${inferno}/custom/${folder}/launch` }),
    ...(authentication === 'private_key_jwt' && { jwks: infernoKeys }),
  }
}

interface PresetFacts {
  /** FHIR base of the sandbox. */
  readonly base: string
  readonly groupId: string
  readonly patientIds: readonly string[]
  readonly organizationId: string
  /** Those just made; others are not known any more. */
  readonly secrets: Readonly<Partial<Record<InfernoRole, string>>>
}

interface PresetInput {
  readonly name: string
  readonly type: string
  readonly value: unknown
}

export const secretPlaceholder = 'PASTE_THE_CLIENT_SECRET'

/** The inputs of a kit as values, in the order in which its preset names them. */
function infernoInputs(kit: InfernoKit, facts: PresetFacts): PresetInput[] {
  const text = (name: string, value: string | number) => ({ name, type: 'text', value })
  const secretOf = (role: InfernoRole) => facts.secrets[role] ?? secretPlaceholder
  const auth = (name: string, role: InfernoRole, scopes: string) => {
    const client_id = infernoClientId(kit, role, facts.organizationId)
    const ways = {
      client_secret_basic: { auth_type: 'symmetric', client_secret: secretOf(role) },
      none: { auth_type: 'public' },
      private_key_jwt: { auth_type: 'asymmetric', encryption_algorithm: 'ES384' },
    } as const
    const way =
      role === 'backend'
        ? { auth_type: 'backend_services', encryption_algorithm: 'ES384' }
        : {
            ...ways[infernoRoles[role].authentication],
            pkce_support: 'enabled',
            pkce_code_challenge_method: 'S256',
          }
    const value = { ...way, use_discovery: 'true', client_id, requested_scopes: scopes }
    return { name, type: 'auth_info', value }
  }
  const clientId = infernoClientId(kit, 'standalone', facts.organizationId)
  const basic = btoa(`${clientId}:${secretOf('standalone')}`)
  const introspection = {
    name: 'custom_authorization_header',
    type: 'textarea',
    value: facts.secrets.standalone
      ? `Authorization: Basic ${basic}`
      : `Authorization: Basic ${secretPlaceholder}`,
  }
  const people = facts.patientIds.join(',')
  const categories = (scopes: readonly string[]) =>
    `launch/patient openid fhirUser offline_access patient/Patient.rs ${scopes.join(' ')}`
  switch (kit) {
    case 'g10':
      return [
        text('url', facts.base),
        auth('standalone_smart_auth_info', 'standalone', standaloneScopes),
        text('expected_resources', 'patient, condition, observation'),
        auth('ehr_smart_auth_info', 'ehr', ehrScopes),
        text('additional_patient_ids', conformancePersonId),
        text('bulk_server_url', facts.base),
        auth('bulk_smart_auth_info', 'backend', 'system/*.rs'),
        text('group_id', facts.groupId),
        text('bulk_patient_ids_in_group', people),
        text('bulk_timeout', 180),
        text('since_timestamp', '2020-01-01T00:00:00Z'),
        auth('public_smart_auth_info', 'public', standaloneScopes),
        auth(
          'ehr_patient_smart_auth_info',
          'ehr',
          `launch openid fhirUser offline_access ${each('patient')}`,
        ),
        introspection,
        auth('asymmetric_smart_auth_info', 'asymmetric', standaloneScopes),
        auth('v1_smart_auth_info', 'standalone', standaloneScopes.replaceAll('.rs', '.read')),
        auth('granular_scopes_1_auth_info', 'standalone', categories(granular[0])),
        auth('granular_scopes_2_auth_info', 'standalone', categories(granular[1])),
        auth(
          'granular_scopes_selection_smart_auth_info',
          'standalone',
          categories(['patient/Condition.rs', 'patient/Observation.rs']),
        ),
      ]
    case 'us-core':
      return [
        text('url', facts.base),
        auth('smart_auth_info', 'standalone', standaloneScopes),
        text('patient_ids', conformancePersonId),
        auth('granular_scopes_1_auth_info', 'standalone', categories(granular[0])),
        auth('granular_scopes_2_auth_info', 'standalone', categories(granular[1])),
      ]
    case 'smart-stu2':
    case 'smart-stu2-2':
      return [
        text('url', facts.base),
        auth(
          'standalone_smart_auth_info',
          'standalone',
          'launch/patient openid fhirUser offline_access patient/*.rs',
        ),
        auth('ehr_smart_auth_info', 'ehr', 'launch openid fhirUser offline_access user/*.rs'),
        auth('backend_services_smart_auth_info', 'backend', 'system/*.rs'),
        introspection,
      ]
    case 'bulk':
      return [
        text('bulk_server_url', facts.base),
        auth('smart_auth_info', 'backend', 'system/*.rs'),
        text('group_id', facts.groupId),
        text('bulk_timeout', 180),
      ]
  }
}

const category = (type: string, system: string, code: string) =>
  `patient/${type}.rs?category=${system}|${code}`
const conditions = 'http://terminology.hl7.org/CodeSystem/condition-category'
const concerns = 'http://hl7.org/fhir/us/core/CodeSystem/condition-category'
const observations = 'http://terminology.hl7.org/CodeSystem/observation-category'
const screenings = 'http://hl7.org/fhir/us/core/CodeSystem/us-core-category'

/** The two sets of finer scopes that the kits ask for. */
const granular = [
  [
    category('Condition', conditions, 'encounter-diagnosis'),
    category('Condition', concerns, 'health-concern'),
    category('Observation', observations, 'laboratory'),
    category('Observation', observations, 'social-history'),
  ],
  [
    category('Condition', conditions, 'problem-list-item'),
    category('Observation', observations, 'vital-signs'),
    category('Observation', observations, 'survey'),
    category('Observation', screenings, 'sdoh'),
  ],
] as const

/** The file that Inferno reads with “Load preset”. */
export function infernoPreset(kit: InfernoKit, facts: PresetFacts): string {
  const { title, suite } = infernoKits[kit]
  const preset = {
    title: `Sandpiper sandbox: ${title}`,
    id: null,
    test_suite_id: suite,
    inputs: infernoInputs(kit, facts),
  }
  return `${JSON.stringify(preset, null, 2)}\n`
}
