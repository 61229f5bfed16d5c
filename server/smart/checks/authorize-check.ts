/** An authorize request between its checks: what has been found out so far. */
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
  /** Set once it is known to be the app's own. */
  redirectUri: string | null
  /** The address is the app's own, and the practice lets the app in. */
  mayLinkBack: boolean
  scopes: readonly Scope[]
}

export type AuthorizeDependencies = Readonly<{
  findClient: (practice: SmartPractice, clientId: string) => Promise<Client | null>
  checkClientAtPractice: (client: Client, practice: SmartPractice) => Promise<void>
}>

/** Passes, or throws a Problem of contract/smart/oauth-errors.ts. */
export type AuthorizeCheck = (
  context: AuthorizeCase,
  dependencies: AuthorizeDependencies,
) => void | Promise<void>

/** What the check of the client has found; the checks behind it rely on it. */
export function clientOf({ client }: AuthorizeCase): Client {
  if (client === null) throw new Error('this check stands before that of the client')
  return client
}
