/** Discovery, authorize and the token answer, as conformance suites ask for them. */
import { randomBytes, randomUUID } from 'node:crypto'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { paths } from '../../server/contract/portal/paths.ts'
import { readScopes } from '../../server/contract/smart/scopes.ts'
import type { Actor } from '../../server/domain/actor.ts'
import { demonstration, redirectUri } from '../support/smart.ts'
import type { SmartAnswer } from '../support/smart-http.ts'
import { personStack, standalone } from '../support/smart-person.ts'

const { stack, practiceId, wren, client, launch, isGood, redeem } = await personStack()

describe('discovery', () => {
  test('names every address, method and capability, without a token, to any origin', async () => {
    const answer = await stack.send(stack.at('.well-known/smart-configuration'))

    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    // SMART's own bulk client hangs on a response that may be cached.
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const base = `https://portal.example/r4/${demonstration}`
    expect(answer.body).toMatchObject({
      issuer: base,
      jwks_uri: `${base}/.well-known/jwks.json`,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
      introspection_endpoint: `${base}/introspect`,
      revocation_endpoint: `${base}/revoke`,
      management_endpoint: `https://portal.example${paths.patientApps}`,
      grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_signing_alg_values_supported: ['RS384', 'ES384'],
    })
    expect(answer.body.token_endpoint_auth_methods_supported).toEqual(
      expect.arrayContaining(['client_secret_basic', 'private_key_jwt']),
    )
    expect(answer.body.capabilities).toEqual(
      expect.arrayContaining(
        'launch-standalone client-public client-confidential-symmetric client-confidential-asymmetric sso-openid-connect context-standalone-patient permission-offline permission-patient authorize-post permission-v2 permission-v1 launch-ehr context-banner context-style context-ehr-patient context-ehr-encounter permission-user'.split(
          ' ',
        ),
      ),
    )
  })

  test('answers also where FHIR is not enabled or the practice is suspended, and nowhere else', async () => {
    const status = async (slug: string) =>
      (await stack.send(stack.at('.well-known/smart-configuration', slug))).status

    expect([await status('cedar-hollow'), await status('old-quay'), await status('no-such')]).toEqual([
      200, 200, 404,
    ])
  })

  test('of OpenID stands at the issuer, with keys that hold nothing secret', async () => {
    const { body, headers } = await stack.send(stack.at('.well-known/openid-configuration'))
    const jwks = await stack.send(body.jwks_uri)

    expect(headers.get('cache-control')).toBe('no-store')
    expect(jwks.headers.get('cache-control')).toBe('public, max-age=3600')
    expect(body).toMatchObject({
      issuer: stack.services.addresses.fhirBase(demonstration),
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    })
    expect(jwks.body.keys).toHaveLength(2)
    for (const key of jwks.body.keys)
      expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
  })
})

describe('the authorize address', () => {
  test.each(['GET', 'POST'] as const)(
    'takes a request by %s and sends the person to our page',
    async (method) => {
      const answer = await stack.authorize({ client, scope: standalone, method })

      expect(answer.status).toBe(303)
      expect(answer.headers.get('location')).toMatch(/^https:\/\/portal\.example\/authorize\/[\w-]{43,}$/)
      expect(answer.headers.get('set-cookie')).toMatch(
        /^__Host-sandpiper-authorize=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      )
    },
  )

  test('sets one cookie for all requests of a browser, each of which it can decide', async () => {
    const first = await stack.authorize({ client, scope: standalone })
    const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? ''
    const second = await stack.authorize({ client, scope: standalone, cookie })

    expect(second.headers.get('set-cookie')).toContain(`${cookie};`)
    for (const answer of [first, second])
      expect(
        (await stack.decide(answer, wren, { patientId: 'pt-wren-testwell' })).searchParams.get('code'),
      ).toMatch(/^spc_/)
  })

  test('sends back a code, the state as it came, and the issuer', async () => {
    const back = await stack.decide(await stack.authorize({ client, scope: standalone }), wren, {
      patientId: 'pt-wren-testwell',
    })

    expect(back.href.startsWith(`${redirectUri}?`)).toBe(true)
    expect(back.searchParams.get('state')).toBe('a state, with spaces & signs')
    expect(back.searchParams.get('iss')).toBe(stack.services.addresses.fhirBase(demonstration))
    expect(back.searchParams.get('code')).toMatch(/^spc_[\w-]{43}$/)
  })

  test('is decided once, by the browser that asked, within ten minutes', async () => {
    const answer = await stack.authorize({ client, scope: standalone })
    const handle = stack.handleOf(answer)
    const { authorizations } = stack.services
    const kind = (work: Promise<unknown>) =>
      work.then(
        () => 'done',
        (problem) => problem.kind,
      )

    expect(await kind(authorizations.get({ ...handle, cookieHeader: null }))).toBe('not_found')
    expect(await kind(authorizations.get({ ...handle, id: randomUUID() }))).toBe('not_found')
    const changed = `${handle.id.slice(0, 60)}${handle.id[60] === 'A' ? 'B' : 'A'}${handle.id.slice(61)}`
    expect(await kind(authorizations.get({ ...handle, id: changed }))).toBe('not_found')
    expect(await kind(authorizations.get({ ...handle, id: 'A'.repeat(100_000) }))).toBe('not_found')
    expect(await kind(authorizations.deny({ ...handle, cookieHeader: 'x=y' }, wren))).toBe('not_found')
    const twice = await Promise.all([1, 2].map(() => kind(authorizations.deny(handle, wren))))
    expect(twice.sort()).toEqual(['done', 'not_found'])
    expect(await kind(authorizations.get(handle))).toBe('not_found')
    const late = stack.handleOf(await stack.authorize({ client, scope: standalone }))
    stack.services.advance(600_000)
    expect(await kind(authorizations.get(late))).toBe('not_found')
  })

  test('is agreed to once, however often and however fast it is sent', async () => {
    const answer = await stack.authorize({ client, scope: standalone })
    const agree = () =>
      stack.decide(answer, wren, { patientId: 'pt-wren-testwell' }).then(
        () => 'done',
        (problem) => problem.kind,
      )

    const outcomes = await Promise.all([agree(), agree(), agree()])

    expect(outcomes.sort()).toEqual(['done', 'not_found', 'not_found'])
  })

  test('costs no storage until a person who signed in has decided', async () => {
    const { prisma } = stack.services
    const rows = async () => [await prisma.authorizationRequest.count(), await prisma.auditEvent.count()]
    const before = await rows()
    const change = { state: 's'.repeat(2_048), nonce: 'n'.repeat(2_048) }

    const answers = [
      await stack.authorize({ client, scope: standalone, change }),
      await stack.authorize({ client, scope: standalone, change, method: 'POST' }),
      await stack.authorize({ client, scope: standalone, change: { aud: 'x' } }),
    ]
    const { redirectTo } = await stack.services.authorizations.deny(
      stack.handleOf(answers[0] as SmartAnswer),
      null,
    )

    expect(answers.map(({ status }) => status)).toEqual([303, 303, 400])
    expect(new URL(redirectTo).searchParams.get('error')).toBe('access_denied')
    expect(await rows()).toEqual(before)
    await stack.decide(answers[1] as SmartAnswer, wren, { patientId: 'pt-wren-testwell' })
    expect((await rows())[0]).toBe((before[0] ?? 0) + 1)
  })

  test('gives back a state of 2,048 bytes as it came, and refuses one byte more', async () => {
    // Nothing of it can be compressed, and every character takes four bytes.
    const state = randomBytes(1_536).toString('base64url')
    const back = await stack.decide(
      await stack.authorize({ client, scope: standalone, change: { state } }),
      wren,
      { patientId: 'pt-wren-testwell' },
    )
    const tooLong = [{ state: `${state}x` }, { nonce: `${state}x` }, { state: '😀'.repeat(513) }]

    expect(back.searchParams.get('state')).toBe(state)
    for (const change of tooLong) {
      const answer = await stack.authorize({ client, scope: standalone, change })
      expect([answer.status, answer.headers.get('location'), stack.linkBackOf(answer)]).toEqual([
        400,
        null,
        null,
      ])
      expect(answer.text).toContain('state and nonce are limited to 2048 bytes each.')
    }
  })

  test('is decided by nobody of another practice or realm, and for nobody else’s record', async () => {
    const harbor = await stack.services.prisma.practice.findUniqueOrThrow({
      where: { slug: 'harbor-family' },
    })
    const strangers = [
      await stack.createPatientPerson(harbor.id, 'pt-wren-testwell'),
      await stack.createClinician(practiceId, 'pr-ines-placeholder'),
    ]
    const answer = await stack.authorize({ client, scope: standalone })
    const kindOf = (actor: Actor, patientId: string) =>
      stack.decide(answer, actor, { patientId }).then(
        () => 'done',
        (problem) => problem.kind,
      )

    for (const stranger of strangers) {
      expect(await kindOf(stranger, 'pt-wren-testwell')).toBe('forbidden')
      expect(await stack.services.authorizations.people(stack.handleOf(answer), stranger)).toEqual([])
    }
    expect(await kindOf(wren, 'pt-marlo-testwell')).toBe('validation')
    expect(await kindOf(wren, 'pt-wren-testwell')).toBe('done')
  })

  test('tells the app when the person says no', async () => {
    const answer = await stack.authorize({ client, scope: standalone })
    const { redirectTo } = await stack.services.authorizations.deny(stack.handleOf(answer), wren)

    const back = new URL(redirectTo)
    expect(back.searchParams.get('error')).toBe('access_denied')
    expect(back.searchParams.get('state')).toBe('a state, with spaces & signs')
  })
})

describe('the token answer', () => {
  test('has the fields, the scopes and the headers that were promised', async () => {
    const answer = await launch()

    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toContain('no-store')
    expect(answer.headers.get('pragma')).toContain('no-cache')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.body).toMatchObject({
      access_token: expect.stringMatching(/^spa_/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^spr_/),
      id_token: expect.any(String),
      patient: 'pt-wren-testwell',
    })
    expect(answer.body).not.toHaveProperty('need_patient_banner')
    expect(new Set(answer.body.scope.split(' '))).toEqual(new Set(standalone.split(' ')))
    expect(await isGood(answer.body.access_token)).toBe(true)
  })

  test('answers version 1 scopes in version 1, wildcards as wildcards', async () => {
    const { body } = await launch('openid fhirUser launch/patient offline_access patient/*.read')

    expect(body.scope.split(' ')).toContain('patient/*.read')
  })

  test('holds what the person left ticked, and nothing besides', async () => {
    const answer = await stack.authorize({ client, scope: standalone })
    const scopes = readScopes(
      'launch/patient patient/Patient.rs patient/Condition.rs?category=problem-list-item patient/Group.rs'.replace(
        ' patient/Group.rs',
        '',
      ),
    )
    const back = await stack.decide(answer, wren, {
      patientId: 'pt-wren-testwell',
      scopes,
      offlineAccess: false,
    })
    const code = back.searchParams.get('code') ?? ''
    const { body } = await redeem(code)

    expect(body.scope).toBe(
      'launch/patient patient/Patient.rs patient/Condition.rs?category=problem-list-item',
    )
    expect(body).not.toHaveProperty('refresh_token')
    expect(body).not.toHaveProperty('id_token')
  })

  test('brings an id_token that the published keys verify', async () => {
    const before = await launch()
    const signedAt = stack.services.clock()
    stack.services.advance(24 * 3_600_000)
    const rotated = await stack.services.signingKeys.rotate()
    const { body } = await launch()
    const { body: published } = await stack.send(stack.at('.well-known/jwks.json'))
    const keys = createLocalJWKSet(published)
    const options = { currentDate: stack.services.clock(), algorithms: ['RS256'] }

    const { payload, protectedHeader } = await jwtVerify(body.id_token, keys, options)

    const base = stack.services.addresses.fhirBase(demonstration)
    expect(protectedHeader).toMatchObject({ alg: 'RS256', kid: rotated.current })
    expect(payload).toMatchObject({
      iss: base,
      aud: client.clientId,
      sub: wren.accountId,
      fhirUser: `${base}/Patient/pt-wren-testwell`,
    })
    expect(payload.exp).toBeGreaterThan(payload.iat ?? 0)
    // Signed before the rotation, good after it.
    const then = { ...options, currentDate: signedAt }
    await expect(jwtVerify(before.body.id_token, keys, then)).resolves.toBeDefined()
    expect(published.keys.map(({ kid }: { kid: string }) => kid)).toContain(rotated.next)
  })
})
