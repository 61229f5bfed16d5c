/** Launches from the EHR; introspection, revocation, and what is written down. */
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import type { RegisteredClient } from '../../server/domain/clients/registrations.ts'
import { demonstration } from '../support/smart.ts'
import { basic } from '../support/smart-http.ts'
import { personStack } from '../support/smart-person.ts'

const { stack, practiceId, wren, client, publicApp, withSecret, launch, refresh, isGood, codeFor } =
  await personStack()

describe('a launch from the EHR', () => {
  const scope = 'openid fhirUser launch offline_access user/Patient.rs user/Encounter.rs user/Observation.rs'

  async function prepare() {
    const { client: app } = await stack.createClient({
      scope: `${scope} launch/encounter`,
      audience: 'clinician',
      launchUrl: 'https://app.example/launch',
    })
    const ines = await stack.createClinician(practiceId, 'pr-ines-placeholder')
    const { datasetId } = await stack.services.prisma.practice.findUniqueOrThrow({
      where: { id: practiceId },
    })
    const { rows } = await stack.services.pool.query<{ id: string; patient: string }>(
      `SELECT id, content::jsonb -> 'subject' ->> 'reference' AS patient FROM clinical.resource
       WHERE dataset_id = $1 AND content LIKE '%"resourceType":"Encounter"%' LIMIT 1`,
      [datasetId],
    )
    const encounter = rows[0] as { id: string; patient: string }
    const patientId = encounter.patient.replace('Patient/', '')
    const context = {
      practiceId,
      clientId: app.clientId,
      patientId,
      encounterId: encounter.id,
      practitionerId: 'pr-ines-placeholder',
    }
    return { app, ines, context }
  }

  test('tells the app whose record is open, with banner and style', async () => {
    const { app, ines, context } = await prepare()
    const launch = await stack.createLaunch({ ...context, intent: 'reconcile-medications' })
    const authorize = { client: app, scope, change: { launch } }
    const answer = await stack.authorize(authorize)
    const back = await stack.decide(answer, ines)
    const { body } = await stack.exchange(back.searchParams.get('code') ?? '', app)

    expect(body).toMatchObject({
      patient: context.patientId,
      encounter: context.encounterId,
      need_patient_banner: true,
      intent: 'reconcile-medications',
    })
    expect(new Set(body.scope.split(' '))).toEqual(new Set(scope.split(' ')))
    const style = await stack.send(body.smart_style_url)
    expect([style.status, typeof style.body]).toEqual([200, 'object'])
    const { fhirUser } = decodeJwt(body.id_token)
    for (const path of [`Patient/${body.patient}`, `Encounter/${body.encounter}`, String(fhirUser)]) {
      const url = path.startsWith('http') ? path : stack.at(path)
      const headers = { authorization: `Bearer ${body.access_token}` }
      expect((await stack.send(url, { headers })).status, path).toBe(200)
    }
    // Good once.
    const again = await stack.authorize(authorize)
    expect(stack.linkBackOf(again)?.searchParams.get('error')).toBe('invalid_request')
  })

  test('is refused after ten minutes, to another app, and to another clinician', async () => {
    const { app, context } = await prepare()
    const other = await prepare()
    const make = () => stack.createLaunch(context)
    const errorOf = async (client: RegisteredClient, launch: string) => {
      const answer = await stack.authorize({ client, scope, change: { launch } })
      return stack.linkBackOf(answer)?.searchParams.get('error')
    }
    const colleague = await stack.createClinician(practiceId, 'pr-someone-else')
    const mine = await stack.authorize({ client: app, scope, change: { launch: await make() } })
    const late = await make()

    expect(await errorOf(other.app, await make())).toBe('invalid_request')
    expect(await errorOf(app, 'spl_unknown')).toBe('invalid_request')
    expect(await stack.services.authorizations.eligibility(stack.handleOf(mine), colleague)).toEqual({
      kind: 'other_clinician',
    })
    stack.services.advance(600_000)
    expect(await errorOf(app, late)).toBe('invalid_request')
  })

  test('without a patient lets the clinician choose one, found by name', async () => {
    const { client: app } = await stack.createClient({
      scope: 'launch/patient patient/Patient.rs',
      audience: 'clinician',
    })
    const ines = await stack.createClinician(practiceId, 'pr-ines-placeholder')
    const answer = await stack.authorize({ client: app, scope: 'launch/patient patient/Patient.rs' })
    const handle = stack.handleOf(answer)
    const { authorizations } = stack.services

    expect(await authorizations.get(handle)).toMatchObject({ realm: 'practice', needsPatientChoice: true })
    const found = await authorizations.searchPatients(handle, ines, { q: 'wren', limit: 5 })
    expect(found).toMatchObject([{ patientId: 'pt-wren-testwell', relationship: null }])
    expect(await authorizations.searchPatients(handle, wren, { q: 'wren', limit: 5 })).toEqual([])
    const back = await stack.decide(answer, ines, { patientId: 'pt-wren-testwell' })
    const { body } = await stack.exchange(back.searchParams.get('code') ?? '', app)
    expect(body.patient).toBe('pt-wren-testwell')
  })
})

describe('introspection and revocation', () => {
  const ask = (token: string) => stack.post('introspect', { token }, withSecret())

  test('tells an app what its own token is worth', async () => {
    const { body: given } = await launch()
    const { status, body } = await ask(given.access_token)
    const base = stack.services.addresses.fhirBase(demonstration)

    expect(status).toBe(200)
    expect(body).toMatchObject({
      active: true,
      client_id: client.clientId,
      scope: given.scope,
      patient: 'pt-wren-testwell',
      iss: base,
      sub: wren.accountId,
      fhirUser: `${base}/Patient/pt-wren-testwell`,
    })
    expect(body.exp).toBe(Math.floor(stack.services.clock().getTime() / 1000) + 3600)
  })

  test('says nothing but no of tokens that are bad, or another app’s; nothing at all to who proves nothing', async () => {
    const code = await codeFor(publicApp)
    const { body: others } = await stack.exchange(code, publicApp)

    for (const token of ['INVALID_TOKEN', `spa_${'a'.repeat(43)}`, others.access_token])
      expect((await ask(token)).body).toEqual({ active: false })
    const naked = await stack.post('introspect', {
      token: others.access_token,
      client_id: publicApp.clientId,
    })
    expect([naked.status, naked.body.error]).toEqual([401, 'invalid_client'])
  })

  test('a resource server may ask about every token of the practice', async () => {
    const { client: server, secret: key } = await stack.createClient({
      scope: 'openid patient/Patient.rs',
      authentication: 'client_secret_basic',
      introspectsAll: true,
    })
    const { body: given } = await launch()
    const headers = { authorization: basic(server.clientId, key ?? '') }

    const answer = await stack.post('introspect', { token: given.access_token }, { headers })

    expect(answer.body).toMatchObject({ active: true, client_id: client.clientId })
  })

  test('an app gives its tokens up: from then on none of the grant is good', async () => {
    for (const kind of ['access_token', 'refresh_token'] as const) {
      const { body: given } = await launch()
      const answer = await stack.post('revoke', { token: given[kind] }, withSecret())

      expect(answer.status).toBe(200)
      expect(await isGood(given.access_token)).toBe(false)
      expect((await refresh(given.refresh_token)).status).toBe(400)
      expect((await ask(given.access_token)).body).toEqual({ active: false })
    }
  })

  test('giving up a token that is unknown or another app’s changes nothing and tells nothing', async () => {
    const { body: given } = await launch()
    const answers = [
      await stack.post('revoke', { token: given.access_token, client_id: publicApp.clientId }),
      await stack.post('revoke', { token: 'no-such', client_id: publicApp.clientId }),
    ]

    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [200, '{}'],
      [200, '{}'],
    ])
    expect(await isGood(given.access_token)).toBe(true)
  })

  test('a person ends what they allowed; nobody else’s', async () => {
    const { body: given } = await launch()
    const { services } = stack
    const apps = await services.grants.listForAccount(wren.accountId)
    const stranger = await stack.createPatientPerson(practiceId, 'pt-marlo-testwell')
    const grantId = apps[0]?.grantId ?? ''

    expect(apps[0]).toMatchObject({ client: { clientId: client.clientId }, offline: true })
    await expect(services.grants.revoke(grantId, stranger)).rejects.toMatchObject({ kind: 'not_found' })
    expect(await services.grants.revoke(grantId, wren)).toEqual({ kind: 'revoked' })
    expect(await services.grants.revoke(grantId, wren)).toEqual({ kind: 'already_ended' })
    expect(await isGood(given.access_token)).toBe(false)
    expect((await refresh(given.refresh_token)).status).toBe(400)
  })
})

test('every refusal stands in the app’s log with its exact reason, and in the practice’s', async () => {
  const scope = 'launch/patient patient/Patient.rs'
  const { developer, organizationId } = await stack.createOrganization()
  const { client: app } = await stack.createClient({ scope, organizationId })
  await stack.authorize({ client: app, scope, change: { aud: 'https://elsewhere.example' } })
  await stack.exchange('not-a-code', app)
  await stack.services.recorder.flush()

  const { rows } = await stack.services.keys.activity({
    ...{ organizationId, clientId: app.clientId, accountId: developer.accountId },
    ...{ limit: 10, status: 'refused' },
  })
  const { rows: seen } = await stack.services.database.ownerPool.query(
    'SELECT action, outcome FROM log.phi_audit WHERE principal_id = $1 ORDER BY id',
    [app.clientId],
  )

  expect(rows.map(({ route, refusalReason }) => [route, refusalReason])).toEqual([
    ['/r4/{practice}/token', expect.stringContaining('The code is unknown')],
    ['/r4/{practice}/authorize', expect.stringContaining('aud is missing or is not the FHIR base')],
  ])
  expect(seen).toEqual([
    { action: 'authorize', outcome: 'refused' },
    { action: 'token', outcome: 'refused' },
  ])
})
