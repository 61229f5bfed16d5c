/**
 * Carries a change of a sandbox out. New data is copied whole beside the old; one transaction puts it in place and says
 * that the change is done, so that a run that is killed at any point is simply begun again. A run that was replaced
 * puts nothing in place.
 */
import type { SandboxChange } from '../../../prisma/generated/client/client.ts'
import type { PortalAudit } from '../../audit/portal-audit.ts'
import { isProblem } from '../../contract/http/problems.ts'
import { type SandboxChangeKind, sandboxLimits } from '../../contract/lab/sandbox-changes.ts'
import type { Core } from '../../domain/core.ts'
import type { DataChange } from '../../domain/practices/practice-data.ts'
import * as practiceData from '../../domain/practices/practice-data.ts'

const gaveUp = 'The change failed several times. The sandbox is unchanged. Try again.'

const carryOut: Record<
  SandboxChangeKind,
  (core: Core, practiceId: string, change: DataChange) => Promise<unknown>
> = {
  reset: practiceData.reset,
  save: practiceData.snapshot,
  restore: practiceData.restore,
}

/** Safe to repeat. @throws what a later run may mend */
export async function run(core: Core, changeId: string): Promise<void> {
  const { prisma, clock } = core
  const [row] = await prisma.sandboxChange.updateManyAndReturn({
    where: { id: changeId, state: 'running' },
    data: { attempt: { increment: 1 }, finished: 0, heardAt: clock() },
  })
  if (row === undefined) return
  if (row.attempt > sandboxLimits.runsMax) return fail(core, row, gaveUp)
  const reports: Promise<unknown>[] = []
  try {
    await carryOut[row.kind as SandboxChangeKind](core, row.practiceId, {
      onProgress: ({ finished, of }) => reports.push(report(core, row, finished, of)),
      within: (tx, datasetId) => finish(core, tx, row, datasetId),
    })
  } catch (thrown) {
    if (thrown instanceof Replaced) return
    // What the data says no to, it says no to again.
    if (!isProblem(thrown) || thrown.status >= 500) throw thrown
    await fail(core, row, thrown.message)
  } finally {
    await Promise.all(reports)
  }
}

/** How far it is; no one waits for it, and none counts back. */
async function report({ prisma, clock }: Core, row: SandboxChange, finished: number, total: number) {
  try {
    await prisma.sandboxChange.updateMany({
      where: { ...current(row), finished: { lte: finished } },
      data: { finished, total, heardAt: clock() },
    })
  } catch {
    // The next report, or the end of the run, says it.
  }
}

/** @throws Replaced, which undoes the change, when a later run has begun */
async function finish(
  core: Core,
  tx: Parameters<NonNullable<DataChange['within']>>[0],
  row: SandboxChange,
  datasetId: number,
): Promise<void> {
  const { clock } = core
  const { count } = await tx.sandboxChange.updateMany({
    where: current(row),
    data: { state: 'done', runningPracticeId: null, endedAt: clock(), datasetId },
  })
  if (count === 0) throw new Replaced()
  await audit(core, tx, row, 'done', { datasetId })
}

async function fail(core: Core, row: SandboxChange, failure: string): Promise<void> {
  const { prisma, clock } = core
  await prisma.$transaction(async (tx) => {
    const { count } = await tx.sandboxChange.updateMany({
      where: current(row),
      data: { state: 'failed', runningPracticeId: null, endedAt: clock(), failure },
    })
    if (count === 1) await audit(core, tx, row, 'failed', {})
  })
}

async function audit(
  { portalAudit }: Core,
  tx: Parameters<PortalAudit['append']>[0],
  { id, kind, practiceId }: SandboxChange,
  end: 'done' | 'failed',
  detail: { datasetId?: number },
): Promise<void> {
  const { organizationId } = await tx.practice.findUniqueOrThrow({ where: { id: practiceId } })
  await portalAudit.append(tx, {
    ...portalAudit.system(),
    ...(organizationId !== null && { organizationId }),
    practiceId,
    action: `sandbox.${kind}_${end}`,
    subject: { kind: 'sandbox_change', id },
    detail,
  })
}

const current = ({ id, attempt }: SandboxChange) => ({ id, attempt, state: 'running' })

/** A later run of the same change has begun, or it has ended. */
class Replaced extends Error {
  override name = 'Replaced'
}
