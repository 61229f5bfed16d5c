/** “Was this page helpful?”: through the server’s checks of every form, and what is stored of it. */
import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { action, loader } from '../../app/docs/feedback/feedback.route.tsx'
import { createApp } from '../../server/app.ts'
import { feedbackTextMax } from '../../server/contract/forms/docs-feedback.ts'
import type { PortalHandler } from '../../server/portal/portal-handler.ts'
import { operationsSupport } from '../support/operations.ts'
import { type TestServices, testServices } from '../support/services.ts'

/** The route's own loader and action behind the whole server, without the built pages. */
const portal: PortalHandler = async (request, context) => {
  const args = { request, context, params: {} }
  const answer = await (async () => (request.method === 'POST' ? action(args) : loader(args)))().catch(
    (thrown: unknown) => thrown,
  )
  if (answer instanceof Response) return answer
  const { data = answer, init } = answer as { data?: unknown; init?: ResponseInit }
  return new Response(JSON.stringify(data), init)
}

let services: TestServices
let app: ReturnType<typeof createApp>
let networks = 0

beforeAll(async () => {
  services = await testServices({ template: 'schema' })
  app = createApp(services, portal)
})

beforeEach(async () => {
  await services.prisma.docsFeedback.deleteMany()
})

const newAddress = () => `198.51.100.${++networks}`

async function send(
  fields: Record<string, string>,
  { ip = newAddress(), origin = 'https://portal.example' } = {},
) {
  const request = new Request('https://portal.example/docs/feedback', {
    method: 'POST',
    headers: { ...(origin && { origin }) },
    body: new URLSearchParams(fields),
  })
  const answer = await app.fetch(request, { incoming: { socket: { remoteAddress: ip } } })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

const stored = () => services.prisma.docsFeedback.findMany({ orderBy: [{ at: 'asc' }, { id: 'asc' }] })
const click = { page: '/docs/rest', answer: 'yes', edited: '2026-11-19' }
const comment = (text: string) => ({ ...click, answer: 'no', id: randomUUID(), text })

describe('one click', () => {
  test('is stored with the page, its day and the time, and leads to the comment', async () => {
    const { status, headers } = await send(click)

    expect(status).toBe(302)
    expect(headers.get('location')).toBe('/docs/feedback?page=%2Fdocs%2Frest&answer=yes&edited=2026-11-19')
    expect(headers.get('set-cookie')).toBeNull()
    expect(await stored()).toEqual([
      {
        id: expect.any(String),
        page: '/docs/rest',
        helpful: true,
        text: null,
        edited: '2026-11-19',
        at: services.clock(),
      },
    ])
  })

  test('twice is once, another page or another answer is another', async () => {
    const ip = newAddress()
    const answers = []
    for (const more of [{}, {}, { answer: 'no' }, { page: '/docs/fhir' }])
      answers.push(await send({ ...click, ...more }, { ip }))

    expect(answers.map(({ status }) => status)).toEqual([302, 302, 302, 302])
    expect(await stored()).toHaveLength(3)
    services.advance(61_000)
    await send(click, { ip })
    expect(await stored()).toHaveLength(4)
  })

  test('is bounded for each network, and others go on', async () => {
    const ip = newAddress()
    const visitor = { ip, userAgent: 'test', correlationId: randomUUID() }
    const answer = { page: '/docs/rest', helpful: true, edited: null }
    for (let i = 0; i < 60; i++) await services.docsFeedback.answer(answer, visitor)
    const refused = await send(click, { ip })

    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await send(click)).status).toBe(302)
  })

  test.each([
    ['another site', click, { origin: 'https://elsewhere.example' }, 403],
    ['no origin', click, { origin: '' }, 403],
    ['a page that does not exist', { ...click, page: '/docs/no-such-page' }, {}, 400],
    ['a page of the portal', { ...click, page: '/organizations' }, {}, 400],
    ['an address elsewhere', { ...click, page: '//elsewhere.example/docs' }, {}, 400],
    ['another answer', { ...click, answer: 'maybe' }, {}, 400],
    ['no answer', { page: '/docs/rest' }, {}, 400],
    ['no day', { ...click, edited: 'yesterday' }, {}, 400],
  ])('is refused with %s, and nothing is stored', async (_name, fields, options, status) => {
    expect((await send(fields as Record<string, string>, options)).status).toBe(status)
    expect(await stored()).toEqual([])
  })
})

describe('a comment', () => {
  const unicode = 'Où est l’exemple ? 例えば 🐦‍⬛ — ‮txet‬\nSecond line.'

  test('is stored as it was written, once, apart from the click', async () => {
    const ip = newAddress()
    await send({ ...click, answer: 'no' }, { ip })
    const written = comment(`  ${unicode}  `)
    const [first, again] = [await send(written, { ip }), await send(written, { ip })]

    expect([first.status, again.status]).toEqual([302, 302])
    expect(first.headers.get('location')).toMatch(/&sent=1$/)
    expect((await stored()).map(({ text, helpful }) => [text, helpful]).toSorted()).toEqual(
      [
        [null, false],
        [unicode, false],
      ].toSorted(),
    )
  })

  test.each([
    ['nothing', ''],
    ['spaces', '   \n '],
    ['more than fits', '🐦'.repeat(feedbackTextMax + 1)],
    ['a secret', `My key svc_t${'A'.repeat(46)} gets a 401.`],
    ['the value of a secret', 'Our client secret is Kx7pQ9vTz2Lm4 and it fails.'],
    ['a patient’s details', 'It fails for DOB: 1958-03-14, MRN: 0044812.'],
  ])('with %s is refused, and nothing is stored', async (_name, text) => {
    expect((await send(comment(text))).status).toBe(400)
    expect(await stored()).toEqual([])
  })

  test('may be as long as it says, in characters', async () => {
    expect((await send(comment('🐦'.repeat(feedbackTextMax)))).status).toBe(302)
    expect(await stored()).toHaveLength(1)
  })

  test('is bounded for each network', async () => {
    const ip = newAddress()
    const answers = []
    for (let i = 0; i < 11; i++) answers.push((await send(comment(`Comment ${i}`), { ip })).status)

    expect(answers).toEqual([...Array(10).fill(302), 429])
  })
})

describe('the page of operations', () => {
  test('counts answers by page, lists comments, and is for operations alone', async () => {
    const { ops, staff } = await operationsSupport(services)
    const reviewer = await staff('reviewer')
    await send(click)
    await send({ ...click, answer: 'no' })
    await send({ ...click, answer: 'no' })
    await send({ ...click, page: '/docs/fhir' })
    await send(comment('No sample of a search by date.'))

    const { pages, texts } = await services.docsFeedback.list({}, ops)
    expect(pages).toEqual([
      { page: '/docs/rest', yes: 1, no: 2 },
      { page: '/docs/fhir', yes: 1, no: 0 },
    ])
    expect(texts.rows.map(({ text, page }) => [text, page])).toEqual([
      ['No sample of a search by date.', '/docs/rest'],
    ])
    await expect(services.docsFeedback.list({}, reviewer)).rejects.toMatchObject({
      kind: 'forbidden',
    })
  })
})

test('nothing of the reader is stored: no address, no account, no browser', async () => {
  await send(click, { ip: '198.51.100.250' })
  const { rows } = await services.database.ownerPool.query(
    "SELECT column_name FROM information_schema.columns WHERE table_name = 'docs_feedback' ORDER BY 1",
  )
  const text = JSON.stringify(await stored())

  expect(rows.map(({ column_name }) => column_name)).toEqual([
    'at',
    'edited',
    'helpful',
    'id',
    'page',
    'text',
  ])
  expect(text).not.toContain('198.51')
})
