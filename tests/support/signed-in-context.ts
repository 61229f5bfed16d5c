/** What loaders and actions of the portal get when somebody is signed in, without a server around them. */
import { randomUUID } from 'node:crypto'
import type { AppLoadContext } from '@remix-run/server-runtime'
import type { TestServices } from './services.ts'

/** @param provenAt when password and second step were last given; now, when left out */
export async function signedInContext(
  services: TestServices,
  accountId: string,
  provenAt = services.clock(),
): Promise<AppLoadContext> {
  const account = await services.prisma.account.findUniqueOrThrow({ where: { id: accountId } })
  const session = {
    ...{ id: randomUUID(), realm: account.realm, accountId, account },
    ...{ authenticatedAt: provenAt, mfaState: 'given', mfaAt: provenAt },
    expiresAt: new Date(services.clock().getTime() + 3_600_000),
  }
  return {
    services: { ...services, sessions: { ...services.sessions, read: async () => ({ session }) } },
    correlationId: randomUUID(),
    clientIp: '203.0.113.9',
  } as unknown as AppLoadContext
}
