/** The state of an authorization request between its checks. */
import type { Client } from '../../../prisma/generated/client/client.ts'
import type { Scope } from '../../contract/smart/scopes.ts'
import type { SmartPractice } from '../../domain/practices/fhir-access.ts'
import type { Parameters } from '../call.ts'

export type AuthorizeCase = {
  readonly parameters: Parameters
  readonly practice: SmartPractice
  /** The FHIR base, without a slash at its end. */
  readonly fhirBase: string

  client: Client | null
  /** Set after the check that it is registered for the app. */
  redirectUri: string | null
  /** The redirect URI is registered, and the practice allows the app. */
  mayLinkBack: boolean
  scopes: readonly Scope[]
}

export type AuthorizeDependencies = Readonly<{
  findClient: (practice: SmartPractice, clientId: string) => Promise<Client | null>
  checkClientAtPractice: (client: Client, practice: SmartPractice) => Promise<void>
}>

/** Throws a Problem of contract/smart/oauth-errors.ts to refuse the request. */
export type AuthorizeCheck = (
  context: AuthorizeCase,
  dependencies: AuthorizeDependencies,
) => void | Promise<void>

/** The client, for checks that run after `checkClient`. */
export function clientOf({ client }: AuthorizeCase): Client {
  if (client === null) throw new Error('this check stands before that of the client')
  return client
}
