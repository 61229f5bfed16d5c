/** Every list of the portal gives a page of its rows, however many are stored. */
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { expect, test } from 'vitest'
import { pageRows } from '../../server/contract/portal/paging.ts'
import { backend, practiceCount, stored, storeRows, type Who } from '../../tests/support/list-rows.ts'
import { testServices } from '../../tests/support/services.ts'
import { signedInContext } from '../../tests/support/signed-in-context.ts'
import { loader as inbox } from '../account/inbox.route.tsx'
import { loader as agreements } from '../developers/agreements.route.tsx'
import { loader as appExports } from '../developers/apps/app-exports.route.tsx'
import { loader as apps } from '../developers/apps/apps.route.tsx'
import { loader as keys } from '../developers/keys/keys.route.tsx'
import { loader as launches } from '../developers/lab/launch.route.tsx'
import { loader as members } from '../developers/members/members.route.tsx'
import { loader as opsAgreements } from '../ops/agreements/agreements.route.tsx'
import { loader as opsJobs } from '../ops/jobs.route.tsx'
import { loader as opsKeyLimits } from '../ops/key-limits.route.tsx'
import { loader as opsMail } from '../ops/mail.route.tsx'
import { loader as opsPractices } from '../ops/practices/practices.route.tsx'
import { loader as opsIncidents } from '../ops/status/incidents.route.tsx'
import { loader as practiceConsole } from '../practice/access/access.route.tsx'
import { loader as practiceExports } from '../practice/access/exports.route.tsx'
import { loader as practiceWithheld } from '../practice/access/withheld.route.tsx'
import { loader as practiceAgreements } from '../practice/agreements.route.tsx'
import { loader as practiceRequests } from '../practice/requests/requests.route.tsx'
import { loader as practiceSystems } from '../practice/requests/systems.route.tsx'
import { loader as practiceStaff } from '../practice/staff/staff.route.tsx'
import { loader as practiceAlerts } from '../practice/use/alerts.route.tsx'
import { loader as directory } from '../public/directory.route.tsx'
import { loader as reviewQueue } from '../review/queue/queue.route.tsx'

const services = await testServices()
const { slug, accounts } = await storeRows(services)

const segments = { developer: 'account', practice: 'practice', ops: 'staff', reviewer: 'staff' } as const

/** What a page loads for somebody who is signed in. */
async function load(loader: (args: LoaderFunctionArgs) => unknown, who: Who, query = '') {
  const context = await signedInContext(services, accounts[who])
  return loader({
    request: new Request(`https://portal.example/${segments[who]}/page${query}`),
    params: { organization: slug, client: backend(0) },
    context,
  })
}

type Listed = { rows: unknown[]; total: number; pages: number; q: string }

/** Every list in pages that the data holds, wherever it is. */
function listsIn(data: unknown): Listed[] {
  if (typeof data !== 'object' || data === null) return []
  const own = 'total' in data && 'pages' in data && 'rows' in data ? [data as unknown as Listed] : []
  return [...own, ...Object.values(data).flatMap(listsIn)]
}

const lists = [
  ['agreements of a developer', agreements, 'developer', 1],
  ['exports of an app', appExports, 'developer', 1],
  ['apps and registrations', apps, 'developer', 1],
  ['keys and requests for keys', keys, 'developer', 1],
  ['launches', launches, 'developer', 1],
  ['members and invitations', members, 'developer', 2],
  ['agreements of everybody', opsAgreements, 'ops', 1],
  ['incidents, open and ended', opsIncidents, 'ops', 2],
  ['failed jobs', opsJobs, 'ops', 1],
  ['limits of keys', opsKeyLimits, 'ops', 1],
  ['emails', opsMail, 'ops', 1],
  ['practices', opsPractices, 'ops', 1],
  ['agreements of a practice', practiceAgreements, 'practice', 1],
  ['inbox of a practice', inbox, 'practice', 1],
  ['inbox of a reviewer', inbox, 'reviewer', 1],
  ['what reaches a practice', practiceConsole, 'practice', 1],
  ['alerts of a practice', practiceAlerts, 'practice', 1],
  ['requests to a practice', practiceRequests, 'practice', 1],
  ['exports of a practice', practiceExports, 'practice', 1],
  ['withheld patients', practiceWithheld, 'practice', 1],
  ['staff and invitations', practiceStaff, 'practice', 2],
  ['systems of a practice', practiceSystems, 'practice', 1],
  ['the queue', reviewQueue, 'reviewer', 1],
] as const

test.each(lists)('%s: a page at a time', async (_name, loader, who, count) => {
  const full = listsIn(await load(loader as never, who)).filter(({ total }) => total >= stored)

  expect(full).toHaveLength(count)
  for (const { rows, pages } of full) {
    expect(rows).toHaveLength(pageRows)
    expect(pages).toBeGreaterThan(1)
  }
})

test.each(lists)('%s: a search that finds nothing', async (_name, loader, who) => {
  const found = listsIn(await load(loader as never, who, '?q=no-such-thing&search=no-such-thing'))
  expect(found.filter(({ q }) => q !== '').map(({ total }) => total)).toContain(0)
  expect(found.filter(({ q, total }) => q !== '' && total > 0)).toEqual([])
})

test('the directory with a thousand practices: a page at a time, searched by q, in a few statements', async () => {
  let statements = 0
  const stop = services.store.onStatement(() => {
    statements += 1
  })
  const first = (await load(directory as never, 'developer')) as { practices: unknown[]; listed: Listed }
  stop()
  const one = (await load(directory as never, 'developer', '?q=sampleton+clinic+777')) as typeof first

  expect(first.practices).toHaveLength(pageRows)
  expect(first.listed.total).toBeGreaterThanOrEqual(practiceCount)
  expect(one.practices).toMatchObject([{ name: 'Sampleton Clinic 777' }])
  // Two, told once for every dataset; the thousand share one.
  expect(statements).toBeLessThan(30)
})
