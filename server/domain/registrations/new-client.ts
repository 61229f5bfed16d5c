/** A registration as the authorization server wants it. */
import { paths } from '../../contract/portal/paths.ts'
import type { RegistrationForm } from '../../contract/workflows/registration-form.ts'
import type { Env } from '../../env.ts'
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

export function toClientFields(
  { env }: { env: Pick<Env, 'PUBLIC_ORIGIN'> },
  form: RegistrationForm,
): ClientFields {
  return {
    audience: form.audience,
    authentication: form.clientType,
    name: form.name,
    description: form.description,
    homepage: form.website || null,
    logoUrl: form.logo ? env.PUBLIC_ORIGIN + paths.logo(form.logo) : null,
    launchUrl: form.launchUrl || null,
    redirectUris: form.redirectUris,
    scope: form.scope,
    jwksUrl: form.jwksUrl || null,
    jwks: form.jwks ? (JSON.parse(form.jwks) as PublicJwks) : null,
  }
}
