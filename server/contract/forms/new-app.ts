/** A new app in three answers. They make a draft with a sandbox client; everything else can wait for production. */
import { z } from 'zod'
import { findRedirectUriFault } from '../smart/redirect-uris.ts'
import { type AppAudience, type RegistrationForm, registrationForm } from '../workflows/registration-form.ts'

const { name, audience, redirectUris, jwks } = registrationForm.shape

/** As far as it was typed. */
export const newAppFields = z.object({
  name,
  audience,
  /** One per line; of an app that people use. */
  redirectUris,
  /** The key set of a backend system, or the https URL where it is served. */
  keys: jwks,
})

export const newAppForm = newAppFields.superRefine((app, context) => {
  const isBackend = app.audience === 'backend'
  const faults = {
    name: app.name.length < 2 ? 'Enter a name of 2 to 100 characters.' : null,
    redirectUris: isBackend ? null : findRedirectsFault(app.redirectUris),
    keys: isBackend ? findKeysFault(app.keys) : null,
  }
  for (const [field, message] of Object.entries(faults))
    if (message !== null) context.addIssue({ code: 'custom', path: [field], message })
})

export type NewApp = z.output<typeof newAppForm>

function findRedirectsFault(uris: readonly string[]): string | null {
  if (uris.length === 0) return 'Enter a redirect URI.'
  return uris.map(findRedirectUriFault).find((fault) => fault !== null) ?? null
}

/** Whether the keys can be used is checked on the server. */
function findKeysFault(keys: string): string | null {
  if (keys === '') return 'Enter a key set, or the https URL that serves it.'
  return isKeySet(keys) || keys.startsWith('https://')
    ? null
    : 'Enter a key set as JSON, or a URL that starts with https://.'
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
