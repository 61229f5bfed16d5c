/** A switch allows backend systems at their organization's own sandbox, where no other person could answer a request. */
import type { Client, PracticeSystemAuthorization, Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { ownPracticeRoles } from '../../contract/lab/own-practice.ts'
import { systemAuthorizationWorkflow } from '../../contract/workflows/system-authorization-workflow.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { revokeGrant } from '../grants/revoke-grant.ts'
import { requireRole } from '../organizations/membership.ts'
import { listForClient, type SystemAuthorization } from './system-authorizations.ts'
import { begin, findParty, make, transitionIn } from './transition.ts'

type OwnClient = Client & { organizationId: string }
type Pair = Readonly<{ client: OwnClient; practiceId: string; known: PracticeSystemAuthorization | null }>

const purpose = 'Reads the organization’s own sandbox.'

/**
 * Allows the app to read everything that it is registered for. A second call changes nothing.
 * @throws Problem `not_found` (another organization's app, a production app, no sandbox), `forbidden` (owners and
 *   admins only), `validation` (not a backend app)
 */
export async function allow(core: Core, clientId: string, actor: Actor): Promise<SystemAuthorization> {
  const { clock } = core
  return change(core, clientId, actor, async (tx, { client, practiceId, known }) => {
    if (known?.state === 'granted') return
    const now = clock()
    const guard = { own_sandbox: () => checkOwn(tx, { client, practiceId }) }
    const { id: grantId } = await tx.grant.create({
      data: { clientId, practiceId, audience: 'backend', scope: client.scope, createdAt: now },
    })
    const decided = { decidedAt: now, decidedById: actor.accountId, reason: null }
    const data = { ...decided, scope: client.scope, grantId }
    if (known) {
      await transitionIn(core, tx, { id: known.id }, 'allow', actor, {
        guards: guard,
        effects: () => ({ data: { ...data, purpose, requestedAt: now } }),
      })
      return
    }
    const party = await findParty(tx, { organizationId: client.organizationId, practiceId }, actor)
    const state = systemAuthorizationWorkflow.next(null, 'allow')
    const row = { ...data, practiceId, clientId, purpose, requestedAt: now, state }
    await begin(core, tx, 'allow', { guards: guard, make: () => make(tx, row), party, actor, now })
  })
}

/** Revokes the app's access from the next call on. A second call changes nothing. @throws Problem as `allow` */
export async function stop(core: Core, clientId: string, actor: Actor): Promise<SystemAuthorization | null> {
  const { portalAudit } = core
  return change(core, clientId, actor, async (tx, { client, practiceId, known }) => {
    if (known?.state !== 'granted') return
    await transitionIn(core, tx, { id: known.id }, 'stop', actor, {
      guards: { own_sandbox: () => checkOwn(tx, { client, practiceId }) },
      effects: async ({ row: { grantId }, now }) => {
        const by = portalAudit.by(actor)
        if (grantId)
          await revokeGrant(tx, portalAudit, { grantId, practiceId, clientId, reason: 'practice', by, now })
        return { data: { decidedAt: now, decidedById: actor.accountId, reason: null } }
      },
    })
  })
}

async function change(
  core: Core,
  clientId: string,
  actor: Actor,
  step: (tx: Prisma.TransactionClient, pair: Pair) => Promise<void>,
): Promise<SystemAuthorization> {
  const { prisma } = core
  const client = await prisma.client.findFirst({
    where: { id: clientId, removedAt: null, environment: 'sandbox' },
  })
  if (!client?.organizationId) throw new Problem('not_found')
  const { organizationId } = client
  await requireRole(prisma, { organizationId, accountId: actor.accountId }, ownPracticeRoles)
  if (client.audience !== 'backend')
    throw new Problem('validation', {
      message: 'Only backend systems have this switch. People authorize other apps.',
    })
  const practice = await prisma.practice.findFirst({
    where: sandboxOf(organizationId),
    select: { id: true },
  })
  if (!practice) throw new Problem('not_found', { message: 'This organization has no sandbox yet.' })
  await prisma.$transaction(async (tx) => {
    // The lock makes a concurrent call see the result of this one.
    await tx.$queryRaw`SELECT 1 FROM portal.client WHERE id = ${clientId} FOR NO KEY UPDATE`
    const pair = { practiceId: practice.id, clientId }
    const known = await tx.practiceSystemAuthorization.findUnique({ where: { practiceId_clientId: pair } })
    await step(tx, { client: { ...client, organizationId }, practiceId: practice.id, known })
  })
  const authorizations = await listForClient(core, clientId, actor)
  const authorization = authorizations.find((row) => row.practice.id === practice.id)
  if (!authorization) throw new Problem('not_found')
  return authorization
}

/** @throws Problem `not_found` */
async function checkOwn(
  tx: Prisma.TransactionClient,
  { client, practiceId }: Pick<Pair, 'client' | 'practiceId'>,
): Promise<void> {
  const where = { id: practiceId, ...sandboxOf(client.organizationId) }
  if (client.environment !== 'sandbox' || (await tx.practice.count({ where })) === 0)
    throw new Problem('not_found')
}

const sandboxOf = (organizationId: string) =>
  ({ organizationId, environment: 'sandbox', purpose: 'organization_sandbox' }) as const
