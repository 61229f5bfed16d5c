/**
 * Enables an approved app: its configuration is applied, then a probe sends the authorization server the app's own
 * requests. Only a passed probe makes the state `enabled`. A failed one is repeated every ten minutes, five times; then
 * operations are notified.
 */

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { generateKeyPair, SignJWT } from 'jose'
import type { Client, Registration } from '../../../prisma/generated/client/client.ts'
import { isProblem } from '../../contract/http/problems.ts'
import type { RegistrationForm } from '../../contract/workflows/registration-form.ts'
import { registrationTimes } from '../../contract/workflows/registration-workflow.ts'
import { checkClientAtPractice } from '../clients/client-at-practice.ts'
import type { AssertionReport } from '../clients/client-types.ts'
import type { Core } from '../core.ts'
import { narrowGrants } from '../grants/revoke-grant.ts'
import { checkFhirAccess, type SmartPractice, smartPracticeFields } from '../practices/fhir-access.ts'
import { applyApproved, submittedForm } from './apply-approved.ts'
import { keepVersion } from './steps.ts'
import { toStored } from './stored-form.ts'
import { type Context, type Effects, transition } from './transition.ts'

const { probeAttempts: attemptsMax, probeEveryMinutes } = registrationTimes

/** Makes one attempt for a due request. Safe to repeat, and with several workers. */
export async function enable(core: Core, registrationId: string): Promise<'enabled' | 'failed' | 'nothing'> {
  const { prisma, clock, log } = core
  const row = await prisma.registration.findUnique({ where: { id: registrationId } })
  if (row?.state !== 'enabling' || row.probeDueAt === null || row.probeDueAt > clock()) return 'nothing'
  const { clientId, failure } = await attempt(core, row)
  try {
    const target = { registrationId, version: row.version }
    if (failure === null) {
      await transition(core, target, 'probe_ok', 'system', { effects: (of) => finish(core, of, clientId) })
      return 'enabled'
    }
    await transition(core, target, 'probe_fail', 'system', { effects: (of) => noteFailure(of, failure) })
  } catch (thrown) {
    // The request was withdrawn, or another worker finished it, in the meantime.
    if (isProblem(thrown) && thrown.kind === 'conflict') return 'nothing'
    throw thrown
  }
  log.warn({ registrationId, reason: failure }, 'an approved app is not accepted')
  return 'failed'
}

async function attempt(core: Core, row: Registration) {
  try {
    const { clientId, undo } = await applyApproved(core, row)
    const failure = clientId === null ? null : await probeClient(core, clientId)
    if (failure !== null) await undo()
    return { clientId, failure }
  } catch (thrown) {
    if (!isProblem(thrown) || thrown.status >= 500) throw thrown
    return { clientId: null, failure: `It could not be registered: ${thrown.message}` }
  }
}

async function finish(core: Core, { tx, row, now }: Context, clientId: string | null) {
  if (row.kind === 'change' && row.parentId) {
    const form = await handOver(row, row.parentId)
    if (clientId) await narrowGrants(tx, core.portalAudit, { clientId, scope: form.scope, now })
  }
  return {
    data: {
      endedAt: null,
      openForId: null,
      probeDueAt: null,
      probeFailure: null,
      claimedById: null,
      claimedAt: null,
      servingNumber: row.submittedNumber,
      // A change has no client of its own: its parent has it.
      ...(row.kind === 'app' && clientId ? { productionClientId: clientId } : {}),
    },
    detail: { clientId, attempt: row.probeAttempts + 1 },
    emails: async () => {
      const promise = await tx.registrationClock.findFirst({
        where: { registrationId: row.id, kind: 'promise' },
        orderBy: { startedAt: 'desc' },
      })
      const businessDays = promise?.usedDays ?? null
      return {
        'registration-enabled': {
          clientId,
          directoryUrl: clientId ? `${core.env.FHIR_ORIGIN}/r4/endpoints` : null,
          businessDays,
        },
      }
    },
  }

  /** The parent takes over the change's form. */
  async function handOver(change: Registration, parentId: string): Promise<RegistrationForm> {
    const form = await submittedForm(core, change)
    const number = await keepVersion(tx, parentId, form, { by: change.createdById, at: now })
    await tx.registration.update({
      where: { id: parentId },
      data: {
        form: toStored(form),
        name: form.name,
        submittedNumber: number,
        servingNumber: number,
        version: { increment: 1 },
        updatedAt: now,
      },
    })
    return form
  }
}

function noteFailure({ row, now }: Context, failure: string): Effects<'probe_fail'> {
  const attempts = row.probeAttempts + 1
  const nextAt = new Date(now.getTime() + probeEveryMinutes * 60_000)
  return {
    data: {
      probeAttempts: attempts,
      probeDueAt: attempts >= attemptsMax ? null : nextAt,
      probeFailure: failure,
    },
    detail: { attempt: attempts, reason: failure },
    emails: () => ({ 'registration-probe-failed': { reason: failure.slice(0, 200), attempts } }),
  }
}

// The probe of an app, at the canary practice. An app that people authorize must have its authorize request accepted for
// every redirect URI. For an app that signs, the keys must be fetched, and an assertion must be refused for its signature
// alone: we don't have the app's private key (decisions, 40).

/** Null if accepted; else the reason, for operations. */
type ProbeResult = string | null

const waitMs = 10_000

async function probeClient(core: Core, clientId: string): Promise<ProbeResult> {
  const { prisma } = core
  const practice = await prisma.practice.findFirst({
    where: { purpose: 'canary', environment: 'production', state: 'active' },
    select: smartPracticeFields,
  })
  if (!practice) return 'There is no canary practice.'
  const client = await prisma.client.findUnique({ where: { id: clientId } })
  if (!client) return 'The app is not registered.'
  try {
    checkFhirAccess(practice, client.audience)
    await checkClientAtPractice(prisma, client, practice)
  } catch (thrown) {
    if (!isProblem(thrown)) throw thrown
    return `The canary practice does not admit it: ${thrown.message}`
  }
  const results = [
    ...(client.audience === 'backend' ? [] : await authorizeAll(core, client, practice)),
    ...(client.authentication === 'private_key_jwt' ? [await probeKeys(core, client, practice)] : []),
  ]
  return results.find((result) => result !== null) ?? null
}

async function authorizeAll(core: Core, client: Client, practice: SmartPractice): Promise<ProbeResult[]> {
  const results: ProbeResult[] = []
  for (const redirectUri of client.redirectUris)
    results.push(await authorize(core, client, practice, redirectUri))
  return results
}

async function authorize(core: Core, client: Client, practice: SmartPractice, redirectUri: string) {
  const { addresses } = core
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: client.id,
    redirect_uri: redirectUri,
    scope: client.scope,
    state: randomUUID(),
    aud: addresses.fhirBase(practice.slug),
    code_challenge: createHash('sha256').update(randomBytes(32)).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const response = await sendProbe(core, `${addresses.authorize(practice.slug)}?${query}`, { method: 'GET' })
  if (!response) return 'The authorize endpoint did not respond.'
  const location = response.headers.get('location') ?? ''
  const decides = addresses.decide('')
  if (response.status === 303 && location.startsWith(decides)) return null
  const error = URL.canParse(location) ? new URL(location).searchParams.get('error') : null
  return `The authorize endpoint responded with ${response.status}${error ? ` ${error}` : ''}.`
}

/** Reads the token endpoint's findings from the app's log of assertions. */
async function probeKeys(core: Core, client: Client, practice: SmartPractice): Promise<ProbeResult> {
  const { jwks, addresses, clock, prisma } = core
  const { keys, failure } = await jwks.keysOf(client, null)
  const [key] = keys
  if (!key) return `Its keys could not be fetched: ${failure ?? 'the key set has no usable key'}.`
  const correlationId = `probe-${randomUUID()}`
  const tokenUrl = addresses.token(practice.slug)
  const assertion = await signWithAnotherKey(key, { clientId: client.id, tokenUrl, now: clock() })
  const since = clock()
  const response = await sendProbe(core, tokenUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-correlation-id': correlationId },
    body: new URLSearchParams({
      grant_type: client.audience === 'backend' ? 'client_credentials' : 'refresh_token',
      scope: client.scope,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion.text,
      ...(client.audience === 'backend' ? {} : { refresh_token: 'probe' }),
    }).toString(),
  })
  if (!response) return 'The token endpoint did not respond.'
  const { error } = (await response.json().catch(() => ({}))) as { error?: unknown }
  if (response.status !== 401 || error !== 'invalid_client')
    return `The token endpoint responded with ${response.status}${typeof error === 'string' ? ` ${error}` : ''}.`
  const attempts = await prisma.assertionAttempt.findMany({
    where: { clientId: client.id, at: { gte: since } },
    orderBy: { at: 'desc' },
  })
  const attempt = attempts.find(({ report }) => toReport(report).claims.jti?.includes(assertion.jti))
  if (!attempt) return 'The token endpoint did not check the assertion.'
  // The app did not send this assertion, so it leaves the developers' log.
  await prisma.assertionAttempt.delete({ where: { id: attempt.id } })
  const { findings } = toReport(attempt.report)
  const wrong = findings.find(({ check, outcome }) => outcome === 'failed' && check !== 'signature')
  const signature = findings.find(({ check }) => check === 'signature')
  if (wrong) return `The assertion was refused for another reason than its signature: ${wrong.check}.`
  return signature?.outcome === 'failed' ? null : 'The signature of a foreign key was not checked.'
}

async function sendProbe({ env, send }: Core, url: string, init: RequestInit): Promise<Response | null> {
  const { pathname, search } = new URL(url)
  const probeUrl = env.PROBE_ORIGIN ? `${env.PROBE_ORIGIN}${pathname}${search}` : url
  try {
    return await send(probeUrl, { ...init, redirect: 'manual', signal: AbortSignal.timeout(waitMs) })
  } catch {
    return null
  }
}

function toReport(stored: unknown): AssertionReport {
  return stored as AssertionReport
}

/** An assertion that is valid but for its signature, which is by a new key of the same type. */
async function signWithAnotherKey(
  { kty, kid }: Readonly<Record<string, unknown>>,
  { clientId, tokenUrl, now }: { clientId: string; tokenUrl: string; now: Date },
): Promise<{ text: string; jti: string }> {
  const alg = kty === 'EC' ? 'ES384' : 'RS384'
  const { privateKey } = await generateKeyPair(alg)
  const jti = randomUUID()
  const seconds = Math.floor(now.getTime() / 1_000)
  const text = await new SignJWT({})
    .setProtectedHeader({ alg, kid: String(kid), typ: 'JWT' })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(tokenUrl)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + 120)
    .setJti(jti)
    .sign(privateKey)
  return { text, jti }
}
