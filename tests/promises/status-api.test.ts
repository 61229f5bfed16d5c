import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  type CheckName,
  type ComponentId,
  componentIds,
  components,
} from '../../server/contract/status/components.ts'
import type { AffectedState } from '../../server/contract/status/incidents.ts'
import { platformStatusSchema, practiceStatusSchema } from '../../server/contract/status/records.ts'
import { createServices } from '../../server/services.ts'
import { masked } from '../support/masked.ts'
import { addAccount, addPractice, signedIn } from '../support/people.ts'
import { type RestStack, restStack } from '../support/rest.ts'

const statusPage = 'https://status.example'
/** For our own people alone. */
const reason = 'The queue behind it is stuck.'

const practices = [
  { slug: 'status-office', name: 'Status Office', environment: 'production', purpose: 'office' },
  {
    slug: 'status-closed',
    name: 'Status Closed',
    environment: 'production',
    purpose: 'office',
    state: 'suspended',
  },
  { slug: 'status-sandbox', name: 'Status Sandbox', environment: 'sandbox', purpose: 'demonstration' },
  { slug: 'status-canary', name: 'Status Canary', environment: 'production', purpose: 'canary' },
] as const

const stack = await restStack({
  environment: { STATUS_ORIGIN: statusPage, WATCHED_URLS: 'academy=https://academy.example/,ai=off' },
})
const ops = await addAccount(stack.services, 'staff', { staffRole: 'ops', name: 'Oakley Sample' })
const actor = signedIn(() => stack.services, ops.id)
for (const row of practices) await addPractice(stack.services, row)

beforeEach(async () => {
  // A fresh minute at its very beginning, so that no test pays for another, and results of now.
  stack.services.advance(60_000 - (stack.services.clock().getTime() % 60_000))
  await stack.services.prisma.statusCheck.deleteMany()
  await find(Object.fromEntries([...componentIds, 'sign_in', 'saving'].map((name) => [name, 'operational'])))
})

type Results = Partial<Record<CheckName, 'operational' | 'degraded' | 'down' | 'disabled' | 'not_available'>>

/** Two rounds that agree: what they find is told. */
async function check(results: Results) {
  for (const _ of [1, 2]) {
    stack.services.advance(30_000)
    await find(results)
  }
}

function find(results: Results) {
  const findings = Object.entries(results).map(([name, state]) => ({
    name: name as CheckName,
    state,
    summary: `${name} is ${state}.`,
  }))
  return stack.services.status.saveChecks(findings, stack.services.clock())
}

const ask = (path: string, options: Parameters<RestStack['call']>[1] = {}) =>
  stack.call(path, { base: 'production', ...options })

const askPlatform = async () => (await ask('/system/status')).body
const rowOf = async (id: ComponentId) =>
  (await askPlatform()).services.find((row: { id: string }) => row.id === id)
const askPractice = (id: string, options = {}) =>
  ask(`/system/practice-status?id=${encodeURIComponent(id)}`, options)

/** Opens an incident that sets a row by hand. @returns what ends it */
async function setByHand(component: ComponentId, state: AffectedState, title: string) {
  const { status } = stack.services
  const id = randomUUID()
  const components = { [component]: state }
  await status.openIncident(
    { id, kind: 'incident', title, text: 'We are on it.', components, reason },
    actor(),
  )
  return () =>
    status.updateIncident({ id, version: 1, stage: 'resolved', text: 'Over.', components, reason }, actor())
}

describe('the platform status', () => {
  test('has every field and no other, for anybody, and is kept by nobody', async () => {
    const { status, headers, body } = await ask('/system/status')

    expect(status).toBe(200)
    expect(platformStatusSchema.parse(body)).toEqual(body)
    expect(Object.keys(body)).toEqual(['checkedAt', 'overall', 'overallSummary', 'services'])
    expect(body).toMatchObject({
      checkedAt: stack.services.clock().toISOString(),
      overall: 'operational',
      overallSummary: 'All checked components are operational.',
    })
    expect(body.services.map(({ id }: { id: string }) => id)).toEqual(componentIds)
    for (const row of body.services) {
      expect(Object.keys(row)).toEqual(['id', 'name', 'href', 'status', 'summary'])
      expect(row).toMatchObject({
        name: components[row.id as ComponentId].name,
        status: 'operational',
        summary: `${row.id} is operational.`,
      })
      expect(new URL(row.href).href).toBe(row.href)
    }
    expect(body.services[0].href).toBe('https://academy.example/')
    // Nobody said where it is: its row on the status page, not a page about something else.
    expect(body.services[7]).toMatchObject({ id: 'ai', href: 'https://portal.example/status#component-ai' })
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('ratelimit-policy')).toBe('"second";q=5;w=1, "minute";q=20;w=60')
    expect(headers.get('ratelimit')).toBe('"second";r=4;t=1, "minute";r=19;t=60')
  })

  test('a row turns with its check, and back', async () => {
    await check({ fhir: 'down', ai: 'disabled' })
    const broken = await askPlatform()
    await check({ fhir: 'operational' })

    expect(broken).toMatchObject({
      overall: 'major_outage',
      overallSummary: 'FHIR API: down. All other checked components are operational.',
    })
    expect(await askPlatform()).toMatchObject({ overall: 'operational' })
  })

  test('a check older than two minutes says nothing any more', async () => {
    stack.services.advance(120_000)
    expect(await rowOf('api')).toMatchObject({ status: 'operational' })
    stack.services.advance(1)

    const late = await askPlatform()

    expect(late.services.map(({ status }: { status: string }) => status)).toEqual(
      componentIds.map(() => 'not_available'),
    )
    expect(late).toMatchObject({
      overall: 'operational',
      overallSummary: 'No component was checked in the last two minutes.',
    })
  })

  test('of two rounds at once the later one stays', async () => {
    const earlier = new Date(stack.services.clock().getTime() - 1_000)

    await stack.services.status.saveChecks([{ name: 'api', state: 'down', summary: 'Late.' }], earlier)

    expect(await rowOf('api')).toMatchObject({ status: 'operational' })
  })

  test('tells what a person has set, until it ends, and what the check found', async () => {
    const end = await setByHand('mcp', 'partial_outage', 'Half back')

    expect(await rowOf('mcp')).toEqual({
      id: 'mcp',
      name: 'MCP server',
      href: 'https://portal.example/api/v1/mcp',
      status: 'partial_outage',
      summary: 'Half back.',
      overridden: true,
      automaticStatus: 'operational',
    })
    expect(JSON.stringify(await askPlatform())).not.toContain(reason)
    // Another process, which has asked before.
    const other = createServices({ ...stack.services, appUrl: stack.services.database.appUrl })
    const row = async () => (await other.status.platform()).services.find(({ id }) => id === 'mcp')
    expect(await row()).toMatchObject({ status: 'partial_outage', overridden: true })
    await end()
    expect(await rowOf('mcp')).not.toHaveProperty('overridden')
    expect(await row()).not.toHaveProperty('overridden')
    await other.close()
  })
})

describe('the practice status', () => {
  test('has every field of a practice that works, and tells nothing else of it', async () => {
    const { status, body } = await askPractice('status-office')

    expect(status).toBe(200)
    expect(practiceStatusSchema.parse(body)).toEqual(body)
    expect(body).toEqual({
      checkedAt: stack.services.clock().toISOString(),
      queried: 'status-office',
      found: true,
      practiceId: 'status-office',
      name: 'Status Office',
      status: 'operational',
      summary: 'Sign-in works and records can be saved.',
    })
  })

  test('follows sign-in and saving, and what a person set for them', async () => {
    await check({ sign_in: 'degraded' })
    expect((await askPractice('status-office')).body).toMatchObject({
      status: 'degraded',
      summary: 'Sign-in: sign_in is degraded.',
    })
    await check({ saving: 'down' })
    expect((await askPractice('status-office')).body.status).toBe('down')
    await check({ sign_in: 'operational', saving: 'operational' })
    expect((await askPractice('status-office')).body.status).toBe('operational')
    const end = await setByHand('api', 'major_outage', 'We are on it')
    expect((await askPractice('status-office')).body).toMatchObject({
      status: 'down',
      summary: 'Saving: We are on it.',
    })
    await end()
    stack.services.advance(121_000)
    expect((await askPractice('status-office')).body).toMatchObject({
      status: 'operational',
      summary: 'Sign-in: Not checked in the last two minutes. Saving: Not checked in the last two minutes.',
    })
  })

  test('of a suspended office is suspended, whatever the platform does', async () => {
    await check({ sign_in: 'down' })

    expect((await askPractice('status-closed')).body).toMatchObject({
      found: true,
      practiceId: 'status-closed',
      status: 'suspended',
    })
  })

  test.each([
    'nobody',
    'status-sandbox',
    'status-canary',
    'sandpiper-demonstration',
    'STATUS-OFFICE',
    ' ',
    'x'.repeat(128),
    '😀'.repeat(128),
    "'; DROP TABLE portal.practice; --",
  ])('of %j is unknown', async (id) => {
    const { status, body } = await askPractice(id)

    expect(status).toBe(200)
    expect(body).toEqual({
      checkedAt: stack.services.clock().toISOString(),
      queried: id,
      found: false,
      practiceId: '',
      name: '',
      status: 'unknown',
      summary: 'No practice has this ID.',
    })
  })

  test.each([
    ['', 'id must have 1 to 128 characters.'],
    ['?id=', 'id must have 1 to 128 characters.'],
    [`?id=${'x'.repeat(129)}`, 'id must have 1 to 128 characters.'],
    ['?id=a&id=b', 'id is given twice.'],
    ['?id=a&name=b', 'Unknown query parameter: name.'],
    ['?id=%00', 'The query string contains a NUL character.'],
    ['?id=%ff', 'The query string is not percent-encoded UTF-8.'],
  ])('refuses %j', async (query, message) => {
    const { status, headers, text } = await ask(`/system/practice-status${query}`)

    expect(status).toBe(400)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(masked(text)).toBe(
      JSON.stringify({ error: { code: 'validation', message, correlationId: 'masked' } }),
    )
  })
})
