/**
 * A developer gets an access token in the portal for an app of the organization and a person of its own sandbox. It is
 * a token like any other, for five minutes.
 */
import { describe, expect, test } from 'vitest'
import { hashToken } from '../../server/auth/random-token.ts'
import { appTokenSeconds } from '../../server/contract/lab/app-tokens.ts'
import { appTokenSupport, ines, system, wren } from '../support/app-tokens.ts'
import { restStack } from '../support/rest.ts'
import { smartSupport } from '../support/smart.ts'
import { basic } from '../support/smart-http.ts'

const { begin, makeApp, get, statusOf } = appTokenSupport(() => stack)

const stack = await restStack()
const lab = await begin()

const rowOf = (token: string) =>
  stack.services.prisma.accessToken.findUniqueOrThrow({
    where: { tokenHash: hashToken(token) },
    include: { grant: true },
  })

async function post(path: 'introspect' | 'revoke', app: { clientId: string; secret: string }, token: string) {
  const answer = await stack.app.fetch(
    new Request(stack.services.addresses[path](lab.slug), {
      method: 'POST',
      headers: {
        authorization: basic(app.clientId, app.secret),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ token }).toString(),
    }),
    { incoming: { socket: { remoteAddress: '192.0.2.1' } } },
  )
  return { status: answer.status, body: await answer.json() }
}

describe.each(['public', 'confidential', 'asymmetric'] as const)('for a %s app', (kind) => {
  test('a patient’s token reads that patient for five minutes, and nobody else', async () => {
    const { clientId } = await makeApp(kind)

    const given = await get(clientId, { ...wren, scope: 'patient/*.rs' })

    expect(given).toMatchObject({ scope: 'patient/*.rs', patientId: 'pt-wren-testwell', idToken: null })
    expect(given.expiresAt.getTime() - stack.services.clock().getTime()).toBe(appTokenSeconds * 1_000)
    expect(await statusOf('Patient/pt-wren-testwell', given.accessToken)).toBe(200)
    expect(await statusOf('Patient/pt-juno-testwell', given.accessToken)).toBe(404)
    stack.services.advance(appTokenSeconds * 1_000 - 1_000)
    expect(await statusOf('Patient/pt-wren-testwell', given.accessToken)).toBe(200)
    stack.services.advance(1_000)
    expect(await statusOf('Patient/pt-wren-testwell', given.accessToken)).toBe(401)
    expect(await stack.services.prisma.refreshToken.count({ where: { grant: { clientId } } })).toBe(0)
  })
})

test('a parent reads the record of the child who was chosen', async () => {
  const { clientId } = await makeApp('public')

  const asked = {
    person: 'marlo.testwell',
    patient: 'pt-juno-testwell',
    scope: 'openid fhirUser patient/Patient.rs',
  }
  const { accessToken, idToken } = await get(clientId, asked)

  expect(await statusOf('Patient/pt-juno-testwell', accessToken)).toBe(200)
  expect(await statusOf('Patient/pt-marlo-testwell', accessToken)).toBe(404)
  const claims = JSON.parse(Buffer.from(idToken?.split('.')[1] ?? '', 'base64url').toString())
  expect(claims.fhirUser).toMatch(/\/RelatedPerson\/rp-juno-testwell-1$/)
  expect(claims.exp - claims.iat).toBe(appTokenSeconds)
})

test('a clinician’s token reads whomever it names; with a patient chosen, patient scopes read that one', async () => {
  const { clientId } = await makeApp('clinician')

  const { accessToken: alone } = await get(clientId, { ...ines, scope: 'user/*.rs' })
  const { accessToken: inChart } = await get(clientId, {
    person: 'ines.placeholder',
    patient: 'pt-juno-testwell',
    scope: 'patient/Condition.rs',
  })

  expect(await statusOf('Condition?patient=pt-cal-notareal', alone)).toBe(200)
  expect(await statusOf('Condition', inChart)).toBe(200)
  expect(await statusOf('Condition?patient=pt-cal-notareal', inChart)).toBe(403)
})

test('a backend app gets a system token once the sandbox allows it', async () => {
  const { clientId } = await makeApp('backend')
  const asked = { ...system, scope: 'system/Patient.rs' }
  await expect(get(clientId, asked)).rejects.toMatchObject({
    kind: 'conflict',
    message: expect.stringContaining('can allow it on the app’s page'),
  })
  await stack.services.ownSandboxSystems.allow(clientId, lab.owner.actor)

  const { accessToken } = await get(clientId, asked)

  expect(await statusOf('Patient?_id=pt-wren-testwell', accessToken)).toBe(200)
  expect(await statusOf('Condition?patient=pt-wren-testwell', accessToken)).toBe(403)
  await stack.services.ownSandboxSystems.stop(clientId, lab.owner.actor)
  expect(await statusOf('Patient?_id=pt-wren-testwell', accessToken)).toBe(401)
})

test('it is introspected, and given up by its app, as any token', async () => {
  const app = await makeApp('confidential')
  const { accessToken } = await get(app.clientId, { ...wren, scope: 'patient/Patient.rs' })

  const { body } = await post('introspect', app, accessToken)
  expect(body).toMatchObject({
    active: true,
    client_id: app.clientId,
    scope: 'patient/Patient.rs',
    patient: 'pt-wren-testwell',
    fhirUser: expect.stringMatching(/Patient\/pt-wren-testwell$/),
  })
  expect(body.exp - body.iat).toBe(appTokenSeconds)

  expect((await post('revoke', app, accessToken)).status).toBe(200)
  expect(await statusOf('Patient/pt-wren-testwell', accessToken)).toBe(401)
  expect((await post('introspect', app, accessToken)).body).toEqual({ active: false })
})

test('it is listed with what the person allowed, and ends there', async () => {
  const { grants } = stack.services
  const { clientId } = await makeApp('public')
  const { accessToken } = await get(clientId, { ...wren, scope: 'patient/Patient.rs' })
  const { accountId } = (await rowOf(accessToken)).grant

  const [own] = (await grants.listForAccount(accountId ?? '')).filter(
    ({ client }) => client.clientId === clientId,
  )
  expect(own).toMatchObject({ offline: false })
  await grants.revoke(own?.grantId ?? '', { ...lab.owner.actor, accountId: accountId ?? '' })

  expect(await statusOf('Patient/pt-wren-testwell', accessToken)).toBe(401)
})

test('activity, record of access and audit say who got it and what it read', async () => {
  const { activityLog, practiceAudit, prisma, recorder } = stack.services
  const { clientId } = await makeApp('public')
  const { accessToken } = await get(clientId, { ...wren, scope: 'patient/Patient.rs' })
  await statusOf('Patient/pt-wren-testwell', accessToken)
  await recorder.flush()

  const { rows } = await activityLog.page({ clientId, limit: 10 })
  const access = await practiceAudit.access(
    lab.practiceId,
    { patientId: 'pt-wren-testwell', limit: 5 },
    await smartSupport(stack.services).createAdmin(lab.practiceId),
  )
  const audit = await prisma.auditEvent.findMany({
    where: { action: 'app_token.issued', actorId: lab.owner.accountId },
  })

  expect(rows.map(({ method, route, status }) => `${method} ${route} ${status}`)).toEqual([
    'GET /r4/{practice}/Patient/{id} 200',
    'POST /organizations/{organization}/apps/{client}/token 200',
  ])
  expect(access.rows.map(({ action }) => action)).toEqual(expect.arrayContaining(['token', 'read']))
  const { name } = await prisma.client.findUniqueOrThrow({ where: { id: clientId } })
  const [read] = access.rows.filter((row) => row.action === 'read' && row.clientId === clientId)
  expect(read).toMatchObject({ who: name, person: 'Wren Testwell', patientName: 'Wren Testwell' })
  expect(audit.map(({ detail }) => detail)).toContainEqual({
    clientId,
    person: 'Patient/pt-wren-testwell',
    patientId: 'pt-wren-testwell',
    scope: 'patient/Patient.rs',
  })
  expect(JSON.stringify([rows, access, audit.map(({ detail }) => detail)])).not.toContain('spa_')
})

test('the token is stored as a hash only, and is in no log', async () => {
  const { clientId } = await makeApp('public')
  const { accessToken } = await get(clientId, { ...wren, scope: 'openid patient/Patient.rs' })
  await stack.services.recorder.flush()

  expect(await stack.services.database.tablesWith(accessToken.slice(4))).toEqual([])
})

describe('the page lists the tokens that work', () => {
  const list = async (clientId: string, by = lab.owner) =>
    (await stack.services.appTokens.describe({ organizationId: lab.organizationId, clientId }, by.actor))
      .tokens

  test('and one ends while the others go on', async () => {
    const { clientId } = await makeApp('public')
    const [one, other] = [
      await get(clientId, { ...wren, scope: 'patient/Patient.rs' }),
      await get(clientId, { ...wren, scope: 'patient/Patient.rs' }),
    ]
    const [newest] = await list(clientId)
    expect(newest).toMatchObject({ person: 'Wren Testwell', scope: 'patient/Patient.rs' })

    const ref = { organizationId: lab.organizationId, clientId }
    await stack.services.appTokens.end({ ...ref, tokenId: newest?.id ?? '' }, lab.owner.actor)

    expect([
      await statusOf('Patient/pt-wren-testwell', other.accessToken),
      await statusOf('Patient/pt-wren-testwell', one.accessToken),
    ]).toEqual([401, 200])
    expect(await list(clientId)).toHaveLength(1)
    const elsewhere = await makeApp('public')
    for (const [clientId, tokenId] of [
      [elsewhere.clientId, (await rowOf(one.accessToken)).id],
      [ref.clientId, 'nonsense'],
    ] as const)
      await expect(
        stack.services.appTokens.end({ ...ref, clientId, tokenId }, lab.owner.actor),
      ).rejects.toMatchObject({ kind: 'not_found' })
    expect(await statusOf('Patient/pt-wren-testwell', one.accessToken)).toBe(200)
  })

  test('a backend app’s token ends alone', async () => {
    const { clientId } = await makeApp('backend')
    await stack.services.ownSandboxSystems.allow(clientId, lab.owner.actor)
    const [one, other] = [
      await get(clientId, { ...system, scope: 'system/*.rs' }),
      await get(clientId, { ...system, scope: 'system/*.rs' }),
    ]
    const { id: tokenId } = await rowOf(one.accessToken)

    await stack.services.appTokens.end(
      { organizationId: lab.organizationId, clientId, tokenId },
      lab.owner.actor,
    )

    expect([
      await statusOf('Patient?_id=pt-wren-testwell', one.accessToken),
      await statusOf('Patient?_id=pt-wren-testwell', other.accessToken),
    ]).toEqual([401, 200])
  })

  test('and what is over for a day is forgotten with its grant, never what an app got by itself', async () => {
    const { prisma, tokens, clock } = stack.services
    const { clientId } = await makeApp('public')
    await get(clientId, { ...wren, scope: 'patient/Patient.rs' })
    await smartSupport(stack.services).issueToken({
      practice: lab.slug,
      scope: 'patient/Patient.rs',
      client: { clientId },
    })
    const grantsOf = () => prisma.grant.count({ where: { clientId } })
    expect(await grantsOf()).toBe(2)

    await tokens.deleteExpired(new Date(clock().getTime() + 86_400_000))
    expect(await grantsOf()).toBe(2)
    await tokens.deleteExpired(new Date(clock().getTime() + 90_000_000 + appTokenSeconds * 1_000))

    expect(await grantsOf()).toBe(1)
  })
})
