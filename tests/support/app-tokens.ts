/** Apps of a fresh organization's own, one of each kind, and the tokens that its people get for them in the portal. */
import type { NewClient } from '../../server/domain/clients/client-types.ts'
import { makeAssertionKey } from './assertion.ts'
import type { RestStack } from './rest.ts'
import { createLabs, type Lab } from './sandbox-lab.ts'
import { smartSupport } from './smart.ts'
import type { Person } from './team.ts'

export const wren = { person: 'wren.testwell', patient: 'pt-wren-testwell' }
export const ines = { person: 'ines.placeholder', patient: null }
export const system = { person: null, patient: null }

const kinds = {
  public: { audience: 'patient', authentication: 'none' },
  confidential: { audience: 'patient', authentication: 'client_secret_basic' },
  asymmetric: { audience: 'patient', authentication: 'private_key_jwt' },
  clinician: { audience: 'clinician', authentication: 'none' },
  backend: { audience: 'backend', authentication: 'private_key_jwt' },
} as const satisfies Record<string, Partial<NewClient>>

const scopesOf = {
  patient: 'openid fhirUser launch/patient offline_access patient/*.rs',
  clinician: 'openid fhirUser launch launch/patient user/*.rs patient/*.rs',
  backend: 'system/*.rs',
} as const

type Asked = { person: string | null; patient: string | null; scope: string }

/** @param stack asked for when needed: tests make it before they run */
export function appTokenSupport(stack: () => RestStack) {
  const labs = createLabs(stack)
  let lab: Lab

  /** The organization of the test file. */
  async function begin(): Promise<Lab> {
    lab = await labs.makeLab()
    return lab
  }

  async function makeApp(kind: keyof typeof kinds, more: Partial<NewClient> = {}) {
    const { audience, authentication } = kinds[kind]
    const keys = { keys: [{ ...(await makeAssertionKey('ES384')).publicJwk }] }
    const { client, secret } = await smartSupport(stack().services).createClient({
      ...kinds[kind],
      scope: scopesOf[audience],
      organizationId: lab.organizationId,
      everyPractice: false,
      ...(authentication === 'private_key_jwt' && { jwks: keys }),
      ...more,
    })
    return { clientId: client.clientId, secret: secret ?? '' }
  }

  const get = (clientId: string, asked: Asked, by: Person = lab.owner, organizationId = lab.organizationId) =>
    stack().services.appTokens.issue({ organizationId, clientId, ...asked }, by.actor)

  const statusOf = async (path: string, token: string) => (await labs.fhir(lab.slug, path, token)).status

  return { ...labs, begin, makeApp, get, statusOf }
}
