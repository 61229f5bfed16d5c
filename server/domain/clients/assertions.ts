/** Examines client assertions: for the token endpoint, which uses each up, and for the Assertion Doctor. */
import type { Client, Prisma, PrismaClient } from '../../../prisma/generated/client/client.ts'
import { refuse } from '../../contract/oauth-errors.ts'
import { Problem } from '../../contract/problems.ts'
import { smartLifetimes } from '../../contract/smart-lifetimes.ts'
import { isUniqueViolation } from '../../store/unique-violation.ts'
import type { Actor } from '../actor.ts'
import type { SmartAddresses } from '../grants/smart-addresses.ts'
import { findRole } from '../organizations/membership.ts'
import { getSmartPractice, type SmartPractice } from '../practices/fhir-access.ts'
import { type AssertionCase, assertionChecks, isJti, shown } from './assertion-checks.ts'
import type { AssertionDoctor, AssertionFinding, AssertionReport } from './client-types.ts'
import type { JwksSource } from './jwks-source.ts'

const assertionCharactersMax = 8_192
const attemptsMax = 50
const headerFields = ['alg', 'kid', 'typ', 'jku'] as const
const claimFields = ['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'jti'] as const

type Dependencies = { prisma: PrismaClient; clock: () => Date; jwks: JwksSource; addresses: SmartAddresses }

export function createAssertions({ prisma, clock, jwks, addresses }: Dependencies) {
  /** Every check, also after one has failed; uses nothing up. */
  async function examine(client: Client, practice: SmartPractice, text: string): Promise<AssertionReport> {
    const assertion = await takeApart(client, practice, text)
    const findings: AssertionFinding[] = []
    const passed = new Set<string>()
    for (const { name, title, needs = [], run } of assertionChecks) {
      if (!needs.every((each) => passed.has(each))) {
        findings.push({ check: name, title, outcome: 'not_reached', found: null, fix: null })
        continue
      }
      const result = await run(assertion)
      if (result.outcome === 'passed') passed.add(name)
      findings.push({ check: name, title, fix: null, ...result })
    }
    return {
      accepted: passed.size === assertionChecks.length,
      findings,
      header: pick(assertion.header, headerFields),
      claims: pick(assertion.claims, claimFields),
    }
  }

  /**
   * Accepts an assertion once.
   * @throws Problem `assertion_refused` (its report is kept for the developers), `assertion_replayed`
   */
  async function accept(
    client: Client,
    practice: SmartPractice,
    { text, correlationId }: { text: string; correlationId: string },
  ): Promise<void> {
    const report = await examine(client, practice, text)
    if (!report.accepted) {
      await keep(client.id, report, correlationId)
      const isReplay = report.findings.every(
        ({ check, outcome }) => outcome === 'passed' || check === 'jti used',
      )
      throw refuse(isReplay ? 'assertion_replayed' : 'assertion_refused')
    }
    const { claims } = parse(text)
    const expiresAt = new Date((Number(claims?.exp) + smartLifetimes.clockSkewSeconds + 1) * 1000)
    try {
      await prisma.usedAssertion.create({
        data: { clientId: client.id, jti: String(claims?.jti), expiresAt },
        select: { jti: true },
      })
    } catch (error) {
      // Of two that bring it at once one is served.
      if (isUniqueViolation(error)) throw refuse('assertion_replayed')
      throw error
    }
  }

  async function takeApart(client: Client, practice: SmartPractice, text: string): Promise<AssertionCase> {
    const { header, claims } = parse(text)
    const kid = typeof header?.kid === 'string' ? header.kid : null
    const { keys, failure } = await jwks.keysOf(client, kid)
    const jti = claims?.jti
    const used = isJti(jti)
      ? await prisma.usedAssertion.findUnique({ where: { clientId_jti: { clientId: client.id, jti } } })
      : null
    return {
      text,
      header,
      claims,
      clientId: client.id,
      jwksUrl: client.jwksUrl,
      keys,
      keysFailure: failure,
      tokenUrl: addresses.token(practice.slug),
      now: clock(),
      jtiUsed: used !== null,
    }
  }

  /** The last fifty of an app; the assertion itself, which may still be good elsewhere, is not kept. */
  async function keep(clientId: string, report: AssertionReport, correlationId: string): Promise<void> {
    await prisma.assertionAttempt.create({
      data: { clientId, at: clock(), correlationId, report: report as unknown as Prisma.InputJsonObject },
      select: { id: true },
    })
    const [oldest] = await prisma.assertionAttempt.findMany({
      where: { clientId },
      orderBy: [{ at: 'desc' }, { id: 'desc' }],
      skip: attemptsMax,
      take: 1,
      select: { at: true },
    })
    if (oldest) await prisma.assertionAttempt.deleteMany({ where: { clientId, at: { lte: oldest.at } } })
  }

  const doctor: AssertionDoctor = {
    async check({ clientId, practiceSlug, assertion }, actor) {
      const client = await ownClient(clientId, actor)
      const practice = await getSmartPractice(prisma, practiceSlug)
      if (practice.environment !== client.environment) throw new Problem('not_found')
      return examine(client, practice, assertion.trim())
    },

    async listAttempts(clientId, actor) {
      const client = await ownClient(clientId, actor)
      const rows = await prisma.assertionAttempt.findMany({
        where: { clientId: client.id },
        orderBy: [{ at: 'desc' }, { id: 'desc' }],
        take: attemptsMax,
      })
      return rows.map(({ id, at, correlationId, report }) => ({
        id,
        at,
        correlationId,
        report: report as unknown as AssertionReport,
      }))
    },
  }

  async function ownClient(clientId: string, { accountId }: Pick<Actor, 'accountId'>): Promise<Client> {
    const client = await prisma.client.findFirst({ where: { id: clientId, removedAt: null } })
    const organizationId = client?.organizationId
    if (!client || !organizationId || !(await findRole(prisma, { organizationId, accountId })))
      throw new Problem('not_found')
    return client
  }

  return { examine, accept, doctor }
}

export type Assertions = ReturnType<typeof createAssertions>

/** The client an assertion says it is of: only to know whose keys to hold it against. */
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

function pick(
  values: Readonly<Record<string, unknown>> | null,
  names: readonly string[],
): Record<string, string> {
  const found = names.filter((name) => values !== null && Object.hasOwn(values, name))
  return Object.fromEntries(found.map((name) => [name, shown(values?.[name])]))
}
