/** What the page of the logs loads besides itself: the stream of what comes, and the file. */
import type { AppLoadContext } from '@remix-run/server-runtime'
import { expect, test } from 'vitest'
import { loader as readFile } from '../../app/developers/files.route.ts'
import { loader as followLive } from '../../app/developers/logs/live-log.route.ts'
import { loader as readPage } from '../../app/developers/logs/logs.route.tsx'
import { createKeyOwners } from '../support/key-owners.ts'
import { restStack } from '../support/rest.ts'
import { createTeams, type Person } from '../support/team.ts'

const teams = createTeams(() => stack.services)
const { ownedKey } = createKeyOwners(() => stack, teams)

const stack = await restStack()

type Route = { keyId: string; slug: string; cookie: string }

/** A key, and its owner signed in. */
async function signedInOwner() {
  const owned = await ownedKey()
  const { slug } = await stack.services.prisma.organization.findUniqueOrThrow({
    where: { id: owned.organizationId },
  })
  return { ...owned, route: { keyId: owned.id, slug, cookie: await cookieOf(owned.owner) } }
}

async function cookieOf({ accountId }: Person): Promise<string> {
  const visit = { accountId, realm: 'developer' as const, ip: '203.0.113.9', userAgent: 'vitest' }
  return ((await stack.services.sessions.start(visit)).cookie.split(';')[0] ?? '').trim()
}

function argsOf({ keyId, slug, cookie }: Route, query = '', headers: Record<string, string> = {}) {
  const controller = new AbortController()
  const address = new URL(`https://portal.example/organizations/${slug}/logs${query}`)
  if (!address.searchParams.has('caller')) address.searchParams.set('caller', `key:${keyId}`)
  const request = new Request(address, {
    headers: { cookie, ...headers },
    signal: controller.signal,
  })
  const context = { services: stack.services, correlationId: 'c1' } as unknown as AppLoadContext
  return { request, params: { organization: slug }, context, leave: () => controller.abort() }
}

type Look = { routes: string[]; position: string; text: string }

/** Opens the stream, waits for its first look, and leaves. */
async function firstLook(route: Route, query: string, headers: Record<string, string> = {}): Promise<Look> {
  const { leave, ...args } = argsOf(route, query, headers)
  const answer = (await followLive(args)) as Response
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!/^id: .*\n\n/m.test(text)) text += (await reader?.read())?.value ?? ''
  leave()
  const routes = [...text.matchAll(/^data: (.*)$/gm)].map(([, event]) => JSON.parse(event ?? '').route)
  return { routes, position: /^id: (.*)$/m.exec(text)?.[1] ?? '', text }
}

/** The address of the stream, as the page that was loaded names it. */
async function loadPage(route: Route, query = ''): Promise<string> {
  const loaded = (await readPage(argsOf(route, query))) as { live: string }
  return loaded.live.slice(loaded.live.indexOf('?'))
}

const statusOf = async (work: Promise<unknown>) =>
  work.then(
    (answer) => (answer as Response).status,
    (thrown: { status?: number; init?: { status: number } }) => thrown.init?.status ?? thrown.status,
  )

test('a call between the page and its stream is followed, once, and none is lost when the stream breaks', async () => {
  const { key, route } = await signedInOwner()
  await stack.call('/context', { key })

  const live = await loadPage(route)
  await stack.call('/patients?q=Brightwater', { key })
  const first = await firstLook(route, live)
  await stack.call('/practitioners', { key })
  const back = await firstLook(route, live, { 'last-event-id': first.position })
  const again = await firstLook(route, live, { 'last-event-id': back.position })

  expect([first.routes, back.routes, again.routes]).toEqual([['/patients'], ['/practitioners'], []])
  expect(first.text).not.toContain('Brightwater')
  const opened = await firstLook(route, '')
  expect(opened.routes).toEqual([])
})

test('a stream keeps to the filters of its page', async () => {
  const { key, route } = await signedInOwner()
  const live = await loadPage(route, '?status=4xx&after=elsewhere')

  await stack.call('/context', { key })
  await stack.call('/patients?limit=0', { key })
  await stack.services.recorder.flush()

  expect((await firstLook(route, live)).routes).toEqual(['/patients'])
})

test('a stream is for members, from a position that is one, and four at a time', async () => {
  const { route, organizationId } = await signedInOwner()
  const stranger = await cookieOf(await teams.makePerson())
  const other = await signedInOwner()

  expect(await statusOf(followLive(argsOf({ ...route, cookie: '' })))).toBe(302)
  expect(await statusOf(followLive(argsOf({ ...route, cookie: stranger })))).toBe(404)
  expect(await statusOf(followLive(argsOf({ ...route, keyId: other.id })))).toBe(404)
  expect(await statusOf(followLive(argsOf(route, '?after=Now%20then')))).toBe(400)

  const viewer = { ...route, cookie: await cookieOf(await teams.addMember(organizationId, 'viewer')) }
  const streams = Array.from({ length: 5 }, () => argsOf(viewer))
  const answers = await Promise.all(streams.map((args) => statusOf(followLive(args))))
  expect(answers.sort()).toEqual([200, 200, 200, 200, 429])
  for (const { leave } of streams) leave()
  expect((await firstLook(viewer, '')).routes).toEqual([])
})

test('a stream ends at the beat after its reader has signed out', async () => {
  const { owner, route } = await signedInOwner()
  const { leave, ...args } = argsOf(route)
  const answer = (await followLive(args)) as Response
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!/^id: .*\n\n/m.test(text)) text += (await reader?.read())?.value ?? ''

  await stack.services.sessions.endOthers({ accountId: owner.accountId, keepSessionId: null })

  // One look may have been under way.
  let beats = 0
  while (!(await reader?.read())?.done && beats < 3) beats += 1
  leave()
  expect(beats).toBeLessThanOrEqual(1)
})

test('the file holds every call that fits, newest first, however many, and nothing that a spreadsheet calculates', async () => {
  const { key, route } = await signedInOwner()
  await stack.services.database.ownerPool.query(
    `INSERT INTO log.activity (at, door, environment, key_id, method, route, status, correlation_id, duration_ms)
     SELECT $2::timestamptz - n * interval '1 minute', 'rest', 'sandbox', $1, 'GET', '/old/' || n, 200,
       gen_random_uuid(), 1.26 FROM generate_series(1, 450) n`,
    [route.keyId, stack.services.clock()],
  )
  await stack.call('/patients?q=Brightwater&limit=0', { key, headers: { 'x-correlation-id': '-1.A1' } })
  await stack.services.recorder.flush()

  const answer = (await readFile(argsOf(route))) as Response
  const text = await answer.text()
  const lines = text.split('\r\n')

  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="log-${route.slug}.csv"`)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(lines[0]).toBe(
    'at,caller,method,route,status,refusal,ip,fromBrowser,durationMs,correlationId,clientCorrelationId,count',
  )
  expect(lines[1]).toMatch(
    /^2026-11-20T17:00:00\.000Z,[^,]+,GET,\/patients,400,The request was not valid: limit\.,192\.0\.2\.1,false,[\d.]+,[0-9a-f-]{36},"'-1\.A1",1$/,
  )
  expect(lines.slice(2, -1).map((line) => line.split(',')[3])).toEqual(
    Array.from({ length: 450 }, (_, index) => `/old/${index + 1}`),
  )
  expect(lines.at(-1)).toBe('')
  for (const secret of ['Brightwater', key.slice(12)]) expect(text).not.toContain(secret)

  const refused = (await readFile(argsOf(route, '?status=4xx'))) as Response
  expect((await refused.text()).split('\r\n')).toHaveLength(3)
  const stranger = await cookieOf(await teams.makePerson())
  expect(await statusOf(readFile(argsOf({ ...route, cookie: stranger })))).toBe(404)
})
