/** An export of the sandbox that seems slow, fails in part, and whose links end early, as a client sees it. */
import { beforeAll, expect, test } from 'vitest'
import { faultHeader, injectedHeader } from '../../server/contract/lab/faults.ts'
import { bulkStack } from '../support/bulk.ts'

let stack: Awaited<ReturnType<typeof bulkStack>>
let token: string

beforeAll(async () => {
  stack = await bulkStack()
  token = (await stack.issueToken({ audience: 'backend' })).token
  await stack.work()
})

test('it seems to run for its minutes, lacks a type and says so, and its links end after theirs', async () => {
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
