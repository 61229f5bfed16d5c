/**
 * Checks that the request is for this FHIR base, so that an app does not send its token to another server.
 * https://hl7.org/fhir/smart-app-launch/STU2.2/app-launch.html#obtain-authorization-code
 */
import { refuse } from '../../contract/smart/oauth-errors.ts'
import type { AuthorizeCheck } from './authorize-check.ts'

export const checkAudience: AuthorizeCheck = ({ parameters, fhirBase }) => {
  const aud = parameters.get('aud')
  if (aud !== fhirBase && aud !== `${fhirBase}/`) throw refuse('aud_wrong')
}
