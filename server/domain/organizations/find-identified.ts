/** Where a person reads about a key, an app or a request of their organizations, from its identifier alone. */
import * as activityLog from '../../audit/activity-log.ts'
import type { Identifier } from '../../contract/portal/identifiers.ts'
import { paths } from '../../contract/portal/paths.ts'
import type { Core } from '../core.ts'

/** @returns the path of its page; null for what belongs to somebody else as for what is not there */
export async function findIdentified(
  core: Core,
  { identifier, accountId }: { identifier: Identifier; accountId: string },
): Promise<string | null> {
  switch (identifier.kind) {
    case 'key':
      return pageOfKey(core, { prefix: identifier.prefix }, accountId)
    case 'app':
      return pageOfApp(core, identifier.clientId, accountId)
    case 'call':
      return pageOfCall(core, identifier.correlationId, accountId)
  }
}

async function pageOfKey(
  { prisma }: Core,
  key: { prefix: string } | { id: string },
  accountId: string,
): Promise<string | null> {
  const found = await prisma.apiKey.findFirst({
    where: { ...key, organization: organizationOf(accountId) },
    select: { id: true, organization: { select: { slug: true } } },
  })
  return found?.organization ? paths.keyActivity(found.organization.slug, found.id) : null
}

async function pageOfApp({ prisma }: Core, clientId: string, accountId: string): Promise<string | null> {
  const found = await prisma.client.findFirst({
    where: { id: clientId, organization: organizationOf(accountId) },
    select: { organization: { select: { slug: true } } },
  })
  return found?.organization ? paths.appFaults(found.organization.slug, clientId) : null
}

async function pageOfCall(core: Core, correlationId: string, accountId: string): Promise<string | null> {
  for (const { keyId, claimedPrefix, clientId } of await activityLog.findCallers(core, correlationId)) {
    const key = keyId !== null ? { id: keyId } : claimedPrefix !== null ? { prefix: claimedPrefix } : null
    const page = key === null ? null : await pageOfKey(core, key, accountId)
    if (page !== null) return `${page}?${new URLSearchParams({ correlationId })}`
    const app = clientId === null ? null : await pageOfApp(core, clientId, accountId)
    if (app !== null) return app
  }
  return null
}

const organizationOf = (accountId: string) => ({
  members: { some: { accountId, account: { disabledAt: null } } },
})
