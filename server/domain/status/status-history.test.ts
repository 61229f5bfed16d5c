import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { addAccount, signedIn } from '../../../tests/support/people.ts'
import { testServices } from '../../../tests/support/services.ts'
import { type CheckedState, componentIds } from '../../contract/status/components.ts'
import { readDays } from './status-history.ts'

const services = await testServices({ template: 'schema' })
const opsId = (await addAccount(services, 'staff', { staffRole: 'ops' })).id

const day = 86_400_000

beforeEach(async () => {
  const { advance, clock } = services
  for (const table of ['status_check', 'status_component', 'status_change', 'status_day'])
    await services.database.ownerPool.query(`DELETE FROM portal.${table}`)
  // An hour before the midnight of UTC, a week on.
  advance(8 * day - (clock().getTime() % day) - 3_600_000)
})

/** A round that finds this of the REST API, and all else well. */
function find(api: CheckedState, at = services.clock()) {
  const found = componentIds.map((name) => ({
    name,
    state: name === 'api' ? api : ('operational' as const),
    summary: `${name} is ${name === 'api' ? api : 'operational'}.`,
  }))
  return services.status.saveChecks(found, at)
}

async function round(api: CheckedState, times = 1): Promise<void> {
  for (let i = 0; i < times; i++) {
    await find(api)
    services.advance(30_000)
  }
}

const lastDays = async (count: number) => (await readDays(services.core)).api.slice(-count)

async function changes() {
  const rows = await services.prisma.statusChange.findMany({
    where: { component: 'api' },
    orderBy: [{ at: 'asc' }, { id: 'asc' }],
  })
  return rows.map(({ fromState, toState, cause }) => [fromState, toState, cause])
}

async function publishedState(): Promise<string | undefined> {
  return (await services.status.platform()).services.find(({ id }) => id === 'api')?.status
}

const actor = () => signedIn(() => services, opsId)()

test('trouble is told after two rounds, from the start; one finding on its own turns nothing, two do, and two turn it back', async () => {
  await round('down')
  expect(await publishedState()).toBe('not_available')
  await round('down')
  expect(await publishedState()).toBe('down')
  await round('operational')
  expect(await publishedState()).toBe('down')
  await round('operational')
  expect(await publishedState()).toBe('operational')
  await round('down')
  expect(await publishedState()).toBe('operational')
  await round('operational', 2)

  expect(await changes()).toEqual([
    [null, 'not_available', 'automatic'],
    ['not_available', 'down', 'automatic'],
    ['down', 'operational', 'automatic'],
  ])
})

test('two workers that look at the same moment are one look', async () => {
  await round('operational', 2)

  await Promise.all([find('down'), find('down'), find('down')])
  services.advance(5_000)
  await find('down')
  expect(await publishedState()).toBe('operational')
  services.advance(25_000)
  await find('down')

  expect(await publishedState()).toBe('down')
  expect(await changes()).toHaveLength(2)
})

test('a round that comes late changes nothing', async () => {
  await round('operational', 2)
  await find('down', new Date(services.clock().getTime() - 50_000))
  await round('down')

  expect(await publishedState()).toBe('operational')
})

test('a clock that was an hour ahead holds up no round after it', async () => {
  await round('operational', 2)
  await find('operational', new Date(services.clock().getTime() + 3_600_000))
  await round('down', 2)

  expect(await publishedState()).toBe('down')
  expect((await lastDays(1))[0]?.minutes).toEqual({ operational: 1, down: 1 })
})

test('minutes belong to their UTC day, and those without a check are no data', async () => {
  // Half an hour of checks before midnight, and ten minutes after it.
  await round('operational', 60)
  services.advance(30 * 60_000)
  await round('operational', 20)
  // Killed for an hour, and back.
  services.advance(3_600_000)
  await round('operational', 2)

  const [yesterday, today] = await lastDays(2)
  expect(yesterday).toMatchObject({
    minutes: { operational: 30 },
    worst: 'operational',
    noDataMinutes: 1_410,
  })
  expect(today).toMatchObject({ minutes: { operational: 11 }, worst: 'operational' })
  expect(today?.noDataMinutes).toBe(61)
  // Nobody had looked before: the service was not there.
  expect(await lastDays(3)).toHaveLength(2)
})

test('a minute counts once, with the worst that was told in it', async () => {
  await round('operational', 5)
  await round('down', 4)
  await round('operational', 2)

  const [today] = await lastDays(1)
  // In the third minute one finding was not believed yet; in the fifth its end was not.
  expect(today?.minutes).toEqual({ operational: 4, down: 2 })
  const { rows } = await services.database.ownerPool.query(
    'SELECT sum(minutes)::int AS minutes FROM portal.status_day GROUP BY component',
  )
  expect(new Set(rows.map(({ minutes }) => minutes))).toEqual(new Set([6]))
})

test('what an incident sets is a change of its own cause, and so is its end', async () => {
  const { status, clock } = services
  const reason = 'Written for a test.'
  const id = randomUUID()
  await round('operational', 2)
  await status.openIncident(
    { id, kind: 'incident', title: 'Slow', text: 'Slow.', components: { api: 'partial_outage' }, reason },
    actor(),
  )
  await round('operational', 2)
  const components = { api: 'as_checked' } as const
  await status.updateIncident(
    { id, version: 1, stage: 'resolved', text: 'It is over.', components, reason },
    actor(),
  )
  await round('operational', 2)

  expect(await changes()).toEqual([
    [null, 'operational', 'automatic'],
    ['operational', 'partial_outage', 'incident'],
    ['partial_outage', 'operational', 'incident'],
  ])
  expect((await lastDays(1))[0]?.minutes).toEqual({ operational: 2, partial_outage: 1 })
  expect(await status.beginDueMaintenance(clock())).toBe(0)
})
