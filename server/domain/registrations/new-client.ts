/** A registration as the authorization server wants it. */
import type { RegistrationForm } from '../../contract/workflows/registration-form.ts'
import type { NewClient, PublicJwks } from '../clients/client-types.ts'

/** What the form says of the app; who it belongs to and where it may work is the caller's. */
type ClientFields = Pick<
  NewClient,
  | 'audience'
  | 'authentication'
  | 'name'
  | 'description'
  | 'homepage'
  | 'logoUrl'
  | 'launchUrl'
  | 'redirectUris'
  | 'scope'
  | 'jwksUrl'
  | 'jwks'
>

/** @param logoAddress where an uploaded picture is served, by its hash */
export function toClientFields(form: RegistrationForm, logoAddress: (hash: string) => string): ClientFields {
  return {
    audience: form.audience,
    authentication: form.clientType,
    name: form.name,
    description: form.description,
    homepage: form.website || null,
    logoUrl: form.logo ? logoAddress(form.logo) : null,
    launchUrl: form.launchUrl || null,
    redirectUris: form.redirectUris,
    scope: form.scope,
    jwksUrl: form.jwksUrl || null,
    jwks: form.jwks ? (JSON.parse(form.jwks) as PublicJwks) : null,
  }
}
