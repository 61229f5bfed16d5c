/** Requests of backend systems for access at practices, and the practices' decisions. */

import type {
  Client,
  Grant,
  Organization,
  PracticeSystemAuthorization,
  Prisma,
} from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { rowId } from '../../contract/http/uuid.ts'
import type { PageAsk } from '../../contract/portal/paging.ts'
import { readPage, searchWhere } from '../../contract/portal/paging.ts'
import { narrow } from '../../contract/smart/scope-narrowing.ts'
import { formatScopes, parseScopes, readScopes, type Scope } from '../../contract/smart/scopes.ts'
import {
  type SystemAuthorizationState,
  systemAuthorizationWorkflow,
} from '../../contract/workflows/system-authorization-workflow.ts'
import { isUniqueViolation } from '../../store/unique-violation.ts'
import { accountNames } from '../accounts/account-names.ts'
import type { Actor } from '../actor.ts'
import { checkClientAtPractice } from '../clients/client-at-practice.ts'
import type { Core } from '../core.ts'
import { revokeGrant } from '../grants/revoke-grant.ts'
import { findRole } from '../organizations/membership.ts'
import { type SmartPractice, smartPracticeFields } from '../practices/fhir-access.ts'
import { requirePracticeRole } from '../practices/practice-role.ts'
import { checkText, isCleanText, leftOutReason } from '../text-scan/check-text.ts'
import { begin, findParty, make, transitionIn } from './transition.ts'

type Row = PracticeSystemAuthorization & {
  client: Client & { organization: Organization | null }
  practice: { id: string; slug: string; name: string }
  grant: (Grant & { accessTokens: { createdAt: Date }[] }) | null
}

const viewFields = {
  client: { include: { organization: true } },
  practice: { select: { id: true, slug: true, name: true } },
  grant: {
    include: { accessTokens: { orderBy: { createdAt: 'desc' }, take: 1, select: { createdAt: true } } },
  },
} as const

const deciders = ['admin', 'signatory'] as const

/**
 * Requests access at a practice. A new request after a refusal or revocation opens the same authorization again.
 * @throws Problem `not_found` (the actor's organization does not own the app, unknown practice), `conflict` (open or
 *   granted already), `validation` (not a backend system, no grantable scope)
 */
export async function request(
  core: Core,
  input: { clientId: string; practiceSlug: string; scope: string; purpose: string },
  actor: Actor,
): Promise<SystemAuthorization> {
  const { prisma } = core
  checkText('purpose', input.purpose, actor)
  const client = await ownClient(core, input.clientId, actor, ['developer', 'admin', 'owner'])
  const practice = await prisma.practice.findUnique({
    where: { slug: input.practiceSlug },
    select: smartPracticeFields,
  })
  if (practice?.environment !== client.environment) throw new Problem('not_found')
  if (practice.purpose === 'organization_sandbox')
    throw new Problem('validation', {
      field: 'practice',
      message: 'This is your organization’s own sandbox. Allow the app there, without a request.',
    })
  await checkClientAtPractice(prisma, client, practice)
  const scope = formatScopes(requestedScopes(client, input.scope))
  const purpose = input.purpose.trim()
  if (purpose.length < 10 || purpose.length > 2_000)
    throw new Problem('validation', {
      field: 'purpose',
      message: 'Describe the purpose in 10 to 2,000 characters.',
    })
  const id = await prisma
    .$transaction((tx) => openRequest(core, tx, { client, practice, scope, purpose, actor }))
    .catch((error: unknown) => {
      if (isUniqueViolation(error))
        throw new Problem('conflict', { message: 'You have already requested this.' })
      throw error
    })
  return toAuthorization(core, await read(core, id))
}

async function openRequest(
  core: Core,
  tx: Prisma.TransactionClient,
  input: { client: Client; practice: SmartPractice; scope: string; purpose: string; actor: Actor },
): Promise<string> {
  const { clock } = core
  const { client, practice, scope, purpose, actor } = input
  const now = clock()
  const pair = { practiceId: practice.id, clientId: client.id }
  const request = { scope, purpose, requestedAt: now }
  const usable = () => checkClientAtPractice(tx, client, practice)
  const emails = () => ({ 'system-requested': { purpose } })
  const existing = await tx.practiceSystemAuthorization.findUnique({ where: { practiceId_clientId: pair } })
  if (existing) {
    const fresh = { decidedAt: null, decidedById: null, reason: null, grantId: null }
    await transitionIn(core, tx, { id: existing.id }, 'request', actor, {
      guards: { usable_at_practice: usable },
      effects: () => ({ data: { ...request, ...fresh }, text: purpose, emails }),
    })
    return existing.id
  }
  const party = await findParty(tx, { ...pair, organizationId: client.organizationId }, actor)
  const state = systemAuthorizationWorkflow.next(null, 'request')
  const { id } = await begin(core, tx, 'request', {
    guards: { usable_at_practice: usable },
    make: () => make(tx, { ...pair, ...request, state }),
    party,
    actor,
    now,
    text: purpose,
    emails,
  })
  return id
}

/** @throws Problem `not_found` unless the actor is admin or signatory of the practice */
export async function listForPractice(core: Core, practiceId: string, actor: Actor) {
  const { prisma } = core
  await requirePracticeRole(prisma, { practiceId, accountId: actor.accountId }, deciders)
  return list(core, { practiceId })
}

/** A page of `listForPractice`, with the number of all open requests. */
export async function pageForPractice(core: Core, practiceId: string, ask: PageAsk, actor: Actor) {
  const { prisma } = core
  await requirePracticeRole(prisma, { practiceId, accountId: actor.accountId }, deciders)
  const where: Prisma.PracticeSystemAuthorizationWhereInput = {
    practiceId,
    ...searchWhere<Prisma.PracticeSystemAuthorizationWhereInput>(ask.q, (like) => [
      { clientId: like },
      { client: { name: like } },
      { client: { organization: { name: like } } },
    ]),
  }
  const listed = await readPage(
    ask,
    () => prisma.practiceSystemAuthorization.count({ where }),
    (window) =>
      prisma.practiceSystemAuthorization.findMany({ where, include: viewFields, orderBy, ...window }),
  )
  const names = await deciderNames(core, listed.rows)
  const waiting = await prisma.practiceSystemAuthorization.count({
    where: { practiceId, state: 'requested' },
  })
  return { ...listed, rows: listed.rows.map((row) => present(row, names)), waiting }
}

/** @throws Problem `not_found` unless the actor's organization owns the client */
export const listForClient = async (core: Core, clientId: string, actor: Actor) =>
  list(core, { clientId: (await ownClient(core, clientId, actor)).id })

/** Grants the selected scopes, by default all requested ones. @throws Problem `not_found`, `conflict` */
export function grant(
  core: Core,
  { scopes: chosen, ...target }: { id: string; version: number; scopes?: readonly Scope[] },
  actor: Actor,
): Promise<SystemAuthorization> {
  const granted = ({ scope }: Pick<PracticeSystemAuthorization, 'scope'>) =>
    chosen ? narrow(readScopes(scope), chosen) : readScopes(scope)
  return decide(core, target, actor, (tx) =>
    transitionIn(core, tx, target, 'grant', actor, {
      guards: {
        something_granted: ({ row }) => {
          if (granted(row).length === 0)
            throw new Problem('validation', {
              field: 'scopes',
              message: 'Select at least one item, or decline.',
            })
        },
      },
      effects: async ({ row, now }) => {
        const { clientId, practiceId } = row
        const scope = formatScopes(granted(row))
        const { id: grantId } = await tx.grant.create({
          data: { clientId, practiceId, audience: 'backend', scope, createdAt: now },
        })
        return {
          data: { ...decided(actor, now, null), scope, grantId },
          emails: () => ({ 'system-decided': { granted: true, reason: null } }),
        }
      },
    }),
  )
}

export async function decline(
  core: Core,
  { reason, ...target }: { id: string; version: number; reason: string },
  actor: Actor,
): Promise<SystemAuthorization> {
  checkText('reason', reason, actor)
  return decide(core, target, actor, (tx) =>
    transitionIn(core, tx, target, 'decline', actor, {
      guards: { reason_given: () => void reasonOf(reason) },
      effects: ({ now }) => ({
        data: decided(actor, now, reasonOf(reason)),
        text: reasonOf(reason),
        emails: () => ({ 'system-decided': { granted: false, reason: reasonOf(reason) } }),
      }),
    }),
  )
}

/** Revokes the access: once it has returned, the practice's data is no longer served to the system. */
export function revoke(
  core: Core,
  { reason: typed, ...target }: { id: string; version: number; reason: string },
  actor: Actor,
): Promise<SystemAuthorization> {
  return decide(core, target, actor, (tx) =>
    transitionIn(core, tx, target, 'revoke', actor, {
      guards: { reason_given: () => void reasonOf(typed) },
      effects: async ({ row: { grantId, practiceId, clientId }, now }) => {
        // A refused text must not delay a revocation, so it is replaced.
        const reason = isCleanText(typed) ? reasonOf(typed) : leftOutReason
        const by = core.portalAudit.by(actor)
        if (grantId)
          await revokeGrant(tx, core.portalAudit, {
            grantId,
            practiceId,
            clientId,
            reason: 'practice',
            by,
            now,
          })
        return {
          data: decided(actor, now, reason),
          text: reason,
          emails: () => ({ 'system-revoked': { reason, at: now.toISOString() } }),
        }
      },
    }),
  )
}

/** The role at the practice is checked first, so that other people learn nothing about the request. */
async function decide(
  core: Core,
  { id }: { id: string },
  actor: Actor,
  step: (tx: Prisma.TransactionClient) => Promise<unknown>,
): Promise<SystemAuthorization> {
  const { prisma } = core
  const found = await prisma.practiceSystemAuthorization.findUnique({
    where: { id: rowId(id) },
    select: { practiceId: true },
  })
  if (!found) throw new Problem('not_found')
  await requirePracticeRole(prisma, { practiceId: found.practiceId, accountId: actor.accountId }, deciders)
  await prisma.$transaction(step)
  return toAuthorization(core, await read(core, id))
}

/** Finds a client of an organization in which the actor has one of the roles, by default any role. */
async function ownClient({ prisma }: Core, clientId: string, actor: Actor, roles?: readonly string[]) {
  const client = await prisma.client.findFirst({ where: { id: clientId, removedAt: null } })
  if (!client?.organizationId) throw new Problem('not_found')
  const role = await findRole(prisma, {
    organizationId: client.organizationId,
    accountId: actor.accountId,
  })
  if (!role) throw new Problem('not_found')
  if (roles && !roles.includes(role))
    throw new Problem('forbidden', {
      message: `Your role in this organization (${role}) does not allow this.`,
    })
  return client
}

async function list(core: Core, where: { practiceId: string } | { clientId: string }) {
  const { prisma } = core
  const rows = await prisma.practiceSystemAuthorization.findMany({
    where,
    include: viewFields,
    orderBy,
  })
  const names = await deciderNames(core, rows)
  return rows.map((row) => present(row, names))
}

async function toAuthorization(core: Core, row: Row): Promise<SystemAuthorization> {
  return present(row, await deciderNames(core, [row]))
}

function deciderNames({ prisma }: Core, rows: readonly Row[]) {
  return accountNames(
    prisma,
    rows.map(({ decidedById }) => decidedById),
  )
}

function read({ prisma }: Core, id: string): Promise<Row> {
  return prisma.practiceSystemAuthorization.findUniqueOrThrow({ where: { id }, include: viewFields })
}

const orderBy: Prisma.PracticeSystemAuthorizationOrderByWithRelationInput[] = [
  { requestedAt: 'desc' },
  { id: 'asc' },
]

function requestedScopes(client: Client, text: string): readonly Scope[] {
  if (client.audience !== 'backend')
    throw new Problem('validation', {
      field: 'clientId',
      message: 'Only a backend system requests access from a practice.',
    })
  const { scopes, refused } = parseScopes(text)
  if (refused[0])
    throw new Problem('validation', {
      field: 'scope',
      message: `${refused[0].text.slice(0, 100)}: ${refused[0].reason}`,
    })
  const allowed = narrow(scopes, readScopes(client.scope))
  if (allowed.length === 0)
    throw new Problem('validation', {
      field: 'scope',
      message: 'The app is not registered for any of these scopes.',
    })
  return allowed
}

function reasonOf(text: string): string {
  const reason = text.trim()
  if (reason.length < 3 || reason.length > 1_000)
    throw new Problem('validation', { field: 'reason', message: 'Enter a reason of 3 to 1,000 characters.' })
  return reason
}

function decided({ accountId }: Actor, at: Date, reason: string | null) {
  return { decidedAt: at, decidedById: accountId, reason }
}

export type SystemAuthorization = ReturnType<typeof present>

function present(row: Row, names: ReadonlyMap<string, string>) {
  const { client, practice } = row
  return {
    id: row.id,
    practice,
    client: {
      clientId: client.id,
      name: client.name,
      organizationName: client.organization?.name ?? null,
    },
    state: row.state as SystemAuthorizationState,
    /** The requested scopes, or the granted ones once it is granted. */
    scopes: readScopes(row.scope),
    /** The developer's description of the purpose. */
    purpose: row.purpose,
    requestedAt: row.requestedAt,
    decidedAt: row.decidedAt,
    decidedBy: (row.decidedById && names.get(row.decidedById)) ?? null,
    reason: row.reason,
    lastUsedAt: row.grant?.accessTokens[0]?.createdAt ?? null,
    /** Raised by every change. A decision must name the version that it is about. */
    version: row.version,
  }
}
