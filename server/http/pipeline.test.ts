import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { Problem } from '../contract/http/problems.ts'
import type { Edge, EdgeEnv } from './edge.ts'
import { type Api, createApi, type PipelineCall } from './pipeline.ts'

type Call = PipelineCall & { taken: string[] }

/** One request to an API of three steps; what happened, in its order. */
async function ask(over: Partial<Api<Call, string>>) {
  const taken: string[] = []
  const errors: unknown[] = []
  const serve = createApi<Call, string>({
    steps: [
      ['first', (call) => void call.taken.push('first')],
      ['second', async (call) => void call.taken.push('second')],
    ],
    handle: async (call) => {
      call.taken.push('handle')
      return 'answer'
    },
    record: async (call) => void call.taken.push('record'),
    respond: (call, answer) => {
      call.taken.push('respond')
      return new Response(answer)
    },
    recordRefusal: (call, problem) => void call.taken.push(`refused ${problem.kind}`),
    refuse: (_, problem) => new Response(problem.kind, { status: problem.status }),
    ...over,
  })
  const app = new Hono<EdgeEnv>()
  app.all('*', async (c) => {
    const edge = { correlationId: 'c', shed: null } as Edge
    const response = await serve(c, { edge, fault: null, taken })
    errors.push(c.error)
    return response
  })
  const response = await app.request('/')
  return { status: response.status, text: await response.text(), taken, error: errors[0] }
}

test('takes its steps one after the other, and records an answer before it leaves', async () => {
  expect(await ask({})).toMatchObject({
    status: 200,
    text: 'answer',
    taken: ['first', 'second', 'handle', 'record', 'respond'],
  })
})

test('a step that answers ends the request, and nothing more is recorded of it', async () => {
  const found = await ask({
    steps: [
      ['open', () => undefined],
      ['public', async () => new Response('public')],
      ['never', () => expect.unreachable()],
    ],
  })
  expect(found).toMatchObject({ status: 200, text: 'public', taken: [] })
})

test('a step that refuses ends the request; its refusal is recorded and leaves in the words of the interface', async () => {
  const found = await ask({
    steps: [
      [
        'token',
        () => {
          throw new Problem('unauthorized')
        },
      ],
    ],
  })
  expect(found).toMatchObject({ status: 401, text: 'unauthorized', taken: ['refused unauthorized'] })
  expect(found.error).toBeUndefined()
})

test('what is told in the end is what the settled refusal says', async () => {
  const found = await ask({
    handle: async () => {
      throw new Problem('not_found')
    },
    settle: async () => new Problem('unauthorized'),
  })
  expect(found).toMatchObject({ status: 401, taken: ['first', 'second', 'refused unauthorized'] })
})

test('an answer that cannot be recorded does not leave', async () => {
  const found = await ask({
    record: async () => {
      throw new Error('the log is away')
    },
  })
  expect(found).toMatchObject({ status: 500, taken: ['first', 'second', 'handle', 'refused internal'] })
  expect(found.error).toBeInstanceOf(Error)
})

test('a failure of ours that an answer tells of is logged like one that is thrown', async () => {
  const failure = new Problem('unavailable')
  const found = await ask({ failureIn: () => failure })
  expect(found).toMatchObject({ status: 200, text: 'answer' })
  expect(found.error).toBe(failure)
  expect((await ask({ failureIn: () => new Problem('not_found') })).error).toBeUndefined()
})
