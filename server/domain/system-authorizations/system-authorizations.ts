/** Requests of backend systems at practices and the practices' answers, by the table in contract/workflows/workflows.ts. */
import type {
  Client,
  Grant,
  Organization,
  PracticeSystemAuthorization,
  Prisma,
  PrismaClient,
} from '../../../prisma/generated/client/client.ts'
import type { PortalAudit } from '../../audit/portal-audit.ts'
import { Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import { readPage, searchWhere } from '../../contract/portal/paging.ts'
import { narrow } from '../../contract/smart/scope-narrowing.ts'
import { formatScopes, parseScopes, readScopes, type Scope } from '../../contract/smart/scopes.ts'
import { systemAuthorizationWorkflow } from '../../contract/workflows/workflows.ts'
import type { Mail } from '../../mail/mail.ts'
import { isUniqueViolation } from '../../store/unique-violation.ts'
import { requireStepUp } from '../accounts/step-up.ts'
import type { Actor } from '../actor.ts'
import { checkClientAtPractice } from '../clients/client-at-practice.ts'
import { revokeGrant } from '../grants/revoke-grant.ts'
import { findRole } from '../organizations/membership.ts'
import { smartPracticeFields } from '../practices/fhir-access.ts'
import { requirePracticeRole } from '../practices/practice-role.ts'
import { checkText, isCleanText, leftOutReason } from '../text-scan/check-text.ts'
import type {
  BackendAuthorizations,
  SystemAuthorization,
  SystemAuthorizationState,
} from './system-authorization-types.ts'
import { createTellParties } from './tell-parties.ts'

type Dependencies = {
  prisma: PrismaClient
  clock: () => Date
  mail: Pick<Mail, 'enqueue'>
  portalAudit: PortalAudit
}

type Row = PracticeSystemAuthorization & {
  client: Client & { organization: Organization | null }
  practice: { id: string; slug: string; name: string }
  grant: (Grant & { accessTokens: { createdAt: Date }[] }) | null
}

const everything = {
  client: { include: { organization: true } },
  practice: { select: { id: true, slug: true, name: true } },
  grant: {
    include: { accessTokens: { orderBy: { createdAt: 'desc' }, take: 1, select: { createdAt: true } } },
  },
} as const

const deciders = ['admin', 'signatory'] as const

export function createBackendAuthorizations({
  prisma,
  clock,
  mail,
  portalAudit,
}: Dependencies): BackendAuthorizations {
  const { tellPractice, tellDevelopers } = createTellParties({ mail, clock })

  const request: BackendAuthorizations['request'] = async (input, actor) => {
    checkText('purpose', input.purpose, actor)
    const client = await ownClient(input.clientId, actor, ['developer', 'admin', 'owner'])
    const practice = await prisma.practice.findUnique({
      where: { slug: input.practiceSlug },
      select: smartPracticeFields,
    })
    if (practice?.environment !== client.environment) throw new Problem('not_found')
    await checkClientAtPractice(prisma, client, practice)
    const scope = formatScopes(askedScopes(client, input.scope))
    const purpose = input.purpose.trim()
    if (purpose.length < 10 || purpose.length > 2_000)
      throw new Problem('validation', {
        field: 'purpose',
        message: 'Say what it is for, in 10 to 2,000 characters.',
      })
    const id = await prisma
      .$transaction((tx) => openRequest(tx, { client, practiceId: practice.id, scope, purpose, actor }))
      .catch((error: unknown) => {
        if (isUniqueViolation(error))
          throw new Problem('conflict', { message: 'This was requested already.' })
        throw error
      })
    return toAuthorization(await read(id))
  }

  async function openRequest(
    tx: Prisma.TransactionClient,
    input: { client: Client; practiceId: string; scope: string; purpose: string; actor: Actor },
  ): Promise<string> {
    const { client, practiceId, scope, purpose, actor } = input
    const pair = { practiceId, clientId: client.id }
    const existing = await tx.practiceSystemAuthorization.findUnique({ where: { practiceId_clientId: pair } })
    const state = systemAuthorizationWorkflow.next(stateOf(existing), 'request', 'developer')
    const fresh = {
      state,
      scope,
      purpose,
      requestedAt: clock(),
      decidedAt: null,
      decidedById: null,
      reason: null,
      grantId: null,
    }
    const row = existing
      ? await change(tx, existing, fresh)
      : await tx.practiceSystemAuthorization.create({ data: { ...pair, ...fresh } })
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      practiceId,
      ...(client.organizationId ? { organizationId: client.organizationId } : {}),
      action: 'system_authorization.requested',
      subject: { kind: 'system_authorization', id: row.id },
      detail: { clientId: client.id, scope },
    })
    await tellPractice(tx, { id: row.id, clientId: client.id, practiceId, purpose }, actor)
    return row.id
  }

  const listForPractice: BackendAuthorizations['listForPractice'] = async (practiceId, actor) => {
    await requirePracticeRole(prisma, { practiceId, accountId: actor.accountId }, deciders)
    return list({ practiceId })
  }

  const pageForPractice: BackendAuthorizations['pageForPractice'] = async (practiceId, ask, actor) => {
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
        prisma.practiceSystemAuthorization.findMany({ where, include: everything, orderBy, ...window }),
    )
    const names = await deciderNames(listed.rows)
    const waiting = await prisma.practiceSystemAuthorization.count({
      where: { practiceId, state: 'requested' },
    })
    return { ...listed, rows: listed.rows.map((row) => present(row, names)), waiting }
  }

  const listForClient: BackendAuthorizations['listForClient'] = async (clientId, actor) =>
    list({ clientId: (await ownClient(clientId, actor)).id })

  const grant: BackendAuthorizations['grant'] = (input, actor) =>
    decide(input, actor, 'grant', async (tx, row) => {
      const asked = readScopes(row.scope)
      const scopes = input.scopes ? narrow(asked, input.scopes) : asked
      if (scopes.length === 0)
        throw new Problem('validation', { field: 'scopes', message: 'Tick at least one thing, or decline.' })
      const scope = formatScopes(scopes)
      const { id: grantId } = await tx.grant.create({
        data: {
          clientId: row.clientId,
          practiceId: row.practiceId,
          audience: 'backend',
          scope,
          createdAt: clock(),
        },
      })
      return { scope, grantId, reason: null }
    })

  const decline: BackendAuthorizations['decline'] = async (input, actor) => {
    checkText('reason', input.reason, actor)
    return decide(input, actor, 'decline', async () => ({ reason: reasonOf(input.reason) }))
  }

  const revoke: BackendAuthorizations['revoke'] = (input, actor) =>
    decide(input, actor, 'revoke', async (tx, row) => {
      const typed = reasonOf(input.reason)
      // A revocation never waits for better words.
      const reason = isCleanText(typed) ? typed : leftOutReason
      if (row.grantId)
        await revokeGrant(tx, portalAudit, {
          grantId: row.grantId,
          practiceId: row.practiceId,
          clientId: row.clientId,
          reason: 'practice',
          by: portalAudit.by(actor),
          now: clock(),
        })
      return { reason }
    })

  type Outcome = { scope?: string; grantId?: string | null; reason: string | null }

  async function decide(
    { id, version }: { id: string; version: number },
    actor: Actor,
    event: 'grant' | 'decline' | 'revoke',
    work: (tx: Prisma.TransactionClient, row: PracticeSystemAuthorization) => Promise<Outcome>,
  ): Promise<SystemAuthorization> {
    const found = uuidPattern.test(id)
      ? await prisma.practiceSystemAuthorization.findUnique({ where: { id } })
      : null
    if (!found) throw new Problem('not_found')
    await requirePracticeRole(prisma, { practiceId: found.practiceId, accountId: actor.accountId }, deciders)
    await prisma.$transaction(async (tx) => {
      const row = await tx.practiceSystemAuthorization.findUniqueOrThrow({ where: { id } })
      const state = systemAuthorizationWorkflow.next(stateOf(row), event, 'practice')
      if (row.version !== version) throw staleVersion()
      // To open the data asks for more than to close it.
      if (event === 'grant') requireStepUp(actor, clock())
      const outcome = await work(tx, row)
      await change(tx, row, { ...outcome, state, decidedAt: clock(), decidedById: actor.accountId })
      await portalAudit.append(tx, {
        ...portalAudit.by(actor),
        practiceId: row.practiceId,
        action: `system_authorization.${state}`,
        subject: { kind: 'system_authorization', id },
        detail: { clientId: row.clientId, scope: outcome.scope ?? row.scope, reason: outcome.reason },
      })
      await tellDevelopers(tx, row, { event, reason: outcome.reason }, actor)
    })
    return toAuthorization(await read(id))
  }

  /** @throws Problem `conflict` when somebody else was faster */
  async function change(
    tx: Prisma.TransactionClient,
    { id, version }: PracticeSystemAuthorization,
    data: Prisma.PracticeSystemAuthorizationUncheckedUpdateManyInput,
  ): Promise<{ id: string }> {
    const { count } = await tx.practiceSystemAuthorization.updateMany({
      where: { id, version },
      data: { ...data, version: version + 1 },
    })
    if (count === 0) throw staleVersion()
    return { id }
  }

  /** Of an organization in which the actor has one of the roles, or any. */
  async function ownClient(clientId: string, actor: Actor, roles?: readonly string[]): Promise<Client> {
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

  async function list(where: { practiceId: string } | { clientId: string }): Promise<SystemAuthorization[]> {
    const rows = await prisma.practiceSystemAuthorization.findMany({
      where,
      include: everything,
      orderBy,
    })
    const names = await deciderNames(rows)
    return rows.map((row) => present(row, names))
  }

  async function toAuthorization(row: Row): Promise<SystemAuthorization> {
    return present(row, await deciderNames([row]))
  }

  async function deciderNames(rows: readonly Row[]): Promise<Map<string, string>> {
    const ids = rows.flatMap(({ decidedById }) => decidedById ?? [])
    const accounts = await prisma.account.findMany({
      where: { id: { in: ids } },
      select: { id: true, name: true },
    })
    return new Map(accounts.map(({ id, name }) => [id, name]))
  }

  function read(id: string): Promise<Row> {
    return prisma.practiceSystemAuthorization.findUniqueOrThrow({ where: { id }, include: everything })
  }

  return { request, listForPractice, pageForPractice, listForClient, grant, decline, revoke }
}

const orderBy: Prisma.PracticeSystemAuthorizationOrderByWithRelationInput[] = [
  { requestedAt: 'desc' },
  { id: 'asc' },
]

function askedScopes(client: Client, text: string): readonly Scope[] {
  if (client.audience !== 'backend')
    throw new Problem('validation', { field: 'clientId', message: 'Only a backend system asks a practice.' })
  const { scopes, refused } = parseScopes(text)
  if (refused[0])
    throw new Problem('validation', {
      field: 'scope',
      message: `${refused[0].text.slice(0, 100)}: ${refused[0].reason}`,
    })
  const allowed = narrow(scopes, readScopes(client.scope))
  if (allowed.length === 0)
    throw new Problem('validation', { field: 'scope', message: 'Nothing of this is registered for the app.' })
  return allowed
}

function reasonOf(text: string): string {
  const reason = text.trim()
  if (reason.length < 3 || reason.length > 1_000)
    throw new Problem('validation', { field: 'reason', message: 'Give a reason of 3 to 1,000 characters.' })
  return reason
}

function stateOf(row: PracticeSystemAuthorization | null): SystemAuthorizationState | null {
  return row === null ? null : (row.state as SystemAuthorizationState)
}

function staleVersion(): Problem {
  return new Problem('conflict', { message: 'Somebody else has answered meanwhile. Look at it again.' })
}

function present(row: Row, names: ReadonlyMap<string, string>): SystemAuthorization {
  const { client, practice } = row
  return {
    id: row.id,
    practice,
    client: {
      clientId: client.id,
      name: client.name,
      homepage: client.homepage,
      organizationName: client.organization?.name ?? null,
    },
    state: row.state as SystemAuthorizationState,
    scopes: readScopes(row.scope),
    purpose: row.purpose,
    requestedAt: row.requestedAt,
    decidedAt: row.decidedAt,
    decidedBy: (row.decidedById && names.get(row.decidedById)) ?? null,
    reason: row.reason,
    lastUsedAt: row.grant?.accessTokens[0]?.createdAt ?? null,
    version: row.version,
  }
}
