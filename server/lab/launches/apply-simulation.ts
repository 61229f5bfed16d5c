/**
 * Applies a simulated launch at the authorization server: at authorize, once every real check has passed, and at the
 * token address, once the app has authenticated. Only in the sandbox, and only for the app it was made for.
 */
import { randomUUID } from 'node:crypto'
import type { Client, LaunchSimulation } from '../../../prisma/generated/client/client.ts'
import { hashToken } from '../../auth/random-token.ts'
import { isProblem, type Problem } from '../../contract/http/problems.ts'
import { type LaunchFault, launchFaultRow, slowTokenMs } from '../../contract/lab/launch-faults.ts'
import type { LaunchKind, LaunchStepName } from '../../contract/lab/launch-lab.ts'
import { oauthRefusals, refusalOf, refuse } from '../../contract/smart/oauth-errors.ts'
import { isUnregisteredApp } from '../../contract/smart/unregistered-apps.ts'
import * as authorizations from '../../domain/authorizations/authorizations.ts'
import type { VerifiedRequest } from '../../domain/authorizations/pending-requests.ts'
import * as pending from '../../domain/authorizations/pending-requests.ts'
import type { Core } from '../../domain/core.ts'
import type { TokenAnswer } from '../../domain/grants/issue-tokens.ts'
import type { Asker, Browser, Fields, Sent, TokenAsked } from '../../smart/simulation-hook.ts'
import type { LabCore } from '../lab-core.ts'
import { noteStep } from './exchange-log.ts'
import { finishLaunch, openForConsent, openForSignIn, scopesOfLaunch } from './launched-consent.ts'
import { openKeyHash } from './open-log.ts'

export { noteDiscovery } from './open-log.ts'

/** What is left of a system's scopes where fewer are given. */
const narrowedSystem = 'system/Patient.rs'

export async function atAuthorize(
  core: Core,
  request: VerifiedRequest,
  browser: Browser,
  parameters: Fields,
): Promise<Sent | null> {
  const found = await findOpen(core, request, browser)
  if (found?.keyHash) return openForConsent(core, found, request, browser, parameters)
  if (isUnregisteredApp(request.client.id)) throw refuse('launch_needed')
  if (found === null || !(await takeUp(core, found))) return null
  const { fault } = launchOf(found)
  const row = fault === null ? null : launchFaultRow(fault)
  try {
    if (row?.where === 'authorize' && row.refusal) throw refuse(row.refusal)
    if (found.signIn === 'on_page') return await openForSignIn(core, found, request, browser, parameters)
    const redirectTo = await agree(core, found, request, browser)
    await noteStep(core, found.id, {
      step: 'authorize',
      ok: true,
      sent: parameters,
      came: answerOf(redirectTo),
    })
    return { redirectTo, cookie: null }
  } catch (thrown) {
    await noteRefusal(core, found.id, 'authorize', parameters, thrown)
    throw thrown
  }
}

export async function refusedAtAuthorize(
  core: Core,
  { practice, client }: Pick<VerifiedRequest, 'practice'> & { client: Client | null },
  browser: Browser,
  parameters: Fields,
  thrown: unknown,
): Promise<void> {
  const request = client && { practice, client, launch: parameters.launch ?? null }
  const waiting = request && (await findOpen(core, request, browser))
  const found = waiting ?? (await findOfBrowser(core, practice, browser))
  if (found !== null) await noteRefusal(core, found.id, 'authorize', parameters, thrown)
}

async function findOpen(
  core: Core,
  { practice, client, launch }: Pick<VerifiedRequest, 'practice' | 'client' | 'launch'>,
  { ip, cookieHeader }: Browser,
): Promise<LaunchSimulation | null> {
  const { prisma, clock } = core
  if (practice.environment !== 'sandbox') return null
  const keyHash = openKeyHash(core, cookieHeader)
  return prisma.launchSimulation.findFirst({
    where: {
      clientId: client.id,
      practiceId: practice.id,
      usedAt: null,
      expiresAt: { gt: clock() },
      launchHash: launch === null ? null : hashToken(launch),
      OR: [
        { openedFrom: null },
        { openedFrom: hashToken(ip), keyHash: null },
        // Made without an account: a launch value says whose it is, else the browser's key does.
        ...(launch === null ? [] : [{ keyHash: { not: null } }]),
        ...(keyHash === null ? [] : [{ keyHash }]),
      ],
      kind: { not: 'backend' },
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  })
}

/** The last launch of this browser, whatever the app calls itself, so that a mistake in its request is seen there. */
async function findOfBrowser(core: Core, practice: VerifiedRequest['practice'], { cookieHeader }: Browser) {
  const keyHash = openKeyHash(core, cookieHeader)
  if (keyHash === null) return null
  return core.prisma.launchSimulation.findFirst({
    where: { keyHash, practiceId: practice.id, expiresAt: { gt: core.clock() } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  })
}

/** Of two requests one has it. */
async function takeUp({ prisma, clock }: Core, { id }: LaunchSimulation): Promise<boolean> {
  const { count } = await prisma.launchSimulation.updateMany({
    where: { id, usedAt: null },
    data: { usedAt: clock() },
  })
  return count === 1
}

async function agree(
  core: Core,
  found: LaunchSimulation,
  request: VerifiedRequest,
  { ip, correlationId }: Asker,
): Promise<string> {
  const { id, cookie } = await pending.open(core, request, null)
  const handle = { id, cookieHeader: cookie.split(';')[0] ?? '' }
  const { scopes } = await authorizations.get(core, handle)
  const actor = {
    ip,
    correlationId,
    userAgent: 'launch simulator',
    accountId: found.accountId ?? '',
    sessionId: randomUUID(),
    authenticatedAt: core.clock(),
  }
  const decision = {
    patientId: found.patientId,
    scopes: scopesOfLaunch(found, scopes),
    offlineAccess: true,
  }
  const approved = await authorizations.approve(core, handle, actor, decision)
  const { redirectTo } = await finishLaunch(core, found, approved.redirectTo)
  return redirectTo
}

export async function atToken(
  core: LabCore,
  request: TokenAsked,
  give: (scope?: string) => Promise<TokenAnswer>,
): Promise<TokenAnswer> {
  const found = request.practice.environment === 'sandbox' ? await findOfToken(core, request) : null
  if (found === null) return give()
  const step = stepOf(request.form)
  const sent = Object.fromEntries(request.form)
  try {
    const answer = await giveAs(core, found, step, request, give)
    await noteStep(core, found.id, { step, ok: true, sent, came: { status: 200, ...answer } })
    return answer
  } catch (thrown) {
    await noteRefusal(core, found.id, step, sent, thrown)
    throw thrown
  }
}

async function giveAs(
  core: LabCore,
  found: LaunchSimulation,
  step: 'token' | 'refresh',
  { client, signal }: TokenAsked,
  give: (scope?: string) => Promise<TokenAnswer>,
): Promise<TokenAnswer> {
  const { pause } = core
  const { fault } = launchOf(found)
  if (fault === null) return give()
  const { where, refusal } = launchFaultRow(fault)
  if (where === step && refusal && (await spendFault(core, found))) throw refuse(refusal)
  if (step === 'refresh') return give()
  if (where === 'late' && (await spendFault(core, found))) await pause(slowTokenMs, signal)
  const answer = await give(where === 'scope' && client.audience === 'backend' ? narrowedSystem : undefined)
  return changed(answer, fault)
}

/** Once, so that an app that asks again can come through. */
async function spendFault({ prisma, clock }: Core, { id }: LaunchSimulation): Promise<boolean> {
  const { count } = await prisma.launchSimulation.updateMany({
    where: { id, faultUsedAt: null },
    data: { faultUsedAt: clock() },
  })
  return count === 1
}

async function findOfToken(core: Core, { practice, client, form }: TokenAsked) {
  const { prisma, clock } = core
  const mine = { clientId: client.id, practiceId: practice.id }
  if (client.audience !== 'backend') {
    const grantId = await grantOfForm(core, form)
    return grantId === null ? null : prisma.launchSimulation.findFirst({ where: { ...mine, grantId } })
  }
  const found = await prisma.launchSimulation.findFirst({
    where: { ...mine, usedAt: null, kind: 'backend', expiresAt: { gt: clock() } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  })
  return found !== null && (await takeUp(core, found)) ? found : null
}

/** Anyone who brings the code or refresh token of a launch without an account means that launch. */
export async function refusedAtToken(
  core: Core,
  { practice, form }: Pick<TokenAsked, 'practice' | 'form'>,
  thrown: unknown,
): Promise<void> {
  const grantId = practice.purpose === 'demonstration' ? await grantOfForm(core, form) : null
  if (grantId === null) return
  const where = { grantId, practiceId: practice.id, keyHash: { not: null } }
  const found = await core.prisma.launchSimulation.findFirst({ where })
  if (found !== null) await noteRefusal(core, found.id, stepOf(form), Object.fromEntries(form), thrown)
}

const stepOf = (form: TokenAsked['form']) =>
  form.get('grant_type') === 'refresh_token' ? 'refresh' : 'token'

function grantOfForm(core: Core, form: TokenAsked['form']): Promise<string | null> {
  const code = form.get('code')
  return code === undefined ? grantOfRefresh(core, form.get('refresh_token')) : grantOfCode(core, code)
}

async function grantOfCode({ prisma }: Core, code: string): Promise<string | null> {
  const row = await prisma.authorizationCode.findUnique({ where: { codeHash: hashToken(code) } })
  return row?.grantId ?? null
}

async function grantOfRefresh({ prisma }: Core, token: string | undefined): Promise<string | null> {
  if (token === undefined) return null
  const row = await prisma.refreshToken.findUnique({ where: { tokenHash: hashToken(token) } })
  return row?.grantId ?? null
}

async function noteRefusal(core: Core, id: string, step: LaunchStepName, sent: Fields, thrown: unknown) {
  if (!isProblem(thrown)) return
  const refusal = refusalOf(thrown as Problem)
  const row = oauthRefusals[refusal]
  await noteStep(core, id, {
    step,
    ok: false,
    sent,
    came: { error: row.error, error_description: row.description },
    note: row.developer,
    refusal,
  })
}

function launchOf(found: LaunchSimulation): { kind: LaunchKind; fault: LaunchFault | null } {
  return { kind: found.kind as LaunchKind, fault: found.fault as LaunchFault | null }
}

function answerOf(redirectTo: string): Fields {
  const { origin, pathname, searchParams } = new URL(redirectTo)
  return { location: `${origin}${pathname}`, ...Object.fromEntries(searchParams) }
}

function changed(answer: TokenAnswer, fault: LaunchFault): TokenAnswer {
  if (fault === 'missing_context') {
    const { patient: _patient, encounter: _encounter, ...rest } = answer
    return rest
  }
  if (fault !== 'bad_signature' || answer.id_token === undefined) return answer
  return { ...answer, id_token: withOtherSignature(answer.id_token) }
}

/** The same words under a signature of nothing. */
function withOtherSignature(token: string): string {
  const [header, claims, signature = ''] = token.split('.')
  return [
    header,
    claims,
    Buffer.alloc(Buffer.from(signature, 'base64url').length, 1).toString('base64url'),
  ].join('.')
}
