/** Exports as clients see them: one that knows the specification alone, and the faults that a sandbox plays to them. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { faultHeader, injectedHeader } from '../../server/contract/lab/faults.ts'
import { makeAssertionKey } from '../support/assertion.ts'
import { bulkStack } from '../support/bulk.ts'
import { createBulkClient } from '../support/bulk-client.ts'
import { demonstration, smartSupport } from '../support/smart.ts'

const stack = await bulkStack()
const token = (await stack.issueToken({ audience: 'backend' })).token

test('an export whose storage or database is away is run again for five minutes, and fails only then', async () => {
  const { exportRuns, prisma } = stack.services
  const url = stack.statusOf(await stack.kickOff(token))
  const id = url.slice(url.lastIndexOf('/') + 1)

  for (const attempt of [1, 2, 3, 4, 5]) expect(await exportRuns.begin(id)).toMatchObject({ attempt })
  stack.services.advance(5 * 60_000 + 1)

  expect(await exportRuns.begin(id)).toBeNull()
  expect((await prisma.bulkExport.findUniqueOrThrow({ where: { id } })).state).toBe('failed')
})

test('a client that knows the specification alone exports a practice, renewing its tokens on the way', async () => {
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

test('an export with faults seems to run for its minutes, lacks a type and says so, and its links end after theirs', async () => {
  const { services, call } = stack
  const fault = 'bulk-slow;minutes=10+bulk-partial+bulk-short-links;minutes=2'
  const begun = await stack.kickOff(token, '?_type=Patient,Practitioner,Observation', {
    headers: { [faultHeader]: fault },
  })
  const url = stack.statusOf(begun)
  const id = url.split('/').at(-1) ?? ''
  expect([begun.status, begun.headers.get(injectedHeader)]).toEqual([202, fault])
  await expect
    .poll(async () => (await services.prisma.bulkExport.findUniqueOrThrow({ where: { id } })).readyAt, {
      timeout: 30_000,
    })
    .not.toBeNull()

  services.advance(5 * 60_000)
  const half = await call(url, { token })
  services.advance(5 * 60_000)
  const done = await call(url, { token })
  const { output, error } = done.body
  const file = await call(error[0].url, { token })
  const lines = file.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const wholeType = await call(output[0].url, { token })
  services.advance(2 * 60_000)
  const late = await call(output[0].url, { token })

  expect(half.status).toBe(202)
  expect(half.headers.get('x-progress')).toMatch(/^(49|50) % \(/)
  expect(done.status).toBe(200)
  expect(output.map(({ type }: { type: string }) => type)).not.toContain('Practitioner')
  expect(output.length).toBeGreaterThan(1)
  expect(lines).toHaveLength(error[0].count)
  expect(lines[0]).toMatchObject({ resourceType: 'OperationOutcome', issue: [{ severity: 'error' }] })
  expect(lines[0].issue[0].diagnostics).toContain('Practitioner')
  expect([wholeType.status, late.status]).toEqual([200, 404])
})

test('an expired link is answered as one, and the next request is served', async () => {
  const { body } = await stack.run(token, '?_type=Practitioner')

  const expired = await stack.call(body.output[0].url, { token, headers: { [faultHeader]: 'link-expired' } })
  const again = await stack.call(body.output[0].url, { token })

  expect([expired.status, again.status]).toEqual([404, 200])
  expect(body.error).toEqual([])
})
