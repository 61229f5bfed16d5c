/** Everything the token, introspection and revocation endpoints do, once it is known who asks. */
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import type { PortalAudit } from '../../audit/portal-audit.ts'
import type { SmartTokenAuth } from '../../auth/smart-token.ts'
import type { SigningKeys } from '../signing-keys/signing-keys.ts'
import { createClientCredentials } from './client-credentials.ts'
import { createExchangeCode } from './exchange-code.ts'
import { createIntrospection } from './introspection.ts'
import { createIssueTokens } from './issue-tokens.ts'
import { createRefreshGrant } from './refresh-grant.ts'
import type { SmartAddresses } from './smart-addresses.ts'
import { createTokenTick } from './token-tick.ts'

type Dependencies = {
  prisma: PrismaClient
  clock: () => Date
  randomBytes: (size: number) => Uint8Array
  portalAudit: PortalAudit
  addresses: SmartAddresses
  signingKeys: SigningKeys
  smartTokens: SmartTokenAuth
}

export function createTokens(dependencies: Dependencies) {
  const tokens = createIssueTokens(dependencies)
  const shared = { ...dependencies, tokens }
  return {
    exchangeCode: createExchangeCode(shared),
    refreshGrant: createRefreshGrant(shared),
    issueSystemToken: createClientCredentials(shared),
    ...createIntrospection(dependencies),
    deleteExpired: createTokenTick(dependencies),
  }
}

export type Tokens = ReturnType<typeof createTokens>
