/**
 * A client library goes through the simulator for every kind of launch, and fails in the announced way for everything
 * that can go wrong in it: swept over the two tables of the contract, over real connections.
 */
import { createLocalJWKSet, jwtVerify } from 'jose'
import { afterAll, describe, expect, test } from 'vitest'
import { findFreePort } from '../../scripts/setup/free-port.mjs'
import {
  type LaunchFault,
  launchFaultNames,
  launchFaultRow,
  slowTokenMs,
} from '../../server/contract/lab/launch-faults.ts'
import {
  type LaunchKind,
  launchesPerHour,
  launchKindNames,
  launchKindRow,
  launchKinds,
} from '../../server/contract/lab/launch-lab.ts'
import * as throttle from '../../server/domain/accounts/throttle.ts'
import type { RegisteredClient } from '../../server/domain/clients/registrations.ts'
import { listen } from '../../server/start/listen.ts'
import { makeAssertionKey, signAssertion } from '../support/assertion.ts'
import { type LaunchOutcome, readWithFhirclient, startFhirclientApp } from '../support/fhirclient-app.ts'
import { restStack } from '../support/rest.ts'
import { runsAll } from '../support/slice.ts'
import { smartSupport } from '../support/smart.ts'

const scopes = {
  patient: 'openid fhirUser launch launch/patient offline_access patient/*.rs',
  clinician: 'openid fhirUser launch launch/patient launch/encounter offline_access patient/*.rs user/*.rs',
  backend: 'system/*.rs',
} as const
const patientId = 'pt-wren-testwell'
const practitionerId = 'pr-ines-placeholder'

const clients = new Map<string, RegisteredClient>()
const secrets = new Map<string, string>()
let pauses: number[] = []
const port = await findFreePort()
const origin = `http://127.0.0.1:${port}`
const stack = await restStack({
  environment: { PUBLIC_ORIGIN: origin, PORT: String(port) },
  pause: async (milliseconds) => void pauses.push(milliseconds),
  send: fetch,
})
const { services } = stack
const server = await listen({
  env: services.env,
  app: stack.app,
  portal: { handler: async () => new Response() },
})
const app = await startFhirclientApp()
const support = smartSupport(services)
const made = await support.createOrganization()
const developer = made.developer
const organizationId = made.organizationId
for (const audience of ['patient', 'clinician'] as const) {
  const { client, secret } = await support.createClient({
    scope: scopes[audience],
    audience,
    authentication: 'client_secret_basic',
    organizationId,
    everyPractice: false,
    launchUrl: app.launchUrl,
    redirectUris: [app.redirectUri],
  })
  clients.set(audience, client)
  secrets.set(client.clientId, secret ?? '')
}
const systemKey = await makeAssertionKey('ES384')
const { client } = await support.createClient({
  scope: scopes.backend,
  organizationId,
  everyPractice: false,
  jwks: { keys: [{ ...systemKey.publicJwk }] },
})
clients.set('backend', client)

afterAll(async () => {
  await app.close()
  await server.close(1_000)
})

function start(
  kind: LaunchKind,
  fault: LaunchFault | null,
  of: string = clients.get(launchKindRow(kind).audience)?.clientId ?? '',
  ip = '127.0.0.1',
) {
  // A budget of its own for every launch.
  stack.services.advance(120_000)
  pauses = []
  return stack.services.launchLab.start(
    {
      organizationId,
      kind,
      app: of,
      signIn: 'at_once',
      patientId: kind === 'backend' ? null : patientId,
      practitionerId: launchKindRow(kind).audience === 'clinician' ? practitionerId : null,
      encounterId: null,
      intent: kind === 'ehr' ? 'reconcile-medications' : null,
      needPatientBanner: true,
      fault,
    },
    { ...developer, ip },
  )
}

async function launch(kind: LaunchKind, fault: LaunchFault | null): Promise<Partial<LaunchOutcome>> {
  const started = await start(kind, fault)
  const scope = scopes[launchKindRow(kind).audience]
  const { clientId, iss, url } = started
  return url === null ? open({ clientId, scope, iss }) : open({ clientId, scope }, url)
}

/** A server's app has a secret: the library names a public app at refresh nowhere. */
function open(settings: { clientId: string; scope: string; iss?: string }, address?: string) {
  return app.open({ ...settings, clientSecret: secrets.get(settings.clientId) ?? '' }, address)
}

const logOf = async (id: string) => stack.services.launchLab.get({ organizationId, id }, developer)

/** Whether the id_token holds against the keys of the practice. */
async function isSigned(idToken: string | null | undefined): Promise<boolean> {
  const keys = createLocalJWKSet((await stack.services.signingKeys.publicJwks()) as never)
  return jwtVerify(idToken ?? '', keys, { currentDate: stack.services.clock() }).then(
    () => true,
    () => false,
  )
}

const ofPeople = launchKindNames.filter((kind) => launchKinds[kind].audience !== 'backend')

describe.each(ofPeople)('a launch of the kind %s', (kind) => {
  test('comes through: a token, the patient, an id_token that holds, a refresh', async () => {
    const outcome = await launch(kind, null)
    expect(outcome).toMatchObject({
      error: null,
      patient: patientId,
      read: 'Patient',
      mayReadAll: true,
      refresh: 'good',
    })
    expect(await isSigned(outcome.idToken)).toBe(true)
  })

  // In `npm test` each with one kind.
  const faults = launchFaultNames.filter((fault, at) => {
    const kinds = ofPeople.filter((each) => launchFaultRow(fault).kinds.includes(each))
    return runsAll ? kinds.includes(kind) : kinds[at % kinds.length] === kind
  })

  test.each(faults)('with %s fails as it is announced', async (fault) => {
    const { where, error } = launchFaultRow(fault)

    const outcome = await launch(kind, fault)
    switch (where) {
      case 'authorize':
      case 'token':
        expect(outcome.error).toContain(error)
        break
      case 'state':
        expect(outcome.error).toMatch(/No state found/)
        break
      case 'refresh':
        expect([outcome.error, outcome.read]).toEqual([null, 'Patient'])
        expect(outcome.refresh).toContain(error)
        break
      case 'late':
        expect([outcome.error, outcome.read, pauses]).toEqual([null, 'Patient', [slowTokenMs]])
        break
      case 'scope':
        expect(outcome).toMatchObject({ error: null, read: 'Patient', mayReadAll: false })
        expect(outcome.scope).not.toContain('*')
        break
      case 'context':
        expect([outcome.error, outcome.patient]).toEqual([null, null])
        break
      case 'signature':
        expect([outcome.error, await isSigned(outcome.idToken)]).toEqual([null, false])
    }
  })
})

describe('a backend system', () => {
  const read = 'Group?_count=1'

  test('gets a token with its assertion, and the library reads with it', async () => {
    const { clientId, iss } = await start('backend', null)
    const { access_token: token } = await systemToken(clientId, iss)

    expect(await readWithFhirclient(iss, token, read)).toBe('Bundle')
  })

  test.each(launchFaultNames.filter((fault) => launchFaultRow(fault).kinds.includes('backend')))(
    'with %s fails as it is announced',
    async (fault) => {
      const { where, error } = launchFaultRow(fault)
      const started = await start('backend', fault)

      const answer = await systemToken(started.clientId, started.iss)

      if (where === 'token') expect(answer).toMatchObject({ error })
      else {
        expect(pauses).toEqual(where === 'late' ? [slowTokenMs] : [])
        expect(answer.scope).toBe(where === 'scope' ? 'system/Patient.rs' : scopes.backend)
        expect(await readWithFhirclient(started.iss, answer.access_token, `Patient?_id=${patientId}`)).toBe(
          'Bundle',
        )
      }
      // One use: the next request is answered as ever.
      expect(await systemToken(started.clientId, started.iss)).toMatchObject({ scope: scopes.backend })
    },
  )

  async function systemToken(clientId: string, iss: string) {
    const now = stack.services.clock()
    const assertion = await signAssertion({ key: systemKey, clientId, audience: `${iss}/token`, now })
    const answer = await fetch(`${iss}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        scope: scopes.backend,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: assertion,
      }),
    })
    return (await answer.json()) as { access_token: string; scope: string; error?: string }
  }
})

describe('a simulation', () => {
  test('is refused for what does not fit, and for who may not', async () => {
    const elsewhere = await smartSupport(stack.services).createOrganization()
    const patientApp = clients.get('patient')?.clientId ?? ''
    const base = {
      organizationId,
      kind: 'ehr',
      app: patientApp,
      signIn: 'at_once',
      patientId,
      practitionerId,
      encounterId: null,
      intent: null,
      needPatientBanner: true,
      fault: null,
    } as const
    const { launchLab } = stack.services

    await expect(launchLab.start(base, developer)).rejects.toMatchObject({ kind: 'validation', field: 'app' })
    await expect(launchLab.start({ ...base, app: 'nobody' }, developer)).rejects.toMatchObject({
      kind: 'not_found',
    })
    const portal = { ...base, kind: 'portal' } as const
    await expect(launchLab.start({ ...portal, patientId: 'nobody' }, developer)).rejects.toMatchObject({
      field: 'patient',
    })
    await expect(launchLab.start({ ...portal, encounterId: 'nobody' }, developer)).rejects.toMatchObject({
      field: 'encounter',
    })
    await expect(launchLab.start({ ...portal, intent: 'a b' }, developer)).rejects.toMatchObject({
      field: 'intent',
    })
    await expect(
      launchLab.start(
        { ...base, kind: 'backend', app: clients.get('backend')?.clientId ?? '', fault: 'wrong_state' },
        developer,
      ),
    ).rejects.toMatchObject({ field: 'fault' })
    await expect(launchLab.start(portal, elsewhere.developer)).rejects.toMatchObject({ kind: 'not_found' })
    const { id } = await launchLab.start(portal, developer)
    await expect(
      launchLab.get({ organizationId: elsewhere.organizationId, id }, elsewhere.developer),
    ).rejects.toMatchObject({ kind: 'not_found' })
  })

  test('is one of so many that an organization sets up in an hour', async () => {
    const { clock } = stack.services
    // As late as the next start is.
    const core = { ...stack.services.core, clock: () => new Date(clock().getTime() + 120_000) }
    const attempt = { rule: 'launchSimulation', subject: [organizationId] } as const
    await throttle.take(
      core,
      Array.from({ length: launchesPerHour }, () => attempt),
    )
    await expect(start('standalone-patient', null)).rejects.toMatchObject({
      kind: 'rate_limited',
      message: `An organization can start ${launchesPerHour} launches per hour.`,
    })
    stack.services.advance(3_600_000)
    await expect(start('standalone-clinician', null)).resolves.toHaveProperty('id')
  })

  const authorize = (iss: string, clientId: string, state: string) =>
    fetch(
      `${iss}/authorize?${new URLSearchParams({ response_type: 'code', client_id: clientId, redirect_uri: app.redirectUri, scope: scopes.patient, state, aud: iss, code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' })}`,
      { redirect: 'manual' },
    )

  test('is met whatever the app sends as its state', async () => {
    const { id, clientId, iss } = await start('standalone-patient', null)

    const answer = await authorize(iss, clientId, 'abc😀')

    const location = new URL(answer.headers.get('location') ?? '')
    expect([location.searchParams.get('state'), location.searchParams.has('code')]).toEqual(['abc😀', true])
    expect((await logOf(id)).steps.map(({ sent }) => sent.state)).toEqual(['abc\uFFFD…'])
  })

  test('of an app that opens by itself waits for a browser of where it was started', async () => {
    const own = clients.get('patient')?.clientId ?? ''
    const { id, clientId, iss } = await start('standalone-patient', null, own, '203.0.113.9')

    const answer = await authorize(iss, clientId, 's')

    expect(answer.headers.get('location')).toMatch(/\/authorize\/[\w-]{43,}$/)
    expect((await logOf(id)).open).toBe(true)
  })
})
