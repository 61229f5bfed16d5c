/** Launches without an account: what is refused, and who sees why. */
import { describe, expect, test } from 'vitest'
import { formOfLink, linkQuery, openLaunchForm } from '../../server/contract/lab/open-launch.ts'
import type { OAuthRefusal } from '../../server/contract/smart/oauth-errors.ts'
import { callback, createOpenBrowser, linkOf, type OpenBrowser, openScope } from '../support/open-launch.ts'
import { demonstration, verifier } from '../support/smart.ts'
import { smartStack } from '../support/smart-http.ts'
import { kindOfProblem } from '../support/visitor.ts'

const minuteMs = 60_000

const openBrowser = () => createOpenBrowser(stack)

const stack = await smartStack()

describe('the app of a launch is refused', () => {
  const isRefused = (answer: { status: number; headers: Headers; text: string }) => {
    expect(answer.status).toBe(400)
    expect(answer.headers.get('location')).toBeNull()
    expect(answer.text).toContain('This app is not registered')
  }

  test('without a launch: in another browser, a second time, and after ten minutes', async () => {
    const browser = openBrowser()
    const { clientId } = await browser.launch()
    isRefused(await openBrowser().authorize(clientId))

    expect((await browser.authorize(clientId)).status).toBe(303)
    isRefused(await browser.authorize(clientId))

    await browser.launch()
    stack.services.advance(11 * minuteMs)
    isRefused(await browser.authorize(clientId))
  })

  test('with a launch value that was used before, or is of another app', async () => {
    const browser = openBrowser()
    const { clientId, value } = await browser.launch({ kind: 'ehr' })
    const other = await browser.launch({ kind: 'ehr', redirect: `${callback} https://other.example/back` })
    const asked = { scope: `${openScope} user/*.rs`, launch: value ?? '' }
    isRefused(await browser.authorize(other.clientId, asked))

    expect((await browser.authorize(clientId, asked)).status).toBe(303)
    isRefused(await browser.authorize(clientId, asked))
  })

  test('at every other practice, with its client id and with its token', async () => {
    const browser = openBrowser()
    const { clientId, token } = await browser.complete()
    const { practices } = await otherPractices()
    for (const { slug, environment } of practices) {
      const answer = await browser.authorize(clientId, {}, slug)
      expect(answer.status, slug).toBeGreaterThanOrEqual(400)
      expect(answer.text).toContain(
        environment === 'sandbox' ? 'not enabled at this practice' : 'Client authentication failed',
      )
      expect((await browser.read('Patient/pt-wren-testwell', token.access_token, slug)).status).toBe(403)
    }
  })

  const otherPractices = async () => ({
    practices: await stack.services.prisma.practice.findMany({
      where: { slug: { not: demonstration }, state: 'active', fhirEnabled: true },
      select: { slug: true, environment: true },
    }),
  })

  test('with a redirect URI that is not in the link, which nothing links to', async () => {
    const browser = openBrowser()
    const { clientId } = await browser.launch()
    const answer = await browser.authorize(clientId, { redirect_uri: 'https://elsewhere.example/back' })

    expect(answer.status).toBe(400)
    expect(answer.text).toContain('redirect_uri is not registered')
    expect(answer.text).not.toContain('elsewhere.example')
  })

  test('without PKCE', async () => {
    const browser = openBrowser()
    const { clientId } = await browser.launch()
    const answer = await browser.authorize(clientId, { code_challenge_method: 'plain' })

    expect(answer.text).toContain('PKCE is required')
  })

  test('scopes beyond those of the link are left out', async () => {
    const browser = openBrowser()
    const narrow = 'openid launch/patient patient/Observation.rs'
    const { clientId } = await browser.launch({ scope: narrow })
    const back = await browser.consent(await browser.authorize(clientId))
    const { body } = await browser.exchange(clientId, back.searchParams.get('code'))
    const { clientId: second } = await browser.launch({ scope: 'patient/Observation.rs' })
    const nothing = await browser.authorize(second, { scope: 'patient/Condition.rs' })

    expect(body.scope.split(' ').sort()).toEqual(narrow.split(' ').sort())
    expect(body.refresh_token).toBeUndefined()
    expect(nothing.status).toBe(400)
    expect(nothing.text).toContain('invalid_scope')
  })
})

describe('a link is refused', () => {
  test.each([
    ['system scopes', { scope: 'system/*.rs' }, 'backend systems'],
    ['a scope that there is not', { scope: 'patient/Weather.rs' }, 'patient/Weather.rs'],
    ['online_access', { scope: 'openid online_access patient/*.rs' }, 'online_access'],
    ['somebody who is not a standing person', { patient: 'pt-nobody' }, 'Choose a patient'],
    ['a kind that nobody launches', { kind: 'backend' }, 'Choose a launch'],
    ['a URL that is too long', { url: `https://app.example/${'x'.repeat(500)}` }, '500 characters'],
    [
      'too many redirect URIs',
      { redirect: Array.from({ length: 6 }, (_, at) => `https://a.example/${at}`).join(' ') },
      'at most 5',
    ],
  ])('by its form: %s', (_, change, reason) => {
    const read = openLaunchForm.safeParse({ ...formOfLink(linkQuery(linkOf())), ...change })

    expect(JSON.stringify(read.error?.issues)).toContain(reason)
  })

  test.each([
    ['url', 'https://10.1.2.3/launch', 'private network'],
    ['url', 'javascript:alert(1)', 'https'],
    ['redirect', 'https://metadata.google.internal/back', 'private network'],
    ['redirect', 'http://app.example/back', 'https'],
  ])('for its address: %s %s', async (field, address, reason) => {
    const { openLaunches } = stack.services
    const link = linkOf({ [field]: address })
    const shown = openLaunches.show(link)
    await expect(shown).rejects.toMatchObject({ kind: 'validation', field })
    await expect(shown).rejects.toThrow(reason)
    expect(await kindOfProblem(openLaunches.start(link, { ip: '203.0.113.250', cookieHeader: null }))).toBe(
      'validation',
    )
  })

  test('for a visit of somebody else', async () => {
    const browser = openBrowser()
    const visit = await stack.services.openLaunches
      .start(linkOf({ kind: 'ehr', encounter: 'latest', patient: 'pt-cal-notareal' }), {
        ip: browser.ip,
        cookieHeader: null,
      })
      .then(({ cookie, id }) => stack.services.openLaunches.getLog(id, cookie.split(';')[0] ?? ''))
    const encounter = visit.steps[0]?.came.encounter ?? ''

    expect(encounter).not.toBe('')
    expect(await kindOfProblem(browser.launch({ kind: 'ehr', encounter }))).toBe('validation')
    expect(await kindOfProblem(browser.launch({ kind: 'ehr', encounter, patient: 'pt-cal-notareal' }))).toBe(
      'none',
    )
  })
})

describe('the inspector', () => {
  test('is for the browser that launched, for an hour', async () => {
    const browser = openBrowser()
    const { id } = await browser.launch()
    const other = openBrowser()
    await other.launch()
    const { openLaunches } = stack.services

    expect((await browser.log(id)).steps).toHaveLength(1)
    expect((await openLaunches.listLog(browser.key())).map((each) => each.id)).toEqual([id])
    for (const key of [other.key(), null, 'sandpiper-launch=', `sandpiper-launch=${'A'.repeat(43)}`])
      expect(await kindOfProblem(openLaunches.getLog(id, key))).toBe('not_found')
    stack.services.advance(61 * minuteMs)
    expect(await kindOfProblem(browser.log(id))).toBe('not_found')
    expect(await openLaunches.listLog(browser.key())).toEqual([])
  })

  type Browser = OpenBrowser
  type Launched = Awaited<ReturnType<Browser['launch']>>
  const withCode = async (browser: Browser, { clientId }: Launched) =>
    (await browser.consent(await browser.authorize(clientId))).searchParams.get('code')

  test.each<[string, OAuthRefusal, (browser: Browser, launched: Launched) => Promise<unknown>]>([
    ['another client_id', 'client_unknown', (browser) => browser.authorize('my-app')],
    [
      'no aud',
      'aud_wrong',
      (browser, { clientId }) => browser.authorize(clientId, { aud: 'https://a.example' }),
    ],
    [
      'another redirect URI',
      'redirect_unknown',
      (browser, { clientId }) => browser.authorize(clientId, { redirect_uri: 'https://b.example/' }),
    ],
    [
      'a verifier that does not fit',
      'verifier_wrong',
      async (browser, launched) =>
        browser.exchange(launched.clientId, await withCode(browser, launched), {
          code_verifier: `${verifier}-other`,
        }),
    ],
    [
      'a secret that no public app has',
      'secret_in_body',
      async (browser, launched) =>
        browser.exchange(launched.clientId, await withCode(browser, launched), { client_secret: 'a-secret' }),
    ],
  ])('says what was wrong: %s', async (_, refusal, go) => {
    const browser = openBrowser()
    const launched = await browser.launch()
    await go(browser, launched)
    const { steps } = await browser.log(launched.id)

    expect(steps.at(-1)).toMatchObject({ ok: false, refusal })
    expect(steps.at(-1)?.note).toBeTruthy()
    expect(JSON.stringify(steps)).not.toContain('a-secret')
  })
})
