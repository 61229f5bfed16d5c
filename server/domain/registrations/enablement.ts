/**
 * Enabled means proven: what was approved is put in place, the authorization server is asked as the app would ask it,
 * and only its yes makes the state `enabled`. A no is tried again every ten minutes, five times, then operations are told.
 */
import type { Registration } from '../../../prisma/generated/client/client.ts'
import { isProblem } from '../../contract/http/problems.ts'
import type { RegistrationForm } from '../../contract/workflows/registration-form.ts'
import { registrationTimes } from '../../contract/workflows/registration-workflow.ts'
import type { Core } from '../core.ts'
import { narrowGrants } from '../grants/narrow-grants.ts'
import { applyApproved, submittedForm } from './apply-approved.ts'
import { type ProbeResult, probeClient } from './probe-client.ts'
import { keepVersion } from './steps.ts'
import { toStored } from './stored-form.ts'
import { type Context, type Effects, transition } from './transition.ts'

const { probeAttempts: attemptsMax, probeEveryMinutes } = registrationTimes

/** Makes one attempt for a due request. Safe to repeat, and with several workers. */
export async function enable(core: Core, registrationId: string): Promise<'enabled' | 'failed' | 'nothing'> {
  const { prisma, clock, log } = core
  const row = await prisma.registration.findUnique({ where: { id: registrationId } })
  if (row?.state !== 'enabling' || row.probeDueAt === null || row.probeDueAt > clock()) return 'nothing'
  const { clientId, failure } = await attempt(core, row)
  try {
    const target = { registrationId, version: row.version }
    if (failure === null) {
      await transition(core, target, 'probe_ok', 'system', { effects: (of) => finish(core, of, clientId) })
      return 'enabled'
    }
    await transition(core, target, 'probe_fail', 'system', { effects: (of) => noteFailure(of, failure) })
  } catch (thrown) {
    // Withdrawn, or done by another worker, in the meantime.
    if (isProblem(thrown) && thrown.kind === 'conflict') return 'nothing'
    throw thrown
  }
  log.warn({ registrationId, reason: failure }, 'an approved app is not accepted')
  return 'failed'
}

async function attempt(
  core: Core,
  row: Registration,
): Promise<{ clientId: string | null; failure: ProbeResult }> {
  try {
    const { clientId, undo } = await applyApproved(core, row)
    const failure = clientId === null ? null : await probeClient(core, clientId)
    if (failure !== null) await undo()
    return { clientId, failure }
  } catch (thrown) {
    if (!isProblem(thrown) || thrown.status >= 500) throw thrown
    return { clientId: null, failure: `It could not be registered: ${thrown.message}` }
  }
}

async function finish(
  core: Core,
  { tx, row, now }: Context,
  clientId: string | null,
): Promise<Effects<'probe_ok'>> {
  if (row.kind === 'change' && row.parentId) {
    const form = await handOver(row, row.parentId)
    if (clientId) await narrowGrants(tx, core.portalAudit, { clientId, scope: form.scope, now })
  }
  return {
    data: {
      endedAt: null,
      openForId: null,
      probeDueAt: null,
      probeFailure: null,
      claimedById: null,
      claimedAt: null,
      servingNumber: row.submittedNumber,
      // A change is of its parent's client, which stands there.
      ...(row.kind === 'app' && clientId ? { productionClientId: clientId } : {}),
    },
    detail: { clientId, attempt: row.probeAttempts + 1 },
    emails: async () => {
      const promise = await tx.registrationClock.findFirst({
        where: { registrationId: row.id, kind: 'promise' },
        orderBy: { startedAt: 'desc' },
      })
      const businessDays = promise?.usedDays ?? null
      return {
        'registration-enabled': {
          clientId,
          directoryUrl: clientId ? `${core.env.FHIR_ORIGIN}/r4/endpoints` : null,
          businessDays,
        },
      }
    },
  }

  /** From now on the parent says what the change said. */
  async function handOver(change: Registration, parentId: string): Promise<RegistrationForm> {
    const form = await submittedForm(core, change)
    const number = await keepVersion(tx, parentId, form, { by: change.createdById, at: now })
    await tx.registration.update({
      where: { id: parentId },
      data: {
        form: toStored(form),
        name: form.name,
        submittedNumber: number,
        servingNumber: number,
        version: { increment: 1 },
        updatedAt: now,
      },
    })
    return form
  }
}

function noteFailure({ row, now }: Context, failure: string): Effects<'probe_fail'> {
  const attempts = row.probeAttempts + 1
  const nextAt = new Date(now.getTime() + probeEveryMinutes * 60_000)
  return {
    data: {
      probeAttempts: attempts,
      probeDueAt: attempts >= attemptsMax ? null : nextAt,
      probeFailure: failure,
    },
    detail: { attempt: attempts, reason: failure },
    emails: () => ({ 'registration-probe-failed': { reason: failure.slice(0, 200), attempts } }),
  }
}
