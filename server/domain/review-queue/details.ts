/** Clocks and risk of the requests on one page of the queue. */
import type { ReviewNoun } from '../../contract/workflows/review-queue.ts'
import type { Risk } from '../../contract/workflows/review-risk.ts'
import type { Core } from '../core.ts'
import { viewClock } from '../production-keys/review-clock.ts'
import { type Clock, summaryFields, toSummary } from '../registrations/read-registration.ts'
import { readForm } from '../registrations/stored-form.ts'
import {
  type OrganizationFacts,
  readOrganizationFacts,
  riskOfProductionKey,
  riskOfRegistration,
  riskOfSandboxKey,
} from './risk.ts'

export type QueueClock = Readonly<{
  state: 'running' | 'paused'
  days: number
  usedDays: number
  remainingDays: number
  dueAt: Date
  overdue: boolean
}>

export type QueueDetails = Readonly<{
  /** The clock of our promise: five business days. */
  promise: QueueClock | null
  /** The clock of the rule for FHIR apps. */
  rule: QueueClock | null
  risk: Risk
  version: number
}>

export type Found = Readonly<{ noun: ReviewNoun; id: string; organizationId: string }>

export async function findDetails(core: Core, found: readonly Found[]) {
  const { prisma, clock } = core
  const idsOf = (noun: ReviewNoun) => found.flatMap((request) => (request.noun === noun ? [request.id] : []))
  const organizations = await readOrganizationFacts(
    prisma,
    [...new Set(found.map(({ organizationId }) => organizationId))],
    clock(),
  )
  const context: Context = {
    core,
    now: clock(),
    factsOf: (id) => organizations.get(id) as OrganizationFacts,
  }
  const all = await Promise.all([
    ofRegistrations(context, idsOf('registration')),
    ofProductionKeys(context, idsOf('production_key_request')),
    ofSandboxKeys(context, idsOf('sandbox_key_request')),
  ])
  return new Map(all.flat())
}

type Context = Readonly<{ core: Core; now: Date; factsOf: (organizationId: string) => OrganizationFacts }>
type Entries = Promise<(readonly [string, QueueDetails])[]>

async function ofRegistrations({ core, now, factsOf }: Context, ids: string[]): Entries {
  const rows = await core.prisma.registration.findMany({
    where: { id: { in: ids } },
    include: { ...summaryFields, versions: true },
  })
  return rows.map((row) => {
    const { kind, clocks } = toSummary(row, { calendar: core.calendar, now })
    const version = row.versions.find(({ number }) => number === row.submittedNumber)
    const hasForm = kind === 'app' || kind === 'change'
    const form = hasForm ? readForm(version?.form ?? row.form) : null
    return [
      row.id,
      {
        promise: openClock(clocks.filter((clock) => clock.kind === 'promise')),
        rule: openClock(clocks.filter((clock) => clock.kind !== 'promise')),
        risk: riskOfRegistration({ id: row.id, form }, factsOf(row.organizationId), now),
        version: row.version,
      },
    ] as const
  })
}

function openClock(clocks: readonly Clock[]): QueueClock | null {
  const clock = clocks.findLast(({ state }) => state !== 'stopped')
  if (!clock || clock.state === 'stopped') return null
  const { state, days, usedDays, remainingDays, dueAt } = clock
  return {
    state,
    days,
    usedDays,
    remainingDays,
    dueAt,
    overdue: clock.breachedAt !== null || usedDays > days,
  }
}

async function ofProductionKeys({ core, now, factsOf }: Context, ids: string[]): Entries {
  if (ids.length === 0) return []
  const rows = await core.prisma.productionKeyRequest.findMany({ where: { id: { in: ids } } })
  return rows.map((row) => {
    const clock = viewClock(row, core.calendar, now)
    return [
      row.id,
      {
        promise: clock && clock.state !== 'stopped' ? { ...clock, state: clock.state } : null,
        rule: null,
        risk: riskOfProductionKey(row, factsOf(row.organizationId), now),
        version: row.version,
      },
    ] as const
  })
}

async function ofSandboxKeys({ core, now, factsOf }: Context, ids: string[]): Entries {
  if (ids.length === 0) return []
  const rows = await core.prisma.sandboxKeyRequest.findMany({ where: { id: { in: ids } } })
  return rows.map((row) => [
    row.id,
    {
      promise: null,
      rule: null,
      risk: riskOfSandboxKey(row, factsOf(row.organizationId), now),
      version: row.version,
    },
  ])
}
