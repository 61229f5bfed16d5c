/** What a patient can do while the record of access can't be read in time. */
import { randomUUID } from 'node:crypto'
import type { AppLoadContext, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { expect, test } from 'vitest'
import { Problem } from '../../server/contract/http/problems.ts'
import type { Services } from '../../server/services.ts'
import { longTest } from '../../tests/support/slice.ts'
import { personStack } from '../../tests/support/smart-person.ts'
import { loader as apps } from '../account/allowed-apps.route.tsx'
import { loader as access } from './access/access.route.tsx'

const patientId = 'pt-wren-testwell'

const world = await personStack()
const person = world.wren
const { services } = world.stack
await world.launch()

async function load<Data>(
  loader: (args: LoaderFunctionArgs) => Promise<Data>,
  other: Partial<Services> = {},
): Promise<Data> {
  const account = await services.prisma.account.findUniqueOrThrow({ where: { id: person.accountId } })
  const now = services.clock()
  const session = { id: randomUUID(), accountId: account.id, account, authenticatedAt: now, expiresAt: now }
  const context = {
    services: { ...services, sessions: { ...services.sessions, read: async () => ({ session }) }, ...other },
    correlationId: randomUUID(),
    clientIp: '203.0.113.9',
  } as unknown as AppLoadContext
  return loader({ request: new Request('https://portal.example/patient'), params: {}, context })
}

const lastAccess = ({ apps: allowed }: Awaited<ReturnType<typeof apps>>) =>
  allowed.flatMap(({ records }) => records.map(({ lastReadAt }) => lastReadAt))

const unavailable = () => Promise.reject(new Problem('unavailable'))

test('an app can be stopped, and its last access is not called “Never”', async () => {
  const lastReads = unavailable

  expect(lastAccess(await load(apps, { lastReads }))).toEqual(['unavailable'])
})

longTest('an app can be stopped while the database doesn’t answer', async () => {
  const lastReads = () => new Promise<never>(() => {})

  expect(lastAccess(await load(apps, { lastReads }))).toEqual(['unavailable'])
})

test('no further access can be asked for', async () => {
  const ownAccess = { ...services.ownAccess, readings: unavailable }
  const { people, listed } = await load(access, { ownAccess })

  expect(people).toMatchObject([{ patientId, request: null }])
  expect(listed).toBeNull()
})
