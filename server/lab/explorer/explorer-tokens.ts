/**
 * The access tokens with which the explorer calls FHIR: real ones of the token machinery, of a grant at a sandbox
 * practice, an hour long, for a person of the developer's choice. Sealed by the keyring and never shown to anybody.
 * They end with the session that created them, by the statement that reads the data (store/liveness.ts).
 */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { formatScopes, readScopes, type Scope } from '../../contract/smart/scopes.ts'
import type { Context } from '../../domain/actor.ts'
import type { Core } from '../../domain/core.ts'
import {
  checkFhirAccess,
  getSmartPractice,
  type SmartPractice,
  typesLetOut,
} from '../../domain/practices/fhir-access.ts'
import * as sandboxes from '../../domain/practices/organization-sandbox.ts'
import { planRead } from '../../search/lists.ts'
import { noLiveness } from '../../store/liveness.ts'
import { boundScopes, issuePersonToken, readAskedScopes, wrongScope } from '../tokens/person-token.ts'
import * as practices from './explorer-practices.ts'
import {
  type ExplorerCredential,
  type ExplorerSession,
  marginMs,
  visitorHolder,
} from './explorer-practices.ts'
import {
  type ExplorerPerson,
  ensureExplorerAccount,
  ensureExplorerClient,
  explorerClients,
  personTypes,
} from './explorer-token-people.ts'

export type ExplorerToken = Readonly<{
  grantId: string
  clientId: string
  /** The caller's name in the practice's record of access. */
  principalId: string
  person: ExplorerPerson
  /** What was granted: less than asked where the practice lets less out. */
  scope: string
}> &
  ExplorerCredential

/** Tokens at a time. When there is one more, the one that expires first is deleted. */
const heldMax = { session: 20, visitor: 300 }

/**
 * The token to make one request with: the one that lives, or a new one. Two requests at once get the same. Ask for
 * it anew for every request: it may have ended, and what visitors may ask is counted here.
 *
 * @param session the signed-in developer, the second step behind them; null for a visitor
 * @param practiceSlug one of `ExplorerKeys.listPractices`; left out: the first of them
 * @param scope in the words of the grammar; each distinct text has a token of its own
 * @throws Problem `not_found` (no such practice for this person), `validation` of the fields `scope` and `person`,
 *   `rate_limited` (visitors), and what the practice's own policy refuses
 */
export async function use(
  core: Core,
  input: {
    session: ExplorerSession
    practiceSlug?: string | null
    person: ExplorerPerson
    scope: string
  },
  context: Context,
): Promise<ExplorerToken> {
  const { prisma } = core
  const { session, practiceSlug = null, person } = input
  const { organizationId, ...practice } = await openPractice(core, session, practiceSlug)
  const isShared = organizationId === null
  if (isShared) await practices.takeVisitorWindow(core, context)
  checkFhirAccess(practice, person.kind)
  const { scopes, text: scope } = decideScopes(input.scope, person, typesLetOut(practice))
  await checkPerson(core, practice, person)
  const slot = {
    holder: isShared || session === null ? visitorHolder : session.id,
    practiceId: practice.id,
    person: `${personTypes[person.kind]}/${person.id}`,
    scope,
  }
  const request = { slot, practice, person, scopes, session, organizationId, context }
  const token = (await readKept(core, prisma, slot)) ?? (await obtain(core, request))
  return {
    grantId: token.grantId,
    clientId: explorerClients[person.kind].id,
    principalId: slot.person,
    person,
    scope,
    expiresAt: token.expiresAt,
    practice: { id: practice.id, slug: practice.slug, name: practice.name, organizationId },
    authorization: () => `Bearer ${token.token}`,
  }
}

/**
 * The practice that a person chose: of an organization of theirs, made when it is first needed, or the demonstration.
 * @throws Problem `not_found` for any other
 */
export async function openPractice(
  core: Core,
  session: ExplorerSession,
  practiceSlug: string | null,
): Promise<SmartPractice & { readonly organizationId: string | null }> {
  const { prisma } = core
  const { organizationId, slug } = await practices.get(core, session, practiceSlug)
  const own =
    organizationId === null ? null : await sandboxes.ensure(core, organizationId, { writable: false })
  return { ...(await getSmartPractice(prisma, own?.slug ?? slug)), organizationId }
}

/** Nothing of what is found leaves. */
async function checkPerson({ store }: Core, { datasetId }: SmartPractice, { kind, id }: ExplorerPerson) {
  const isId = /^[A-Za-z0-9.-]{1,64}$/.test(id)
  const found = isId ? await store.read(datasetId, planRead(personTypes[kind], id), noLiveness) : null
  if (found?.resource) return
  throw new Problem('validation', { field: 'person', message: `This practice has no ${kind} with this ID.` })
}

/** Null for one that is over or ends soon, was ended by a person, or cannot be opened any more. */
async function readKept({ clock, keyring }: Core, db: Prisma.TransactionClient, slot: Slot) {
  const goodUntil = new Date(clock().getTime() + marginMs)
  const row = await db.explorerToken.findUnique({
    where: { holder_practiceId_person_scope: slot },
    include: { grant: { select: { revokedAt: true } } },
  })
  if (row === null || row.expiresAt <= goodUntil || row.grant.revokedAt !== null) return null
  const token = keyring.openText(row.sealed, sealContext(slot))
  return token === null ? null : { grantId: row.grantId, token, expiresAt: row.expiresAt }
}

async function obtain(core: Core, request: Asked): Promise<Kept> {
  const { prisma } = core
  return prisma.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${sealContext(request.slot)}))`
    return (await readKept(core, tx, request.slot)) ?? (await mint(core, tx, request))
  })
}

async function mint(core: Core, tx: Prisma.TransactionClient, request: Asked): Promise<Kept> {
  const { clock, keyring, portalAudit } = core
  const { slot, practice, person, scopes, session, organizationId, context } = request
  const now = clock()
  await makeRoom(tx, slot.holder, now)
  await ensureExplorerClient(tx, person.kind, now)
  const accountId = await ensureExplorerAccount(tx, { practice, person, now })
  const own = slot.holder === visitorHolder ? null : session
  const { grant, answer } = await issuePersonToken(core, tx, {
    clientId: explorerClients[person.kind].id,
    practice,
    audience: person.kind,
    accountId,
    scopes,
    patientId: person.kind === 'patient' ? person.id : null,
    fhirUser: slot.person,
    explorerSessionId: own?.id ?? null,
  })
  const expiresAt = new Date(now.getTime() + answer.expires_in * 1000)
  const sealed = keyring.seal(Buffer.from(answer.access_token, 'ascii'), sealContext(slot))
  const token = { grantId: grant.id, sealed, expiresAt }
  await tx.explorerToken.upsert({
    where: { holder_practiceId_person_scope: slot },
    create: { ...slot, ...token },
    update: token,
  })
  await portalAudit.append(tx, {
    ...(own === null
      ? portalAudit.visitor(context)
      : portalAudit.by({ ...context, accountId: own.accountId })),
    ...(organizationId === null ? {} : { organizationId }),
    practiceId: practice.id,
    action: 'explorer_token.issued',
    subject: { kind: 'grant', id: grant.id },
    detail: { clientId: grant.clientId, person: slot.person, scope: slot.scope },
  })
  return { grantId: grant.id, token: answer.access_token, expiresAt }
}

async function makeRoom(tx: Prisma.TransactionClient, holder: string, now: Date): Promise<void> {
  const held = await tx.explorerToken.findMany({
    where: { holder },
    orderBy: [{ expiresAt: 'desc' }, { grantId: 'desc' }],
    skip: (holder === visitorHolder ? heldMax.visitor : heldMax.session) - 1,
    select: { grantId: true },
  })
  const ids = held.map(({ grantId }) => grantId)
  if (ids.length === 0) return
  await tx.grant.updateMany({
    where: { id: { in: ids }, revokedAt: null },
    data: { revokedAt: now, revokeReason: 'explorer' },
  })
  await tx.explorerToken.deleteMany({ where: { grantId: { in: ids } } })
}

type Slot = { holder: string; practiceId: string; person: string; scope: string }
type Kept = { grantId: string; token: string; expiresAt: Date }
type Asked = {
  slot: Slot
  practice: SmartPractice
  person: ExplorerPerson
  scopes: readonly Scope[]
  session: ExplorerSession
  organizationId: string | null
  context: Context
}

const sealContext = ({ holder, practiceId, person, scope }: Slot): string =>
  `explorer_token:${holder}:${practiceId}:${person}:${scope}`

/** Longer lists than that are for apps. */
const explorerScopeMax = 1_000

/** @throws Problem `validation` of the field `scope`, saying which scope is not possible and why */
function decideScopes(text: string, { kind }: ExplorerPerson, typesLetOut: readonly string[] | null) {
  if (text.length > explorerScopeMax)
    throw wrongScope(`The scopes are longer than ${explorerScopeMax} characters.`)
  const scopeList = readAskedScopes(text)
  const context = kind === 'patient' ? 'patient' : 'user'
  const other = scopeList.find((scope) => scope.kind === 'launch' || scope.context !== context)
  if (other) throw wrongScope(`A ${kind}’s token reads records only. Its scopes start with ${context}/ here.`)
  const scopes = boundScopes(scopeList, [readScopes(explorerClients[kind].scope)], typesLetOut)
  return { scopes, text: formatScopes(scopes) }
}
