/** Resets, saves and restores of a sandbox as developers ask for them; `change-runs` carries them out. */
import type { Prisma, SandboxChange } from '../../../prisma/generated/client/client.ts'
import { isProblem, Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import {
  labRoles,
  type SandboxChangeKind,
  sandboxChanges,
  sandboxLimits,
} from '../../contract/lab/sandbox-changes.ts'
import * as throttle from '../../domain/accounts/throttle.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Core } from '../../domain/core.ts'
import { requireRole } from '../../domain/organizations/membership.ts'
import * as practiceData from '../../domain/practices/practice-data.ts'
import { isUniqueViolation } from '../../store/unique-violation.ts'

export type ShownChange = Readonly<{
  id: string
  kind: SandboxChangeKind
  state: 'running' | 'done' | 'failed'
  askedAt: Date
  askedBy: string
  endedAt: Date | null
  /** Tables copied; `total` is null before the first. */
  finished: number
  total: number | null
  failure: string | null
}>

const shownMax = 10

/**
 * Asks for a change, which a job carries out. The same request twice is one change.
 * @param change `requestId`: a UUID that the page with the button made up
 * @throws Problem `conflict` (another one runs, nothing to do, too large), `rate_limited`, `forbidden`, `not_found`
 */
export async function ask(
  core: Core,
  change: { organizationId: string; requestId: string; kind: SandboxChangeKind },
  actor: Actor,
): Promise<ShownChange> {
  const { prisma, clock, portalAudit } = core
  const { organizationId, requestId: id, kind } = change
  const practice = await getOwnSandbox(prisma, { organizationId, accountId: actor.accountId })
  if (!uuidPattern.test(id))
    throw new Problem('validation', { message: 'Reload the page.', field: 'request' })
  const known = await prisma.sandboxChange.findUnique({ where: { id }, include })
  if (known !== null) return again(known, { practice, kind })
  try {
    await check(core, practice, kind)
    await throttle.takeOrRefuse(
      core,
      [{ rule: 'sandboxChange', subject: [practice.id] }],
      `A sandbox can be reset, saved or restored ${sandboxLimits.changesPerHour} times per hour.`,
    )
    const now = clock()
    return await prisma.$transaction(async (tx) => {
      const row = await tx.sandboxChange.create({
        data: {
          id,
          kind,
          practiceId: practice.id,
          runningPracticeId: practice.id,
          state: 'running',
          askedById: actor.accountId,
          askedAt: now,
          heardAt: now,
        },
        include,
      })
      await portalAudit.append(tx, {
        ...portalAudit.by(actor),
        organizationId,
        practiceId: practice.id,
        action: `sandbox.${kind}_asked`,
        subject: { kind: 'sandbox_change', id },
      })
      await addJob(core, tx, id)
      return present(row)
    })
  } catch (thrown) {
    if (!isUniqueViolation(thrown) && !isProblem(thrown)) throw thrown
    // The same request, sent twice at once, may conflict with itself.
    const twin = await prisma.sandboxChange.findUnique({ where: { id }, include })
    if (twin !== null) return again(twin, { practice, kind })
    throw isProblem(thrown) ? thrown : await busy(core, practice)
  }
}

function again(row: Row, wanted: { practice: OwnSandbox; kind: SandboxChangeKind }): ShownChange {
  if (row.practiceId === wanted.practice.id && row.kind === wanted.kind) return present(row)
  throw new Problem('conflict', { message: 'This request was already made. Reload the page.' })
}

async function check(core: Core, practice: OwnSandbox, kind: SandboxChangeKind): Promise<void> {
  const {
    prisma,
    store: { datasets },
  } = core
  const running = await prisma.sandboxChange.count({ where: { runningPracticeId: practice.id } })
  if (running > 0) throw await busy(core, practice)
  const dataset = await datasets.find(practice.datasetId)
  if (dataset?.kind === 'template')
    throw new Problem('conflict', {
      message:
        'This sandbox has its original sample data. It can be changed only after a key with full access is issued.',
    })
  if (kind === 'restore' && (await practiceData.findSnapshot(core, practice.id)) === null)
    throw new Problem('conflict', { message: 'There is no snapshot to restore. Save one first.' })
  if (kind === 'save' && (await sizeOf(core, practice.datasetId)) > sandboxLimits.resourcesMax)
    throw new Problem('conflict', {
      message: `A snapshot can have at most ${sandboxLimits.resourcesMax.toLocaleString('en-US')} resources. Reset the sandbox, or write less to it.`,
    })
}

async function busy({ prisma }: Core, practice: OwnSandbox): Promise<Problem> {
  const row = await prisma.sandboxChange.findUnique({ where: { runningPracticeId: practice.id } })
  const what = row ? sandboxChanges[row.kind as SandboxChangeKind].title.toLowerCase() : 'a change'
  return new Problem('conflict', {
    message: `Another change is in progress (${what}). Wait until it has finished, then try again.`,
  })
}

/** Resources of all types. */
const sizeOf = async ({ store: { datasets } }: Core, datasetId: number): Promise<number> =>
  Object.values(await datasets.counts(datasetId)).reduce((sum, count) => sum + count, 0)

/** The newest first. */
export async function list({ prisma }: Core, practiceId: string): Promise<ShownChange[]> {
  const rows = await prisma.sandboxChange.findMany({
    where: { practiceId },
    include,
    orderBy: [{ askedAt: 'desc' }, { id: 'desc' }],
    take: shownMax,
  })
  return rows.map(present)
}

/** Tick: what runs and has fallen silent is taken up again. @returns their ids */
export async function sweep(core: Core, now: Date): Promise<string[]> {
  const { prisma } = core
  const before = new Date(now.getTime() - sandboxLimits.silentMinutes * 60_000)
  const silent = await prisma.sandboxChange.findMany({
    where: { state: 'running', heardAt: { lt: before } },
    select: { id: true },
    orderBy: { id: 'asc' },
  })
  for (const { id } of silent) await prisma.$transaction((tx) => addJob(core, tx, id))
  return silent.map(({ id }) => id)
}

const addJob = ({ jobs }: Core, tx: Prisma.TransactionClient, changeId: string): Promise<void> =>
  jobs.add(tx, 'change-sandbox', { changeId }, { jobKey: `change-sandbox:${changeId}` })

const include = { askedBy: { select: { name: true } } } as const
type Row = SandboxChange & { askedBy: { name: string } }

function present(row: Row): ShownChange {
  const { id, kind, state, askedAt, endedAt, finished, total, failure } = row
  return {
    id,
    kind: kind as SandboxChangeKind,
    state: state as ShownChange['state'],
    askedAt,
    askedBy: row.askedBy.name,
    endedAt,
    finished,
    total: total === 0 ? null : total,
    failure,
  }
}

// The sandbox practice of an organization, for those of its members who build. The only way of the portal's laboratory
// to clinical data: production practices and other organizations' practices are never found by it.

export type OwnSandbox = Readonly<{ id: string; slug: string; name: string; datasetId: number }>

type Asker = { organizationId: string; accountId: string }

/**
 * @returns null while the organization has none
 * @throws Problem `not_found` for who is no member, `forbidden` for a viewer
 */
export async function findOwnSandbox(db: Prisma.TransactionClient, asker: Asker): Promise<OwnSandbox | null> {
  await requireRole(db, asker, labRoles)
  return db.practice.findFirst({
    where: {
      organizationId: asker.organizationId,
      environment: 'sandbox',
      purpose: 'organization_sandbox',
    },
    select: { id: true, slug: true, name: true, datasetId: true },
  })
}

/** @throws Problem as `findOwnSandbox`, and `not_found` while there is none */
export async function getOwnSandbox(db: Prisma.TransactionClient, asker: Asker): Promise<OwnSandbox> {
  const practice = await findOwnSandbox(db, asker)
  if (practice === null) throw new Problem('not_found', { message: 'This organization has no sandbox yet.' })
  return practice
}
