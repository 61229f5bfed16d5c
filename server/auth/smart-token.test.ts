import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type TestServices, testServices } from '../../tests/support/services.ts'
import { type IssuedToken, smartSupport } from '../../tests/support/smart.ts'
import type { SmartPrincipal } from './principal.ts'
import { createSmartTokenAuth } from './smart-token.ts'

const services = await testServices()
const support = smartSupport(services)

const bearer = (token: { access_token: string }) => `Bearer ${token.access_token}`

async function principalOf(token: { access_token: string }): Promise<SmartPrincipal> {
  const outcome = await services.smartTokens.authenticate(bearer(token))
  if (outcome.kind !== 'principal') throw new Error(outcome.reason)
  return outcome.principal
}

async function reasonOf(authorization: string | null) {
  const outcome = await services.smartTokens.authenticate(authorization, { anew: true })
  return outcome.kind === 'principal' ? 'good' : `${outcome.problem} ${outcome.reason}`
}

/** What ends or suspends a token: the change, what is told of it, and the way back. */
const endings: [string, string, (context: { token: IssuedParts }) => Promise<() => Promise<unknown>>][] = [
  ['the token is revoked', 'unauthorized token_revoked', ends('accessToken', 'tokenId', 'revokedAt')],
  ['the grant is revoked', 'unauthorized grant_revoked', ends('grant', 'grantId', 'revokedAt')],
  ['the app is suspended', 'unauthorized client_suspended', ends('client', 'clientId', 'suspendedAt')],
  [
    'the practice stops the app',
    'unauthorized access_stopped',
    change((db, { clientId, practiceId }) => {
      const by = { startedAt: services.clock(), startedById: practiceId }
      return [
        db.practiceStop.create({ data: { practiceId, clientId, reason: 'A test of stops', ...by } }),
        () =>
          db.practiceStop.updateMany({
            where: { clientId, endedAt: null },
            data: { endedAt: services.clock(), endedById: practiceId },
          }),
      ]
    }),
  ],
  [
    'the app is taken off the practice',
    'unauthorized client_not_at_practice',
    sets('client', 'clientId', () => [{ everyPractice: false }, { everyPractice: true }]),
  ],
  ['the account is disabled', 'unauthorized account_disabled', ends('account', 'accountId', 'disabledAt')],
  [
    'the patient’s login is taken away',
    'unauthorized person_left',
    change((db, { accountId, practiceId }) => {
      const who = { practiceId, accountId, patientId: 'pt-wren-testwell' }
      return [
        db.patientLogin.deleteMany({ where: who }),
        () => db.patientLogin.create({ data: { ...who, relationship: 'self', createdAt: services.clock() } }),
      ]
    }),
  ],
  [
    'the practice is suspended',
    'forbidden practice_suspended',
    sets('practice', 'practiceId', () => [{ state: 'suspended' }, { state: 'active' }]),
  ],
  [
    'FHIR access is switched off',
    'forbidden fhir_not_enabled',
    sets('practice', 'practiceId', () => [{ fhirEnabled: false }, { fhirEnabled: true }]),
  ],
  [
    'the audience is left out by policy',
    'forbidden audience_not_allowed',
    sets('practice', 'practiceId', () => [
      { fhirAudiences: ['backend'] },
      { fhirAudiences: ['patient', 'clinician', 'backend'] },
    ]),
  ],
]

type Table = 'accessToken' | 'grant' | 'client' | 'account' | 'practice'

/** A row of the token is changed, and back. */
function sets(table: Table, id: keyof IssuedParts, changes: () => [off: object, on: object]) {
  return change((db, parts) => {
    const rows = db[table] as unknown as { update(change: object): Promise<unknown> }
    const where = { id: parts[id] }
    const [off, on] = changes()
    return [rows.update({ where, data: off }), () => rows.update({ where, data: on })]
  })
}

function ends(table: Table, id: keyof IssuedParts, column: string) {
  return sets(table, id, () => [{ [column]: services.clock() }, { [column]: null }])
}

type IssuedParts = {
  tokenId: string
  grantId: string
  clientId: string
  accountId: string
  practiceId: string
}

function change(
  steps: (db: TestServices['prisma'], parts: IssuedParts) => [Promise<unknown>, () => Promise<unknown>],
) {
  return async ({ token }: { token: IssuedParts }) => {
    const [done, undo] = steps(services.prisma, token)
    await done
    return undo
  }
}

/** One for all: every change is taken back. */
let lasting: Promise<IssuedToken> | undefined

test.each(endings)('once %s, the next statement finds it not good', async (_, told, end) => {
  lasting ??= support.issueToken({ scope: 'patient/Patient.rs' })
  const token = await lasting
  const principal = await principalOf(token)
  const { accountId } = await services.prisma.grant.findUniqueOrThrow({ where: { id: token.grantId } })

  const undo = await end({
    token: {
      tokenId: principal.tokenId,
      grantId: token.grantId,
      clientId: token.clientId,
      accountId: accountId ?? randomUUID(),
      practiceId: principal.practice.id,
    },
  })
  const alive = await services.smartTokens.isAlive(principal)
  const reason = await reasonOf(bearer(token))
  await undo()

  expect(alive).toBe(false)
  expect(reason).toBe(told)
  expect(await reasonOf(bearer(token))).toBe('good')
})

test('a clinician who is one no more, or a parent of another child only, reads nothing on the next statement', async () => {
  const clinician = await support.issueToken({ scope: 'user/Patient.rs', audience: 'clinician' })
  const parent = await support.issueToken({ scope: 'patient/Patient.rs' })
  const remembered = await Promise.all([clinician, parent].map(principalOf))
  const alive = () => Promise.all(remembered.map((principal) => services.smartTokens.isAlive(principal)))
  const [doctorId, parentId] = await Promise.all([clinician, parent].map(accountOf))
  expect(await alive()).toEqual([true, true])

  await services.prisma.practiceMembership.updateMany({
    where: { accountId: doctorId },
    data: { role: 'admin' },
  })
  await services.prisma.patientLogin.updateMany({
    where: { accountId: parentId },
    data: { patientId: 'pt-juno-testwell' },
  })

  expect(await alive()).toEqual([false, false])
  expect(await reasonOf(bearer(clinician))).toBe('unauthorized person_left')
  expect(await reasonOf(bearer(parent))).toBe('unauthorized person_left')
})

async function accountOf({ grantId }: { grantId: string }): Promise<string> {
  const { accountId } = await services.prisma.grant.findUniqueOrThrow({ where: { id: grantId } })
  return accountId ?? ''
}

test('a principal that believes in another policy, or another dataset, is not good any more', async () => {
  const principal = await principalOf(await support.issueToken({ scope: 'patient/Patient.rs' }))
  const moved = { ...principal, practice: { ...principal.practice, datasetId: 999_999 } }

  expect(await services.smartTokens.isAlive({ ...principal, typesAllowed: ['Patient'] })).toBe(false)
  expect(await services.smartTokens.isAlive(moved)).toBe(false)
})

test('a sandbox app’s token of one organization is good at its own sandbox and at no other', async () => {
  const { organizationId } = await support.createOrganization()
  const own = await services.sandboxes.ensure(organizationId, { writable: false })
  const { client } = await support.createClient({
    scope: 'patient/Patient.rs',
    organizationId,
    everyPractice: false,
  })
  const stranger = await support.createOrganization()
  const other = await services.sandboxes.ensure(stranger.organizationId, { writable: false })
  const ask = (practice: string) =>
    support
      .issueToken({ scope: 'patient/Patient.rs', client, practice })
      .then(reasonOfToken, (error) => error.detail)
  const reasonOfToken = (token: { access_token: string }) => reasonOf(bearer(token))

  expect(await ask(own.slug)).toBe('good')
  expect(await ask(other.slug)).toBe('client_not_at_practice')
})

test('a revocation at one process is heard of at another that remembers the token, on its next statement', async () => {
  const { pool } = services.database
  const elsewhere = createSmartTokenAuth({ pool, store: services.store, clock: services.clock })
  const token = await support.issueToken({ scope: 'patient/Patient.rs' })
  const remembered = await elsewhere.authenticate(bearer(token))
  const { accountId } = await services.prisma.grant.findUniqueOrThrow({ where: { id: token.grantId } })

  await services.grants.revoke(token.grantId, support.actorOf(accountId ?? ''))

  if (remembered.kind !== 'principal') throw new Error(remembered.reason)
  expect(await elsewhere.isAlive(remembered.principal)).toBe(false)
  expect(await elsewhere.authenticate(bearer(token), { anew: true })).toMatchObject({
    problem: 'unauthorized',
  })
})

test('rows whose time is over are deleted, and what lives stays', async () => {
  const { prisma, tokens, pendingAuthorizations } = services
  const token = await support.issueToken({ scope: 'launch/patient offline_access patient/Patient.rs' })
  const count = () =>
    Promise.all([
      prisma.accessToken.count({ where: { grantId: token.grantId } }),
      prisma.refreshToken.count({ where: { grantId: token.grantId } }),
    ])
  const hours = (number: number) => new Date(services.clock().getTime() + number * 3_600_000)

  await tokens.deleteExpired(hours(24))
  await pendingAuthorizations.deleteExpired(hours(24))
  expect(await count()).toEqual([1, 1])
  await tokens.deleteExpired(hours(26))
  await pendingAuthorizations.deleteExpired(hours(26))
  expect(await count()).toEqual([0, 1])
  expect(await prisma.authorizationRequest.count()).toBe(0)
})
