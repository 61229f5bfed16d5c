/** Checks client assertions, for the token endpoint, which accepts each once, and for the Assertion Doctor. */

import type { Client } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { smartLifetimes } from '../../contract/smart/lifetimes.ts'
import { refuse } from '../../contract/smart/oauth-errors.ts'
import { isUniqueViolation } from '../../store/unique-violation.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { findRole } from '../organizations/membership.ts'
import { getSmartPractice, type SmartPractice } from '../practices/fhir-access.ts'
import * as attempts from './assertion-attempts.ts'
import { type AssertionCase, assertionChecks, isJti, shownClaims, shownHeader } from './assertion-checks.ts'
import type { AssertionAttempt, AssertionFinding, AssertionReport } from './client-types.ts'

const assertionCharactersMax = 8_192

/** Runs all checks, even after one has failed. It does not use up the assertion. */
async function examine(
  { addresses, clock, jwks, prisma }: Core,
  client: Client,
  practice: SmartPractice,
  text: string,
): Promise<AssertionReport> {
  const { header, claims } = parse(text)
  const kid = typeof header?.kid === 'string' ? header.kid : null
  const { keys, failure } = await jwks.keysOf(client, kid)
  const jti = claims?.jti
  const used = isJti(jti)
    ? await prisma.usedAssertion.findUnique({ where: { clientId_jti: { clientId: client.id, jti } } })
    : null
  return runChecks({
    text,
    header,
    claims,
    now: clock(),
    clientId: client.id,
    jwksUrl: client.jwksUrl,
    keys,
    keysFailure: failure,
    tokenUrl: addresses.token(practice.slug),
    issuer: addresses.fhirBase(practice.slug),
    jtiUsed: used !== null,
  })
}

/**
 * Accepts an assertion once.
 * @throws Problem `assertion_refused` (its report is stored for the developers), `assertion_replayed`
 */
export async function accept(
  core: Core,
  client: Client,
  practice: SmartPractice,
  { text, correlationId }: { text: string; correlationId: string },
): Promise<void> {
  const { prisma } = core
  const report = await examine(core, client, practice, text)
  if (!report.accepted) {
    await attempts.keep(core, client.id, report, correlationId)
    const isReplay = report.findings.every(
      ({ check, outcome }) => outcome === 'passed' || check === 'jti used',
    )
    throw refuse(isReplay ? 'assertion_replayed' : 'assertion_refused')
  }
  const { exp, jti } = parse(text).claims ?? {}
  const expiresAt = new Date((Number(exp) + smartLifetimes.clockSkewSeconds + 1) * 1000)
  try {
    await prisma.usedAssertion.create({
      data: { clientId: client.id, jti: String(jti), expiresAt },
      select: { jti: true },
    })
  } catch (error) {
    // A concurrent request has used the assertion.
    if (isUniqueViolation(error)) throw refuse('assertion_replayed')
    throw error
  }
}

/**
 * Checks an assertion as the token endpoint would, without using it up.
 * @param input.practiceSlug the practice whose token endpoint the assertion is for
 * @throws Problem `not_found` unless the client belongs to an organization of the actor
 */
export async function check(
  core: Core,
  { clientId, practiceSlug, assertion }: { clientId: string; practiceSlug: string; assertion: string },
  actor: Actor,
): Promise<AssertionReport> {
  const client = await ownClient(core, clientId, actor)
  const practice = await getSmartPractice(core.prisma, practiceSlug)
  if (practice.environment !== client.environment) throw new Problem('not_found')
  return examine(core, client, practice, assertion.trim())
}

/** Refused assertions of the last 30 days, the newest first, 50 at most. */
export const listAttempts = async (core: Core, clientId: string, actor: Actor) =>
  attempts.list(core, (await ownClient(core, clientId, actor)).id)

/** The report of one refused assertion. @throws Problem `not_found` unless the app belongs to the actor's organization */
export async function findAttempt(
  core: Core,
  { clientId, correlationId }: { clientId: string; correlationId: string },
  actor: Actor,
): Promise<AssertionAttempt | null> {
  const client = await ownClient(core, clientId, actor)
  return attempts.find(core, client.id, correlationId)
}

async function ownClient({ prisma }: Core, clientId: string, { accountId }: Pick<Actor, 'accountId'>) {
  const client = await prisma.client.findFirst({ where: { id: clientId, removedAt: null } })
  const organizationId = client?.organizationId
  if (!client || !organizationId || !(await findRole(prisma, { organizationId, accountId })))
    throw new Problem('not_found')
  return client
}

async function runChecks(assertion: AssertionCase): Promise<AssertionReport> {
  const findings: AssertionFinding[] = []
  const passed = new Set<string>()
  for (const { name, title, needs = [], run } of assertionChecks) {
    if (!needs.every((need) => passed.has(need))) {
      findings.push({ check: name, title, outcome: 'not_reached', found: null, fix: null })
      continue
    }
    const result = await run(assertion)
    if (result.outcome === 'passed') passed.add(name)
    findings.push({ check: name, title, fix: null, ...result })
  }
  const { header, claims } = assertion
  return {
    accepted: passed.size === assertionChecks.length,
    findings,
    header: shownHeader(header),
    claims: shownClaims(claims),
  }
}

/** The client id that an assertion claims, unproven: it selects the keys for the check. */
export function claimedClientOf(text: string): string | null {
  const iss = parse(text).claims?.iss
  return typeof iss === 'string' ? iss : null
}

type Parts = Pick<AssertionCase, 'header' | 'claims'>

function parse(text: string): Parts {
  const parts = text.length > assertionCharactersMax ? [] : text.split('.')
  if (parts.length !== 3) return { header: null, claims: null }
  return { header: parsePart(parts[0]), claims: parsePart(parts[1]) }
}

function parsePart(part: string | undefined): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part ?? '', 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
