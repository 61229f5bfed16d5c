import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { makeAssertionKey } from '../support/assertion.ts'
import { bulkStack } from '../support/bulk.ts'
import { createBulkClient } from '../support/bulk-client.ts'
import { demonstration, smartSupport } from '../support/smart.ts'

test('a client that knows the specification alone exports a practice, renewing its tokens on the way', async () => {
  const stack = await bulkStack()
  const { services } = stack
  const key = await makeAssertionKey('ES384')
  const scope = 'system/*.rs'
  const { client } = await smartSupport(services).createSystem({
    scope,
    client: { jwks: { keys: [key.publicJwk] } },
  })
  const base = services.addresses.fhirBase(demonstration)
  let slept = 0
  const bulk = createBulkClient({
    base,
    clientId: client.clientId,
    key,
    scope,
    fetch: async (request) => stack.app.fetch(request),
    now: services.clock,
    sleep: async (seconds) => {
      slept += 1
      // The third look takes so long that the token is over.
      services.advance(slept === 3 ? 400_000 : seconds * 1_000)
      if (slept === 3) await stack.work()
      await pause(100)
    },
  })

  const { resources, tokens, polls } = await bulk.exportAll()

  const { datasetId } = await services.prisma.practice.findUniqueOrThrow({ where: { slug: demonstration } })
  const counts = await services.store.datasets.counts(datasetId)
  const found = Object.fromEntries([...resources].map(([type, each]) => [type, each.length]))
  expect({ Group: 1, ...counts }).toEqual(found)
  expect(polls).toBeGreaterThanOrEqual(3)
  expect(tokens).toBe(2)
}, 60_000)
