/**
 * The explorer's access tokens are real and nobody sees them: obtained for a person of a sandbox practice, sealed, and
 * over with the session, the place in the organization or the hour, whichever comes first.
 */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { nobodysPassword } from '../../server/auth/password.ts'
import { smartLifetimes } from '../../server/contract/smart/lifetimes.ts'
import type { Context } from '../../server/domain/actor.ts'
import type { ExplorerPerson } from '../../server/lab/explorer/explorer-token-people.ts'
import type { ExplorerToken } from '../../server/lab/explorer/explorer-tokens.ts'
import { createExplorers, type Developer } from '../support/explorers.ts'
import { fhirStack } from '../support/fhir.ts'
import { kindOfProblem } from '../support/visitor.ts'

const tokenPattern = /spa_[A-Za-z0-9_-]{43}/
const wren: ExplorerPerson = { kind: 'patient', id: 'pt-wren-testwell' }
const ines: ExplorerPerson = { kind: 'clinician', id: 'pr-ines-placeholder' }

const explorers = createExplorers(() => stack.services)
const visitorAt = (ip: string): Context => ({ ip, userAgent: 'vitest', correlationId: randomUUID() })

const stack = await fhirStack()

type Asked = { person?: ExplorerPerson; scope?: string; practiceSlug?: string }

function use(
  { session, actor, practiceSlug: own }: Developer,
  { person = wren, scope = person === wren ? 'patient/*.rs' : 'user/*.rs', practiceSlug = own }: Asked = {},
): Promise<ExplorerToken> {
  return stack.services.explorerTokens.use({ session, practiceSlug, person, scope }, actor)
}

const call = (token: ExplorerToken, path: string) =>
  stack.call(path, { practice: token.practice.slug, authorization: token.authorization() })

test('two requests at once obtain one token, which reads the record of its person', async () => {
  const mara = await explorers.makeDeveloper()

  const [one, two] = await Promise.all([use(mara), use(mara)])
  const again = await use(mara)
  const answer = await call(one, 'MedicationRequest?_revinclude=Provenance:target&_count=3')

  expect(new Set([one.grantId, two.grantId, again.grantId]).size).toBe(1)
  expect(one.practice.slug).toBe(mara.practiceSlug)
  expect(one.expiresAt.getTime() - stack.services.clock().getTime()).toBe(
    smartLifetimes.accessTokenSeconds * 1000,
  )
  expect(smartLifetimes.accessTokenSeconds).toBeLessThanOrEqual(3_600)
  expect(answer.status).toBe(200)
  expect(new Set(answer.body.entry.map(({ search }: { search: { mode: string } }) => search.mode))).toEqual(
    new Set(['match', 'include']),
  )
  expect((await call(one, 'Patient')).body.entry).toHaveLength(1)
})

test('a clinician’s token reads whomever it names', async () => {
  const token = await use(await explorers.makeDeveloper(), { person: ines })

  expect((await call(token, 'Condition?patient=pt-juno-testwell')).status).toBe(200)
  expect((await call(token, 'Condition')).status).toBe(400)
})

test('neither what is handed out nor what is stored holds the token in the open', async () => {
  const token = await use(await explorers.makeDeveloper())

  expect(JSON.stringify(token)).not.toMatch(tokenPattern)
  expect(token.authorization()).toMatch(tokenPattern)
  expect(await stack.services.database.tablesWith(token.authorization().slice('Bearer spa_'.length))).toEqual(
    [],
  )
})

describe('a token ends on the next request', () => {
  async function alive(work: (mara: Developer) => Promise<unknown>): Promise<number[]> {
    const mara = await explorers.makeDeveloper()
    const token = await use(mara)
    const before = await call(token, 'Patient')
    await work(mara)
    return [before.status, (await call(token, 'Patient')).status]
  }

  test('when its person signs out', async () => {
    const { accounts } = stack.services

    expect(await alive(({ session, actor }) => accounts.signOut(session, actor))).toEqual([200, 401])
  })

  test('when the session is ended from another browser', async () => {
    const work = async ({ session, accountId }: Developer) =>
      stack.services.sessions.endOne({ accountId, sessionId: session.id })

    expect(await alive(work)).toEqual([200, 401])
  })

  test('when its person is no longer in the organization', async () => {
    const work = ({ accountId, organizationId }: Developer) =>
      stack.services.prisma.membership.deleteMany({ where: { accountId, organizationId } })

    expect(await alive(work)).toEqual([200, 401])
  })

  test('and the tick writes that down and forgets what was sealed', async () => {
    const mara = await explorers.makeDeveloper()
    const { grantId } = await use(mara)
    const { prisma, accounts, explorerTokens, clock } = stack.services
    await accounts.signOut(mara.session, mara.actor)

    const { ended } = await explorerTokens.tidyTokens(clock())

    expect(ended).toBeGreaterThanOrEqual(1)
    const grant = await prisma.grant.findUniqueOrThrow({ where: { id: grantId } })
    expect(grant.revokeReason).toBe('explorer')
    expect(await prisma.explorerToken.count({ where: { grantId } })).toBe(0)
  })
})

describe('what is not somebody’s own is refused', () => {
  let mara: Developer
  let other: Developer

  beforeAll(async () => {
    mara = await explorers.makeDeveloper()
    other = await explorers.makeDeveloper()
    await use(other)
  })

  test('the practice of another organization is none at all', async () => {
    for (const practiceSlug of [other.practiceSlug, 'harbor-family', 'nobody', '../x'])
      expect(await kindOfProblem(use(mara, { practiceSlug })), practiceSlug).toBe('not_found')
  })

  test('and its token opens no other base', async () => {
    const token = await use(mara)

    const elsewhere = { practice: other.practiceSlug, authorization: token.authorization() }
    expect((await stack.call('Patient', elsewhere)).status).toBe(403)
  })

  test.each([
    ['patient', 'system/*.rs'],
    ['patient', 'user/*.rs'],
    ['patient', 'openid'],
    ['patient', 'patient/Nothing.rs'],
    ['patient', 'patient/*.cud'],
    ['patient', ''],
    ['patient', `patient/${'x'.repeat(2_000)}.rs`],
    ['clinician', 'patient/*.rs'],
  ])('a %s cannot have the scope %s', async (kind, scope) => {
    const person = kind === 'patient' ? wren : ines

    expect(await kindOfProblem(use(mara, { person, scope }))).toBe('validation')
  })

  test.each(['nobody', '', "pt-1' OR 1=1", 'pr-ines-placeholder', 'a'.repeat(65)])(
    'a patient %j is nobody here',
    async (id) => {
      expect(await kindOfProblem(use(mara, { person: { kind: 'patient', id } }))).toBe('validation')
    },
  )
})

test('a visitor gets the demonstration practice alone, a few times a minute', async () => {
  const { explorerTokens } = stack.services
  const ask = (practiceSlug: string | null, ip: string) =>
    explorerTokens.use({ session: null, practiceSlug, person: wren, scope: 'patient/*.rs' }, visitorAt(ip))

  const token = await ask(null, '203.0.113.9')

  expect(token.practice.organizationId).toBeNull()
  expect((await call(token, 'Patient')).status).toBe(200)
  const { practiceSlug } = await explorers.makeDeveloper()
  expect(await kindOfProblem(ask(practiceSlug, '203.0.113.10'))).toBe('not_found')
  const many = await Promise.all(Array.from({ length: 40 }, () => kindOfProblem(ask(null, '203.0.113.11'))))
  expect(many.filter((kind) => kind === 'none').length).toBeLessThanOrEqual(30)
  expect(many).toContain('rate_limited')
})

test('nobody can sign in as the accounts that stand for sandbox people', async () => {
  await use(await explorers.makeDeveloper())
  const { prisma, accounts } = stack.services
  const account = await prisma.account.findFirstOrThrow({ where: { email: { contains: '@explorer.' } } })

  const given = { realm: 'patient' as const, email: account.email, password: 'none' }
  const answer = await accounts.signIn(given, visitorAt('203.0.113.12'))

  expect(answer.kind).not.toBe('signed_in')
  expect(account.emailVerifiedAt).toBeNull()
})

test('the accounts behind them are nobody’s who signed up: they stay, and have no password', async () => {
  const { accounts, clock, prisma } = stack.services
  await use(await explorers.makeDeveloper())
  const where = { email: { contains: '@explorer.' } }
  const before = await prisma.account.findMany({ where })

  await accounts.purgeUnverified(new Date(clock().getTime() + 8 * 86_400_000))

  expect(before.map(({ passwordHash }) => passwordHash)).toContain(nobodysPassword)
  expect(await prisma.account.count({ where })).toBe(before.length)
})
