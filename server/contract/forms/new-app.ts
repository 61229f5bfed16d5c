/** A new app in three answers. They make a draft with a sandbox client; everything else can wait for production. */
import { z } from 'zod'
import { findRedirectUriFault } from '../smart/redirect-uris.ts'
import { type AppAudience, type RegistrationForm, registrationForm } from '../workflows/registration-form.ts'

const { name, audience, redirectUris, jwks } = registrationForm.shape

export const newAppForm = z
  .object({
    name: name.pipe(z.string().min(2, 'Enter a name of 2 to 100 characters.')),
    audience,
    /** One per line; of an app that people use. */
    redirectUris,
    /** The key set of a backend system, or the https URL where it is served. */
    keys: jwks,
  })
  .superRefine((app, context) => {
    const fault = app.audience === 'backend' ? findKeysFault(app.keys) : findRedirectsFault(app.redirectUris)
    const path = app.audience === 'backend' ? 'keys' : 'redirectUris'
    if (fault !== null) context.addIssue({ code: 'custom', path: [path], message: fault })
  })

export type NewApp = z.output<typeof newAppForm>

function findRedirectsFault(uris: readonly string[]): string | null {
  if (uris.length === 0) return 'Enter a redirect URI.'
  return uris.map(findRedirectUriFault).find((fault) => fault !== null) ?? null
}

/** Whether the keys can be used is checked on the server. */
function findKeysFault(keys: string): string | null {
  if (keys === '') return 'Enter a key set, or the https URL where it is served.'
  return isKeySet(keys) || keys.startsWith('https://')
    ? null
    : 'Enter a key set as JSON, or a URL that begins with https://.'
}

const isKeySet = (keys: string) => keys.startsWith('{')

/** What a new app asks for. The scope studio changes it. */
export const firstScopes: Readonly<Record<AppAudience, string>> = {
  patient: 'openid fhirUser launch/patient offline_access patient/*.rs',
  clinician: 'openid fhirUser launch launch/patient offline_access user/*.rs patient/*.rs',
  backend: 'system/*.rs',
}

/** The draft that the answers make. Of the last two, only the one that the audience needs is used. */
export function firstDraft({ name, audience, redirectUris, keys }: NewApp): RegistrationForm {
  const isBackend = audience === 'backend'
  return registrationForm.parse({
    name,
    audience,
    scope: firstScopes[audience],
    ...(isBackend
      ? { clientType: 'private_key_jwt', [isKeySet(keys) ? 'jwks' : 'jwksUrl']: keys }
      : { redirectUris }),
  })
}
