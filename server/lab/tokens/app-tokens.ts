/**
 * Access tokens that developers get in the portal: for a sandbox app and a person of their own sandbox, or for a
 * backend app that this sandbox allows. The tokens are real, expire after five minutes and are shown once.
 */
import type { Client } from '../../../prisma/generated/client/client.ts'
import { isProblem, Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import {
  appTokenRoles,
  appTokenSeconds,
  appTokensPerHour,
  whyNotInPortal,
} from '../../contract/lab/app-tokens.ts'
import { covers } from '../../contract/smart/scope-narrowing.ts'
import { formatScope, formatScopes, readScopes, type Scope } from '../../contract/smart/scopes.ts'
import { takeOrRefuse } from '../../domain/accounts/throttle.ts'
import type { Actor } from '../../domain/actor.ts'
import { isStopped } from '../../domain/clients/client-at-practice.ts'
import type { Core } from '../../domain/core.ts'
import { type TokenAnswer, withIdToken } from '../../domain/grants/issue-tokens.ts'
import { revokeGrant } from '../../domain/grants/revoke-grant.ts'
import { issueSystemTokenIn } from '../../domain/grants/tokens.ts'
import { requireRole } from '../../domain/organizations/membership.ts'
import { getSmartPractice, type SmartPractice, typesLetOut } from '../../domain/practices/fhir-access.ts'
import * as sandboxes from '../../domain/practices/organization-sandbox.ts'
import {
  type AppPerson,
  boundScopes,
  findAppPerson,
  issuePersonToken,
  readAskedScopes,
  recordIssue,
  wrongScope,
} from './person-token.ts'

type OwnApp = Readonly<{ organizationId: string; clientId: string }>

type NewAppToken = OwnApp &
  Readonly<{
    /** In front of the @ of the sign-in; null for a backend app. */
    person: string | null
    /** Whose record: of a patient's own or a child's, or in front of the clinician. */
    patient: string | null
    scope: string
  }>

export type IssuedAppToken = Awaited<ReturnType<typeof issue>>

const listedMax = 50

/**
 * @returns in `refusal` why the app gets no token, for its developer, or null; in `tokens` the valid ones, newest first
 * @throws Problem `not_found`, `forbidden` for a viewer
 */
export async function describe(core: Core, app: OwnApp, actor: Actor) {
  const client = await findApp(core, app, actor)
  const practice = await findPractice(core, app)
  const refusal = await checkApp(core, client, practice).then(() => null, conflictOf)
  const rows = await core.prisma.accessToken.findMany({
    where: {
      issuedById: { not: null },
      revokedAt: null,
      expiresAt: { gt: core.clock() },
      grant: { clientId: client.id, revokedAt: null },
    },
    include: { grant: { select: { patientId: true, account: { select: { name: true } } } } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: listedMax,
  })
  const tokens = rows.map(({ id, scope, expiresAt, grant }) => ({
    id,
    person: grant.account?.name ?? null,
    patientId: grant.patientId,
    scope,
    expiresAt,
  }))
  return { refusal, tokens }
}

/**
 * @throws Problem `not_found`, `forbidden` for a viewer, `conflict` with the reason why the app gets no token,
 *   `validation` of the fields `person`, `patient` and `scope`, `rate_limited`
 */
export async function issue(core: Core, input: NewAppToken, actor: Actor) {
  const client = await findApp(core, input, actor)
  const practice = await findPractice(core, input)
  const systemScopes = await checkApp(core, client, practice)
  const scopes = decideScopes(input.scope, client, practice, systemScopes)
  const person =
    client.audience === 'backend' ? null : await findAppPerson(core, client.audience, practice, input)
  if (
    person?.patientId === null &&
    scopes.some((scope) => scope.kind === 'resource' && scope.context === 'patient')
  )
    throw new Problem('validation', {
      field: 'patient',
      message: 'Choose a patient: scopes that begin with patient/ read one record.',
    })
  await takeOrRefuse(
    core,
    [{ rule: 'appToken', subject: [input.organizationId] }],
    `An organization can get ${appTokensPerHour} tokens per hour here. Let your app request its own.`,
  )
  const answer = await issueAudited(core, { client, practice, person, scopes, actor })
  await recordIssue(core, { client, practice, patientId: person?.patientId ?? null, actor })
  return {
    /** Exists in this answer only. */
    accessToken: answer.access_token,
    /** Only with `openid`. */
    idToken: answer.id_token ?? null,
    expiresAt: new Date(core.clock().getTime() + answer.expires_in * 1000),
    /** Less than was asked where the practice lets less out. */
    scope: answer.scope,
    patientId: person?.patientId ?? null,
    person: person?.name ?? null,
  }
}

/**
 * Revokes a token from its next request on. A second call is `not_found`.
 * @throws Problem `not_found`, `forbidden` for a viewer
 */
export async function end(core: Core, app: OwnApp & { tokenId: string }, actor: Actor): Promise<void> {
  const { prisma, portalAudit, clock } = core
  const client = await findApp(core, app, actor)
  const { tokenId: id } = app
  await prisma.$transaction(async (tx) => {
    const mine = { id, issuedById: { not: null }, revokedAt: null, grant: { clientId: client.id } }
    const token = uuidPattern.test(id)
      ? await tx.accessToken.findFirst({ where: mine, include: { grant: true } })
      : null
    const now = clock()
    const { count } = token
      ? await tx.accessToken.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: now } })
      : { count: 0 }
    if (token === null || count === 0) throw new Problem('not_found')
    const { grant } = token
    const by = portalAudit.by(actor)
    // A person's grant exists for this one token; a backend app's grant is the practice's and stays.
    if (grant.audience !== 'backend')
      await revokeGrant(tx, portalAudit, {
        grantId: grant.id,
        practiceId: grant.practiceId,
        clientId: client.id,
        reason: 'app',
        by,
        now,
      })
    else
      await portalAudit.append(tx, {
        ...by,
        organizationId: app.organizationId,
        practiceId: grant.practiceId,
        action: 'app_token.ended',
        subject: { kind: 'grant', id: grant.id },
        detail: { clientId: client.id },
      })
  })
}

/** @throws Problem `not_found` for another organization's app, `forbidden` for a viewer */
async function findApp({ prisma }: Core, { organizationId, clientId }: OwnApp, actor: Actor) {
  await requireRole(prisma, { organizationId, accountId: actor.accountId }, appTokenRoles)
  const client = await prisma.client.findFirst({ where: { id: clientId, organizationId, removedAt: null } })
  if (client === null) throw new Problem('not_found')
  return client
}

async function findPractice(core: Core, { organizationId }: OwnApp): Promise<SmartPractice> {
  const { slug } = await sandboxes.ensure(core, organizationId, { writable: false })
  return getSmartPractice(core.prisma, slug)
}

/** @returns the scopes that the sandbox grants a backend app; null for other apps. @throws Problem `conflict` */
async function checkApp({ prisma }: Core, client: Client, practice: SmartPractice) {
  if (client.environment !== 'sandbox')
    throw conflict('This is a production app. Only sandbox apps get tokens in the portal.')
  if (client.suspendedAt !== null)
    throw conflict('This app is stopped. It can’t get tokens until it is resumed.')
  if (await isStopped(prisma, client, practice))
    throw conflict(
      'Your sandbox practice stopped this app. It can’t get tokens until the practice resumes it.',
    )
  if (practice.state !== 'active') throw conflict('Your sandbox practice is stopped.')
  if (!practice.fhirEnabled) throw conflict('FHIR is turned off at your sandbox practice. Turn it on first.')
  if (!practice.fhirAudiences.includes(client.audience))
    throw conflict('The FHIR policy of your sandbox practice excludes this kind of app.')
  if (client.audience !== 'backend') return null
  const authorization = await prisma.practiceSystemAuthorization.findUnique({
    where: { practiceId_clientId: { practiceId: practice.id, clientId: client.id } },
    select: { state: true, grant: { select: { scope: true, revokedAt: true } } },
  })
  const { state, grant } = authorization ?? {}
  if (state !== 'granted' || !grant || grant.revokedAt !== null)
    throw conflict(
      'Your sandbox does not allow this app yet. An owner or admin can allow it on the app’s page.',
    )
  return readScopes(grant.scope)
}

const conflict = (message: string) => new Problem('conflict', { message })

function conflictOf(thrown: unknown): string {
  if (isProblem(thrown) && thrown.kind === 'conflict') return thrown.message
  throw thrown
}

/** @throws Problem `validation` of the field `scope` */
function decideScopes(
  text: string,
  client: Client,
  practice: SmartPractice,
  systemScopes: readonly Scope[] | null,
): readonly Scope[] {
  const registered = readScopes(client.scope)
  const scopes = readAskedScopes(text)
  for (const scope of scopes) {
    const why = whyNotInPortal(scope)
    if (why) throw wrongScope(why)
    if (!covers(registered, scope)) throw wrongScope(`The app is not registered for ${formatScope(scope)}.`)
  }
  if (!scopes.some(({ kind }) => kind === 'resource'))
    throw wrongScope('Enter a scope for at least one resource type.')
  return boundScopes(scopes, [registered, ...(systemScopes ? [systemScopes] : [])], typesLetOut(practice))
}

type CheckedRequest = Readonly<{
  client: Client
  practice: SmartPractice
  person: AppPerson | null
  scopes: readonly Scope[]
  actor: Actor
}>

async function issueAudited(core: Core, checked: CheckedRequest): Promise<TokenAnswer> {
  const { client, practice, person, scopes, actor } = checked
  const { portalAudit } = core
  const options = { issuedById: actor.accountId, seconds: appTokenSeconds }
  const { answer, grant } = await core.prisma.$transaction(async (tx) => {
    const issued =
      person === null
        ? await issueSystemTokenIn(core, tx, { practice, client, scope: formatScopes(scopes), ...options })
        : await issuePersonToken(core, tx, { ...person, clientId: client.id, practice, scopes, ...options })
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      ...(client.organizationId === null ? {} : { organizationId: client.organizationId }),
      practiceId: practice.id,
      action: 'app_token.issued',
      subject: { kind: 'grant', id: issued.grant.id },
      detail: {
        clientId: client.id,
        person: person?.fhirUser ?? null,
        patientId: person?.patientId ?? null,
        scope: issued.answer.scope,
      },
    })
    return issued
  })
  return withIdToken(core, answer, { grant, practice, scopes, refresh: null, nonce: null })
}
