/** Launches without an account at the demonstration practice: what they give, how long, and to whom. */
import { describe, expect, test } from 'vitest'
import {
  formOfLink,
  linkQuery,
  openLaunchForm,
  openLaunchLimits,
} from '../../server/contract/lab/open-launch.ts'
import * as throttle from '../../server/domain/accounts/throttle.ts'
import { tasks } from '../../server/jobs/index.ts'
import { callback, createOpenBrowser, linkOf, openScope } from '../support/open-launch.ts'
import { challenge, demonstration, verifier } from '../support/smart.ts'
import { smartStack } from '../support/smart-http.ts'
import { kindOfProblem } from '../support/visitor.ts'

const minuteMs = 60_000

const openBrowser = () => createOpenBrowser(stack)

const stack = await smartStack()

describe('a launch without an account', () => {
  test('goes from the link to a refreshed token, and its log shows every step', async () => {
    const browser = openBrowser()
    const launched = await browser.launch()
    await stack.send(stack.at('.well-known/smart-configuration'), { ip: browser.ip })
    const back = await browser.consent(await browser.authorize(launched.clientId))
    const { body } = await browser.exchange(launched.clientId, back.searchParams.get('code'))
    const found = await browser.read('Patient/pt-wren-testwell', body.access_token)
    const missing = await browser.read('Patient/pt-juno-testwell', body.access_token)
    const again = await browser.refresh(launched.clientId, body.refresh_token)

    expect(launched.opened.origin + launched.opened.pathname).toBe('http://localhost:4100/launch')
    expect(Object.fromEntries(launched.opened.searchParams)).toEqual({
      theme: 'dark',
      iss: stack.services.addresses.fhirBase(demonstration),
    })
    expect(back.href).toContain(`${callback}?code=`)
    expect(body).toMatchObject({ patient: 'pt-wren-testwell', token_type: 'Bearer', expires_in: 3_600 })
    expect([found.status, again.status]).toEqual([200, 200])
    expect(missing.status).toBe(404)
    const { steps } = await browser.log(launched.id)
    expect(steps.map(({ step, ok }) => `${step} ${ok}`)).toEqual([
      'opened true',
      'discovery true',
      'authorize true',
      'consent true',
      'token true',
      'read true',
      'read false',
      'refresh true',
    ])
    expect(steps[5]?.sent.request).toContain('GET ')
    expect(steps[5]?.sent.request).toContain('/Patient/pt-wren-testwell')
    expect(steps[6]?.came.status).toBe('404')
    const text = JSON.stringify(steps)
    for (const secret of [body.access_token, body.refresh_token, body.id_token, verifier, challenge])
      expect(text).not.toContain(String(secret).slice(0, 12))
    expect(text).not.toContain(back.searchParams.get('code'))
  })

  test('from the EHR brings launch, patient and visit to a clinician’s app', async () => {
    const browser = openBrowser()
    const launched = await browser.complete({
      kind: 'ehr',
      encounter: 'latest',
      scope: `${openScope} user/*.rs`,
    })

    expect(launched.value).toMatch(/^spl_/)
    expect(launched.clientId).toMatch(/^open-clinician-/)
    expect(launched.token).toMatchObject({ patient: 'pt-wren-testwell', need_patient_banner: true })
    const visit = await browser.read(`Encounter/${launched.token.encounter}`, launched.token.access_token)
    expect(visit.body.subject.reference).toBe('Patient/pt-wren-testwell')
  })

  test('by a parent leaves the choice of the child to the consent page', async () => {
    const browser = openBrowser()
    const { clientId, id } = await browser.launch({ patient: 'pt-marlo-testwell' })
    const { prisma, clock } = stack.services
    const { accountId, practiceId } = await prisma.launchSimulation.findUniqueOrThrow({ where: { id } })
    await prisma.patientLogin.create({
      data: {
        practiceId,
        accountId: accountId ?? '',
        patientId: 'pt-juno-testwell',
        relationship: 'parent',
        createdAt: clock(),
      },
    })
    const back = await browser.consent(await browser.authorize(clientId), 'pt-juno-testwell')
    const { body } = await browser.exchange(clientId, back.searchParams.get('code'))

    expect(body.patient).toBe('pt-juno-testwell')
  })

  test('gives the same client id for the same redirect URIs, in any order', async () => {
    const idOf = async (change: Record<string, string>) =>
      (await stack.services.openLaunches.show(linkOf(change))).clientId
    const second = 'https://app.example/back'

    expect(await idOf({ redirect: `${callback}\n${second}` })).toBe(
      await idOf({ redirect: `${second} ${callback}` }),
    )
    expect(await idOf({ redirect: second })).not.toBe(await idOf({}))
    expect(await idOf({ kind: 'ehr' })).not.toBe(await idOf({}))
    expect(await idOf({ kind: 'portal' })).toBe(await idOf({}))
  })

  test('is a link that holds what was chosen and no secret, and reads back the same', async () => {
    const browser = openBrowser()
    const link = linkOf({
      kind: 'ehr',
      encounter: 'latest',
      redirect: `${callback} https://app.example/back`,
    })
    const query = linkQuery(link)
    const launched = await browser.launch({ kind: 'ehr' })

    expect(openLaunchForm.parse(formOfLink(new URLSearchParams(query.toString())))).toEqual(link)
    expect([...new Set(query.keys())]).toEqual([
      'kind',
      'url',
      'redirect',
      'patient',
      'clinician',
      'encounter',
      'scope',
    ])
    for (const secret of [launched.value, launched.id, browser.key()])
      expect(query.toString()).not.toContain(String(secret))
  })

  test('reading a link stores nothing', async () => {
    const redirect = 'https://never-launched.example/back'
    const { clientId } = await stack.services.openLaunches.show(linkOf({ redirect }))

    expect(await stack.services.prisma.client.count({ where: { id: clientId } })).toBe(0)
  })
})

describe('what the app gets ends', () => {
  test('after an hour: no refresh goes beyond it', async () => {
    const browser = openBrowser()
    const { clientId, token } = await browser.complete()
    stack.services.advance(59 * minuteMs)
    const within = await browser.refresh(clientId, token.refresh_token)
    stack.services.advance(2 * minuteMs)
    const beyond = await browser.refresh(clientId, within.body.refresh_token)

    expect(within.status).toBe(200)
    expect(beyond.status).toBe(400)
    expect(beyond.body.error).toBe('invalid_grant')
  })

  test('and everything it left is deleted by a job', async () => {
    const browser = openBrowser()
    const { id, clientId } = await browser.complete({
      redirect: `${callback} https://forgotten.example/back`,
    })
    const { prisma, clock } = stack.services
    const task = tasks.find(({ name }) => name === 'delete-ended')
    const run = () => task?.run(stack.services as never, undefined as never, { now: clock() } as never)
    const left = async () => [
      await prisma.launchSimulation.count({ where: { id } }),
      await prisma.grant.count({ where: { clientId } }),
      await prisma.client.count({ where: { id: clientId } }),
    ]
    await run()
    const before = await left()
    stack.services.advance(61 * minuteMs)
    await run()
    const anHourLater = await left()
    stack.services.advance(25 * 60 * minuteMs)
    await run()

    expect(before).toEqual([1, 1, 1])
    expect(anHourLater).toEqual([0, 1, 1])
    expect(await left()).toEqual([0, 0, 0])
  })
})

test('one network makes so many launches an hour, and no other network notices', async () => {
  const browser = openBrowser()
  const taken = { rule: 'openLaunch', subject: [throttle.networkOf(browser.ip)] } as const
  for (let at = 1; at < openLaunchLimits.networkPerHour; at += 1)
    await throttle.take(stack.services.core, [taken])
  await browser.launch()

  await expect(browser.launch()).rejects.toMatchObject({ kind: 'rate_limited', status: 429 })
  expect(await kindOfProblem(openBrowser().launch())).toBe('none')
  stack.services.advance(60 * minuteMs)
  expect(await kindOfProblem(browser.launch())).toBe('none')
})

describe('the person of a launch', () => {
  test('decides for the app of the launch only, in the browser of its request', async () => {
    const browser = openBrowser()
    const { clientId } = await browser.launch()
    const handle = stack.handleOf(await browser.authorize(clientId))
    const { client } = await stack.createClient({ scope: 'openid launch/patient patient/*.rs' })
    const registered = stack.handleOf(
      await stack.authorize({ client, scope: 'openid launch/patient patient/*.rs' }),
    )
    const { openLaunches } = stack.services
    const context = { ip: browser.ip, userAgent: 'test', correlationId: 'c' }

    expect(await openLaunches.findStandIn(registered, context)).toBeNull()
    expect(
      await kindOfProblem(openLaunches.findStandIn({ ...handle, cookieHeader: browser.key() }, context)),
    ).toBe('not_found')
    expect((await openLaunches.findStandIn(handle, context))?.name).toBe('Wren Testwell')
  })

  test('does not find these apps among those they allowed', async () => {
    const browser = openBrowser()
    const { clientId } = await browser.complete()
    const { prisma, grants } = stack.services
    const grant = await prisma.grant.findFirstOrThrow({ where: { clientId }, orderBy: { createdAt: 'desc' } })
    const listed = await grants.listForAccount(grant.accountId ?? '')

    expect(listed.map((app) => app.client.clientId)).not.toContain(clientId)
  })
})
