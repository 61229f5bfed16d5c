import * as activityLog from '../../audit/activity-log.ts'
import type { Identifier } from '../../contract/portal/identifiers.ts'
import { paths } from '../../contract/portal/paths.ts'
import type { Core } from '../core.ts'

export { acceptInvitation, findInvitation } from './invitation-answers.ts'
export { cancelInvitation, expireInvitations, invite, renewInvitation } from './invitations.ts'
export { changeRole, leave, removeMember } from './members.ts'
export { create, get, listFor, rename } from './profile.ts'

// Finds the page of a key, an app or a call by its identifier, within a person's organizations.

/** @returns the path of its page; null if it does not exist or belongs to another organization */
export async function findIdentified(
  core: Core,
  { identifier: { kind, text }, accountId }: { identifier: Identifier; accountId: string },
): Promise<string | null> {
  if (kind === 'key') return pageOfKey(core, { prefix: text }, accountId)
  return kind === 'app' ? pageOfApp(core, text, accountId) : pageOfCall(core, text, accountId)
}

async function pageOfKey(
  { prisma }: Core,
  key: { prefix: string } | { id: string },
  accountId: string,
  pageOf = paths.organizationKey,
): Promise<string | null> {
  const found = await prisma.apiKey.findFirst({
    where: { ...key, organization: organizationOf(accountId) },
    select: { id: true, organization: { select: { slug: true } } },
  })
  return found?.organization ? pageOf(found.organization.slug, found.id) : null
}

async function pageOfApp({ prisma }: Core, clientId: string, accountId: string, pageOf = paths.app) {
  const found = await prisma.client.findFirst({
    where: { id: clientId, organization: organizationOf(accountId) },
    select: { organization: { select: { slug: true } } },
  })
  return found?.organization ? pageOf(found.organization.slug, clientId) : null
}

/** The page of the log that shows the call. */
async function pageOfCall(core: Core, correlationId: string, accountId: string): Promise<string | null> {
  const logOf = (kind: 'key' | 'app') => (slug: string, id: string) =>
    paths.logs(slug, { caller: `${kind}:${id}`, call: correlationId })
  for (const { keyId, claimedPrefix, clientId } of await activityLog.findCallers(core, correlationId)) {
    const key = keyId !== null ? { id: keyId } : claimedPrefix !== null ? { prefix: claimedPrefix } : null
    const ofKey = key && (await pageOfKey(core, key, accountId, logOf('key')))
    const found = ofKey ?? (clientId && (await pageOfApp(core, clientId, accountId, logOf('app'))))
    if (found) return found
  }
  return null
}

const organizationOf = (accountId: string) => ({
  members: { some: { accountId, account: { disabledAt: null } } },
})
