/** Traces as a collector gets them: what stands in one, who may add to it, and that nobody can be found in it. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { createApp } from '../../server/app.ts'
import { tasks } from '../../server/jobs/index.ts'
import { handlerOf } from '../../server/jobs/runner.ts'
import { startTracing, type Tracing } from '../../server/tracing/start-tracing.ts'
import { restStack } from '../support/rest.ts'

type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: Record<string, unknown> }[]
  status: { code?: number }
}

const received: Span[] = []
const bodies: string[] = []

/** https://opentelemetry.io/docs/specs/otlp/#otlphttp-request */
const stack = await restStack()
const app = createApp(stack.services)
const collector = createServer(async (request, response) => {
  const body = (await request.toArray()).join('')
  bodies.push(body)
  const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
  received.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)))
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
}).listen(0, '127.0.0.1')
await once(collector, 'listening')

afterAll(() => void collector.close())

async function traced(work: () => Promise<unknown>, share = 1): Promise<Span[]> {
  received.length = 0
  const { port } = collector.address() as AddressInfo
  const tracing: Tracing = startTracing({
    endpoint: `http://127.0.0.1:${port}/`,
    serviceVersion: '0.0.0',
    share,
  })
  try {
    await work()
  } finally {
    await tracing.close()
  }
  return [...received]
}

const ask = async (path: string, headers: Record<string, string>) =>
  app.fetch(new Request(`https://portal.example/sandbox/api/v1${path}`, { headers }), {
    incoming: { socket: { remoteAddress: '192.0.2.7' } },
  })

const callers = { trace: '4bf92f3577b34da6a3ce929d0e0e4736', span: '00f067aa0ba902b7' }
const traceparent = `00-${callers.trace}-${callers.span}-01`

test('a request continues the caller’s trace, and its statements stand in it', async () => {
  const { key } = await stack.issueKey()
  let correlationId: string | null = null

  const spans = await traced(async () => {
    const response = await ask('/patients/pt-wren-testwell', { authorization: `Bearer ${key}`, traceparent })
    expect(response.status).toBe(200)
    correlationId = response.headers.get('x-correlation-id')
  })

  const request = spans.find(({ name }) => name === 'GET /patients/{id}')
  expect(request).toMatchObject({ traceId: callers.trace, parentSpanId: callers.span })
  expect(
    Object.fromEntries(
      request?.attributes.map(({ key: name, value }) => [name, Object.values(value)[0]]) ?? [],
    ),
  ).toEqual({
    'http.request.method': 'GET',
    'http.route': '/patients/{id}',
    'http.response.status_code': 200,
    'sandpiper.correlation_id': correlationId,
  })
  const statements = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId)
  expect(statements.length).toBeGreaterThan(0)
  for (const { traceId } of statements) expect(traceId).toBe(callers.trace)
})

test('nothing in it tells whose request it was, also when it fails', async () => {
  const { key, prefix, practiceId } = await stack.issueKey()
  bodies.length = 0

  await traced(async () => {
    const authorization = `Bearer ${key}`
    await ask('/patients/pt-wren-testwell', { authorization })
    await ask('/patients?mrn=SYN-004217&q=Testwell', { authorization })
    await ask('/patients/pt-nobody-here', { authorization })
    await ask('/patients', { authorization: 'Bearer svc_wrong' })
  })

  const sent = bodies.join('').toLowerCase()
  expect(sent).toContain('/patients/{id}')
  for (const secret of [
    key,
    prefix,
    practiceId,
    'wren',
    'testwell',
    'syn-004217',
    'pt-nobody',
    '192.0.2',
    'svc_wrong',
  ])
    expect(sent.includes(secret.toLowerCase()), secret).toBe(false)
})

test('a caller does not decide how much is sent, and one who asks for no trace is in none', async () => {
  const { key } = await stack.issueKey()
  const authorization = `Bearer ${key}`
  const sampled = () => ask('/patients/pt-wren-testwell', { authorization, traceparent })

  expect(await traced(sampled, 0)).toEqual([])
  const not = () =>
    ask('/patients/pt-wren-testwell', { authorization, traceparent: traceparent.replace(/01$/, '00') })
  expect(await traced(not)).toEqual([])
})

test('a traceparent that is none begins a trace of ours', async () => {
  const { key } = await stack.issueKey()
  const spans = await traced(() =>
    ask('/patients/pt-wren-testwell', {
      authorization: `Bearer ${key}`,
      traceparent: `00-${'0'.repeat(32)}-x-01`,
    }),
  )

  const request = spans.find(({ name }) => name === 'GET /patients/{id}')
  expect(request?.parentSpanId ?? '').toBe('')
  expect(request?.traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/)
})

test('a job stands in the trace of the request that asked for it, and gets its own payload only', async () => {
  const { services } = stack
  const task = tasks.find(({ name }) => name === 'send-mail')
  if (task === undefined) throw new Error('there is no task send-mail')
  const payload = { id: '0194e3a1-0000-7000-8000-000000000001', traceparent }

  const spans = await traced(async () => {
    await handlerOf(task, services)?.(payload, { job: { locked_by: 'a', attempts: 1 } } as never)
  })

  expect(spans.find(({ name }) => name === 'send-mail')).toMatchObject({
    traceId: callers.trace,
    parentSpanId: callers.span,
  })
})

test('what a request adds to the queue names its trace, and without tracing nothing', async () => {
  const { services } = stack
  const add = () =>
    services.prisma.$transaction((tx) => services.jobs.add(tx, 'clean-up', {}, { jobKey: 'traced' }))
  const payload = async () => {
    const { rows } = await services.database.ownerPool.query(
      `SELECT payload FROM graphile_worker._private_jobs WHERE key = 'traced'`,
    )
    return rows[0]?.payload as object
  }
  await add()
  expect(await payload()).toEqual({})

  const { withSpan } = await import('../../server/tracing/spans.ts')
  await traced(() => withSpan('a request', { kind: 'SERVER', parent: traceparent }, add))

  expect(await payload()).toEqual({ traceparent: expect.stringContaining(callers.trace) })
})
