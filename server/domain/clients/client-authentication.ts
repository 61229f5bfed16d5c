/** Client authentication at the token, introspection and revocation endpoints. https://www.rfc-editor.org/rfc/rfc6749#section-2.3 */
import type { Client } from '../../../prisma/generated/client/client.ts'
import { refuse } from '../../contract/smart/oauth-errors.ts'
import { isToken } from '../../contract/smart/token-formats.ts'
import type { Core } from '../core.ts'
import type { SmartPractice } from '../practices/fhir-access.ts'
import * as assertions from './assertions.ts'
import { claimedClientOf } from './assertions.ts'
import { findClientAt } from './client-at-practice.ts'
import { secretContext } from './client-secrets.ts'

/** The parsed credentials of a request. */
export type ClientCredentials =
  | Readonly<{ kind: 'none'; clientId: string }>
  | Readonly<{ kind: 'secret'; clientId: string; secret: string }>
  | Readonly<{ kind: 'assertion'; assertion: string; clientId: string | null }>

/** The app that a request claims to be, unproven, for its log. */
export async function findNamed({ prisma }: Core, practice: SmartPractice, credentials: ClientCredentials) {
  const clientId =
    credentials.kind === 'assertion' ? claimedClientOf(credentials.assertion) : credentials.clientId
  return clientId === null ? null : findClientAt(prisma, practice, clientId)
}

/** @throws Problem of the rows that say "Client authentication failed.", and `client_ambiguous` */
export async function authenticate(
  core: Core,
  practice: SmartPractice,
  client: Client | null,
  credentials: ClientCredentials,
  correlationId: string,
): Promise<Client> {
  if (client === null) throw refuse('client_unknown')
  if (client.suspendedAt !== null) throw refuse('client_suspended')
  if (methodOf(credentials) !== client.authentication) throw refuse('wrong_client_authentication')
  if (credentials.kind === 'secret') await checkSecret(core, client, credentials.secret)
  if (credentials.kind === 'assertion') {
    if (credentials.clientId !== null && credentials.clientId !== client.id) throw refuse('client_ambiguous')
    await assertions.accept(core, client, practice, { text: credentials.assertion, correlationId })
  }
  return client
}

async function checkSecret({ prisma, clock, keyring }: Core, client: Client, secret: string): Promise<void> {
  const rows = isToken('client_secret', secret)
    ? await prisma.clientSecret.findMany({ where: { clientId: client.id, revokedAt: null } })
    : []
  const now = clock()
  const right = rows.find(
    ({ hash, expiresAt }) =>
      keyring.matchesMac(secret, hash, secretContext) && (expiresAt === null || expiresAt > now),
  )
  if (!right) throw refuse('wrong_client_secret')
  // A secret can be hashed with the keyring's first key only while a request brings it.
  if (keyring.isOld(right.hash))
    await prisma.clientSecret.updateMany({
      where: { id: right.id },
      data: { hash: keyring.mac(secret, secretContext) },
    })
}

function methodOf({ kind }: ClientCredentials): Client['authentication'] {
  if (kind === 'none') return 'none'
  return kind === 'secret' ? 'client_secret_basic' : 'private_key_jwt'
}
