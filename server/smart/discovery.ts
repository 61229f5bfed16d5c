/**
 * The discovery documents of the authorization server.
 * https://hl7.org/fhir/smart-app-launch/STU2.2/conformance.html and OpenID Connect Discovery 1.0
 */
import { launchScopeNames } from '../contract/smart/scopes.ts'
import { assertionAlgorithms } from '../domain/clients/assertion-checks.ts'
import type { SmartAddresses } from '../domain/grants/smart-addresses.ts'

const capabilities = [
  'launch-standalone',
  'launch-ehr',
  'authorize-post',
  'client-public',
  'client-confidential-symmetric',
  'client-confidential-asymmetric',
  'sso-openid-connect',
  'context-standalone-patient',
  'context-banner',
  'context-style',
  'context-ehr-patient',
  'context-ehr-encounter',
  'permission-offline',
  'permission-online',
  'permission-patient',
  'permission-user',
  'permission-v1',
  'permission-v2',
] as const

const scopesSupported = [
  ...launchScopeNames,
  'patient/*.rs',
  'user/*.rs',
  'system/*.rs',
  'patient/*.read',
  'user/*.read',
  'system/*.read',
] as const

const clientAuthentication = ['none', 'client_secret_basic', 'private_key_jwt'] as const
/** The methods of endpoints that require authentication. */
const provenAuthentication = ['client_secret_basic', 'private_key_jwt'] as const

/** The metadata in both documents. */
function metadata(slug: string, addresses: SmartAddresses) {
  return {
    issuer: addresses.fhirBase(slug),
    jwks_uri: addresses.jwks(slug),
    authorization_endpoint: addresses.authorize(slug),
    token_endpoint: addresses.token(slug),
    introspection_endpoint: addresses.introspect(slug),
    revocation_endpoint: addresses.revoke(slug),
    management_endpoint: addresses.manageApps,
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    scopes_supported: scopesSupported,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: clientAuthentication,
    token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    introspection_endpoint_auth_methods_supported: provenAuthentication,
    introspection_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    revocation_endpoint_auth_methods_supported: clientAuthentication,
    revocation_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    authorization_response_iss_parameter_supported: true,
  }
}

export function smartConfiguration(slug: string, addresses: SmartAddresses) {
  return { ...metadata(slug, addresses), capabilities }
}

export function openidConfiguration(slug: string, addresses: SmartAddresses) {
  return {
    ...metadata(slug, addresses),
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    claims_supported: ['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'fhirUser'],
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  }
}

/** https://hl7.org/fhir/smart-app-launch/STU2.2/scopes-and-launch-context.html#styling */
export const smartStyle = {
  color_background: '#fbfaf7',
  color_error: '#a3261b',
  color_highlight: '#0b5f6b',
  color_modal_backdrop: '#1d2426',
  color_success: '#256b3c',
  color_text: '#1d2426',
  dim_border_radius: '6px',
  dim_font_size: '16px',
  dim_spacing_size: '16px',
  font_family_body: "'Source Sans 3', system-ui, sans-serif",
  font_family_heading: "'Source Sans 3', system-ui, sans-serif",
} as const
