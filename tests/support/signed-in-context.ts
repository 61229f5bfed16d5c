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
  const { realm } = await services.prisma.account.findUniqueOrThrow({ where: { id: accountId } })
  // Undone, so that no list of sessions has one more, or the oldest less.
  const undone = services.prisma.$transaction(async (tx) => {
    const begun = { accountId, realm, ip: '203.0.113.9', userAgent: 'vitest' }
    throw Object.assign(new Error(), await services.sessions.start(begun, tx))
  })
  const { session: stored } = await undone.catch((error) => error)
  const session = { ...stored, authenticatedAt: provenAt, mfaState: 'given', mfaAt: provenAt }
  return {
    services: { ...services, sessions: { ...services.sessions, read: async () => ({ session }) } },
    correlationId: randomUUID(),
    clientIp: '203.0.113.9',
  } as unknown as AppLoadContext
}
