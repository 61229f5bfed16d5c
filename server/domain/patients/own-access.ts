/** The apps, keys and systems that read a patient's records, for the patient and people who act for them. */
import { listDisclosures } from '../../audit/disclosures.ts'
import { Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import { isUniqueViolation } from '../../store/unique-violation.ts'
import type { Actor } from '../actor.ts'
import { summarizePatient } from '../authorizations/patient-summary.ts'
import type { Core } from '../core.ts'
import {
  describeDisclosure,
  describePurpose,
  findRecipients,
  mergeDisclosures,
} from '../disclosures/accounting.ts'
import { readOwnPatient } from './read-own-patient.ts'

/** The access log goes back this far. */
const daysBack = 6 * 365
const dayMs = 86_400_000
/** Unsealed rows are shown too, because the list is not used as proof. */
const everyRow = '9223372036854775807'

/** The patients whom the person may act for, with names. Reading is recorded as access. */
export async function records(core: Core, actor: Actor) {
  const { prisma, recorder, clock } = core
  const logins = await prisma.patientLogin.findMany({
    where: { accountId: actor.accountId },
    include: { practice: { select: { id: true, name: true, datasetId: true } } },
    orderBy: [{ createdAt: 'asc' }, { patientId: 'asc' }],
  })
  return Promise.all(
    logins.map(async ({ patientId, practice: { datasetId, ...practice } }) => {
      const at = { practiceId: practice.id, patientId }
      const [chart, withheld, request] = await Promise.all([
        readOwnPatient(core, datasetId, patientId),
        prisma.withheldPatient.count({ where: { ...at, endedAt: null } }),
        prisma.withholdRequest.findFirst({ where: at, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] }),
      ])
      if (chart !== null)
        await recorder.commit({
          access: {
            ...at,
            at: clock(),
            principalKind: 'session',
            principalId: actor.accountId,
            action: 'view_access',
            resourceType: 'Patient',
            count: 1,
            purpose: 'patient_request',
            outcome: 'served',
            correlationId: actor.correlationId,
          },
        })
      return {
        practice,
        patientId,
        /** Null if the practice no longer has the chart. */
        name: chart && summarizePatient(chart.content, null).name,
        withheld: withheld > 0,
        request: request && {
          state:
            request.outcome === 'withheld' || request.outcome === 'declined'
              ? request.outcome
              : ('open' as const),
          createdAt: request.createdAt,
          decidedAt: request.decidedAt,
          answer: request.answer,
        },
      }
    }),
  )
}

/**
 * Reads of a patient's record by keys, apps and systems, the latest first, without those by people in the portal.
 * @throws Problem `not_found` unless the person acts for the patient
 */
export async function readings(
  core: Core,
  { practiceId, patientId }: Readonly<{ practiceId: string; patientId: string }>,
  actor: Actor,
) {
  await requireLogin(core, { practiceId, patientId }, actor)
  const now = core.clock()
  const groups = (
    await listDisclosures(core, {
      practiceId,
      patientId,
      from: new Date(now.getTime() - daysBack * dayMs),
      to: new Date(now.getTime() + dayMs),
      lastId: everyRow,
    })
  ).filter(({ principalKind }) => principalKind !== 'session')
  const [recipients, grants] = await Promise.all([
    findRecipients(core, groups),
    core.prisma.grant.findMany({
      where: { accountId: actor.accountId, practiceId, revokedAt: null },
      select: { clientId: true },
    }),
  ])
  const allowed = new Set(grants.map(({ clientId }) => clientId))
  return mergeDisclosures(groups, ({ recipientId, ...group }) => ({
    recipient: recipients.get(recipientId) ?? { name: 'Deleted', through: recipientId },
    what: describeDisclosure(group),
    purpose: describePurpose(group.purpose),
    /** Whether the person can revoke its access under “Apps you allowed”. */
    allowed: allowed.has(recipientId),
  })).sort((one, other) => other.lastAt.getTime() - one.lastAt.getTime())
}

/**
 * Requests that the practice stops all access to the record.
 * @throws Problem `not_found`, `conflict` (requested already; withheld already)
 */
export async function askForNoMore(
  core: Core,
  { practiceId, patientId }: Readonly<{ practiceId: string; patientId: string }>,
  actor: Actor,
): Promise<void> {
  const { prisma, clock, portalAudit } = core
  await requireLogin(core, { practiceId, patientId }, actor)
  await prisma.$transaction(async (tx) => {
    if ((await tx.withheldPatient.count({ where: { practiceId, patientId, endedAt: null } })) > 0)
      throw new Problem('conflict', { message: 'No key or app reads these records already.' })
    const { id } = await tx.withholdRequest
      .create({
        data: { practiceId, patientId, accountId: actor.accountId, createdAt: clock() },
        select: { id: true },
      })
      .catch((thrown: unknown) => {
        if (isUniqueViolation(thrown))
          throw new Problem('conflict', { message: 'Your practice has this request already.' })
        throw thrown
      })
    await portalAudit.append(tx, {
      ...portalAudit.by(actor),
      practiceId,
      action: 'practice.withholding_requested',
      subject: { kind: 'withhold_request', id },
      detail: { patientId },
    })
  })
}

/** @throws Problem `not_found` */
async function requireLogin(
  { prisma }: Core,
  { practiceId, patientId }: { practiceId: string; patientId: string },
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<void> {
  const isKnown = uuidPattern.test(practiceId) && !patientId.includes('\0')
  if (!isKnown || (await prisma.patientLogin.count({ where: { practiceId, patientId, accountId } })) === 0)
    throw new Problem('not_found')
}
