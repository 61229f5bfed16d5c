/** Where the specifications say what a refused request did not keep to: one paragraph for each refusal. */
import type { OAuthRefusal } from '../smart/oauth-errors.ts'
import type { simulatedRefusals } from '../smart/oauth-simulated.ts'

type Paragraph = Readonly<{ title: string; url: string }>

const rfc = (number: number, section: string): Paragraph => ({
  title: `RFC ${number}, section ${section}`,
  url: `https://www.rfc-editor.org/rfc/rfc${number}#section-${section}`,
})
const smart = (place: string, title: string): Paragraph => ({
  title: `SMART App Launch 2.2, ${title}`,
  url: `https://hl7.org/fhir/smart-app-launch/STU2.2/${place}`,
})

const authorizeRequest = smart('app-launch.html#obtain-authorization-code', 'Obtain authorization code')
const scopes = smart('scopes-and-launch-context.html', 'Scopes and Launch Context')
const ehrLaunch = smart('app-launch.html#launch-app-ehr-launch', 'Launch App: EHR Launch')
const assertion = smart('client-confidential-asymmetric.html', 'Client Authentication: Asymmetric')
const backend = smart('backend-services.html', 'Backend Services')
const openid = (part: string, anchor: string): Paragraph => ({
  title: `OpenID Connect Core 1.0, ${part}`,
  url: `https://openid.net/specs/openid-connect-core-1_0.html#${anchor}`,
})

/** Where we broke, were busy, or were asked to refuse, no specification was left. */
type WithoutParagraph = keyof typeof simulatedRefusals | 'internal' | 'unavailable'

const paragraphs: Record<Exclude<OAuthRefusal, WithoutParagraph>, Paragraph> = {
  duplicate_parameter: rfc(6749, '3.1'),
  parameter_too_long: rfc(6749, '4.1.2.1'),
  malformed_form: rfc(6749, '4.1.3'),
  method_not_allowed: rfc(6749, '3.2'),
  extra_slash: smart('conformance.html', 'Conformance'),
  practice_unknown: smart('conformance.html', 'Conformance'),
  too_many_failures: rfc(6585, '4'),
  rate_limited_ip: rfc(6585, '4'),
  client_missing: rfc(6749, '2.2'),
  client_unknown: rfc(6749, '2.2'),
  client_suspended: rfc(6749, '2.2'),
  access_stopped: rfc(6749, '2.2'),
  client_ambiguous: rfc(6749, '2.3'),
  wrong_client_authentication: rfc(6749, '2.3'),
  malformed_basic: rfc(6749, '2.3.1'),
  secret_in_body: rfc(6749, '2.3.1'),
  wrong_client_secret: rfc(6749, '2.3.1'),
  wrong_assertion_type: rfc(7523, '2.2'),
  assertion_refused: assertion,
  assertion_replayed: rfc(7523, '3'),
  fhir_not_enabled: rfc(6749, '4.1.2.1'),
  audience_not_allowed: rfc(6749, '4.1.2.1'),
  client_not_at_practice: rfc(6749, '4.1.2.1'),
  redirect_missing: rfc(6749, '3.1.2.3'),
  redirect_unknown: rfc(6749, '3.1.2.3'),
  response_type: rfc(6749, '3.1.1'),
  response_mode: rfc(6749, '3.1.1'),
  state_missing: authorizeRequest,
  state_too_long: rfc(6749, '4.1.1'),
  pkce_missing: rfc(7636, '4.3'),
  aud_wrong: authorizeRequest,
  request_object: openid('section 6', 'JWTRequests'),
  prompt_none: openid('section 3.1.2.1', 'AuthRequest'),
  backend_at_authorize: backend,
  launch_without_scope: ehrLaunch,
  launch_unknown: ehrLaunch,
  launch_needed: ehrLaunch,
  scope_malformed: rfc(6749, '3.3'),
  scope_system: scopes,
  scope_nothing: rfc(6749, '3.3'),
  denied_by_person: rfc(6749, '4.1.2.1'),
  grant_type_missing: rfc(6749, '4.1.3'),
  grant_type: rfc(6749, '5.2'),
  grant_type_of_client: rfc(6749, '5.2'),
  code_missing: rfc(6749, '4.1.3'),
  code_unknown: rfc(6749, '4.1.3'),
  code_expired: rfc(6749, '4.1.2'),
  code_used: rfc(6749, '4.1.2'),
  code_of_other_client: rfc(6749, '4.1.3'),
  redirect_differs: rfc(6749, '4.1.3'),
  verifier_wrong: rfc(7636, '4.6'),
  refresh_missing: rfc(6749, '6'),
  refresh_unknown: rfc(6749, '6'),
  refresh_expired: rfc(6749, '6'),
  refresh_of_other_client: rfc(6749, '6'),
  refresh_repeated: rfc(9700, '4.14.2'),
  refresh_reused: rfc(9700, '4.14.2'),
  grant_revoked: rfc(7009, '2.1'),
  person_left: rfc(6749, '6'),
  scope_wider: rfc(6749, '6'),
  scope_not_system: scopes,
  system_not_authorized: backend,
  token_missing: rfc(7662, '2.1'),
  public_client_introspects: rfc(7662, '2.1'),
}

/** Null where it was not the app's doing. */
export function paragraphOf(refusal: OAuthRefusal): Paragraph | null {
  return (paragraphs as Partial<Record<OAuthRefusal, Paragraph>>)[refusal] ?? null
}

/** Of a refused FHIR request, by its status. */
export function paragraphOfFhir(status: number): Paragraph | null {
  if (status === 401) return rfc(6750, '3.1')
  if (status === 403) return scopes
  if (status === 404)
    return { title: 'FHIR R4, RESTful API: read', url: 'https://hl7.org/fhir/R4/http.html#read' }
  if (status === 429) return rfc(6585, '4')
  return status === 400
    ? { title: 'FHIR R4, Search', url: 'https://hl7.org/fhir/R4/search.html#errors' }
    : null
}
