import * as activityLog from '../../audit/activity-log.ts'
import { livingStates } from '../../contract/portal/app-path.ts'
import type { Identifier } from '../../contract/portal/identifiers.ts'
import { paths } from '../../contract/portal/paths.ts'
import {
  endedStates,
  keyedStates,
  type ProductionKeyState,
} from '../../contract/workflows/production-key-workflow.ts'
import type { RegistrationState } from '../../contract/workflows/registration-workflow.ts'
import { waitingOn } from '../../contract/workflows/waiting-on.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { stepsOf } from '../production-keys/history.ts'
import { everyMember, requireRole } from './membership.ts'

export { acceptInvitation, findInvitation } from './invitation-answers.ts'
export { cancelInvitation, expireInvitations, invite, renewInvitation } from './invitations.ts'
export { changeRole, leave, removeMember } from './members.ts'
export { create, get, listFor, rename } from './profile.ts'

// Where a person reads about a key, an app or a request of their organizations, from its identifier alone.

/** @returns the path of its page; null when it does not exist or belongs to another organization */
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
  pageOf = paths.organizationKey,
): Promise<string | null> {
  const found = await prisma.apiKey.findFirst({
    where: { ...key, organization: organizationOf(accountId) },
    select: { id: true, organization: { select: { slug: true } } },
  })
  return found?.organization ? pageOf(found.organization.slug, found.id) : null
}

async function pageOfApp(
  { prisma }: Core,
  clientId: string,
  accountId: string,
  pageOf = paths.appFaults,
): Promise<string | null> {
  const found = await prisma.client.findFirst({
    where: { id: clientId, organization: organizationOf(accountId) },
    select: { organization: { select: { slug: true } } },
  })
  return found?.organization ? pageOf(found.organization.slug, clientId) : null
}

/** The log with the call opened. */
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

// Where an organization's apps and production keys stand, for its first page: a few rows, however many there are.

const appsMax = 3
const requestsMax = 2

/** The apps and requests that changed last. @throws Problem `not_found` for who is no member */
export async function overview(
  { prisma }: Pick<Core, 'prisma'>,
  { organizationId }: { organizationId: string },
  { accountId }: Pick<Actor, 'accountId'>,
) {
  await requireRole(prisma, { organizationId, accountId }, everyMember)
  const open = [...endedStates, ...keyedStates]
  const [apps, anyApp, requests, anyKey] = await Promise.all([
    prisma.registration.findMany({
      where: { organizationId, kind: 'app', state: { in: livingStates } },
      select: { id: true, name: true, state: true, sandboxClientId: true, updatedAt: true },
      orderBy: [{ updatedAt: 'desc' }, { id: 'asc' }],
      take: appsMax,
    }),
    prisma.client.findFirst({ where: { organizationId, removedAt: null }, select: { id: true } }),
    prisma.productionKeyRequest.findMany({
      where: { organizationId, state: { notIn: open } },
      select: {
        ...{ id: true, name: true, state: true, renewsId: true, practiceSlug: true },
        practice: { select: { name: true } },
      },
      orderBy: [{ updatedAt: 'desc' }, { id: 'asc' }],
      take: requestsMax,
    }),
    prisma.apiKey.findFirst({ where: { organizationId, explorer: false }, select: { id: true } }),
  ])
  const clientIds = apps.flatMap(({ sandboxClientId }) => sandboxClientId ?? [])
  const [tested, events] = await Promise.all([
    prisma.grant.groupBy({ by: ['clientId'], where: { clientId: { in: clientIds } } }),
    prisma.workflowEvent.findMany({
      where: { subjectKind: 'production_key_request', subjectId: { in: requests.map(({ id }) => id) } },
      select: { subjectId: true, event: true, to: true, at: true },
      orderBy: { id: 'asc' },
    }),
  ])
  return {
    hasApps: anyApp !== null || apps.length > 0,
    hasKeys: anyKey !== null,
    apps: apps.map(({ sandboxClientId, state, ...app }) => ({
      ...app,
      state: state as RegistrationState,
      waitingOn: waitingOn('registration', state as RegistrationState),
      tested: tested.some(({ clientId }) => clientId === sandboxClientId),
    })),
    requests: requests.map(({ practice, practiceSlug, state, renewsId, ...request }) => ({
      ...request,
      steps: stepsOf(
        { state, renewsId },
        events.filter(({ subjectId }) => subjectId === request.id),
      ),
      state: state as ProductionKeyState,
      waitingOn: waitingOn('production_key_request', state as ProductionKeyState),
      practiceName: practice?.name ?? practiceSlug,
    })),
  }
}
