/** What a patient can do while old months of the record of access can't be read. */
import { randomUUID } from 'node:crypto'
import type { AppLoadContext, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { beforeAll, expect, test } from 'vitest'
import { patientNumber } from '../../server/audit/access-archive.ts'
import type { Actor } from '../../server/domain/actor.ts'
import type { Services } from '../../server/services.ts'
import { longTest } from '../../tests/support/slice.ts'
import { personStack } from '../../tests/support/smart-person.ts'
import { loader as apps } from '../account/allowed-apps.route.tsx'
import { loader as access } from './access/access.route.tsx'

const patientId = 'pt-wren-testwell'
let person: Actor
let services: Services

beforeAll(async () => {
  const world = await personStack()
  person = world.wren
  ;({ services } = world.stack)
  await world.launch()
  // An object of a bucket that is not set.
  await world.stack.services.database.ownerPool.query(
    `INSERT INTO log.access_archive (key, start, bytes, sha256, practice_id, rows, first_at, last_at, first_id, last_id,
       patients, has_exports, has_unnamed)
     VALUES ('2026-01/1.ndjson.gz', 0, 1, '', $1, 1, now() - interval '1 year', now() - interval '1 year', 1, 1, $2, false, false)`,
    [world.practiceId, [patientNumber(patientId)]],
  )
})

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

test('an app can be stopped, and its last access is not called “Never”', async () => {
  expect(lastAccess(await load(apps))).toEqual(['unavailable'])
})

longTest('an app can be stopped while the object storage doesn’t answer', async () => {
  const lastReads = () => new Promise<never>(() => {})

  expect(lastAccess(await load(apps, { lastReads }))).toEqual(['unavailable'])
})

test('no further access can be asked for', async () => {
  const { people, listed } = await load(access)

  expect(people).toMatchObject([{ patientId, request: null }])
  expect(listed).toBeNull()
})
