/** The log of launches without an account: what their apps sent and got, for whoever holds the browser's key. */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { hashToken } from '../../auth/random-token.ts'
import { Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import { type OpenLaunchKind, openLaunchLimits } from '../../contract/lab/open-launch.ts'
import { isUnregisteredApp } from '../../contract/smart/unregistered-apps.ts'
import type { Core } from '../../domain/core.ts'
import type { AnsweredCall } from '../../http/exchange-hook.ts'
import { deleteInBatches } from '../../store/delete-in-batches.ts'
import { noteStep, type ShownStep, toShownStep } from './exchange-log.ts'
import { forgetOpenClients } from './open-client.ts'
import { openKeyHash } from './open-key.ts'

const listedMax = 50

type LoggedLaunch = Readonly<{
  id: string
  kind: OpenLaunchKind
  clientId: string
  patientId: string
  startedAt: Date
  /** Waits for its app. */
  open: boolean
}>

/** Of the last hour, the newest first. */
export async function listLog(core: Core, cookieHeader: string | null): Promise<readonly LoggedLaunch[]> {
  const where = whereOfBrowser(core, cookieHeader)
  if (where === null) return []
  const rows = await core.prisma.launchSimulation.findMany({
    where,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: listedMax,
  })
  return rows.map((row) => toLogged(core, row))
}

/** @throws Problem `not_found` for a launch of another browser, or of more than an hour ago */
export async function getLog(
  core: Core,
  id: string,
  cookieHeader: string | null,
): Promise<LoggedLaunch & { steps: readonly ShownStep[] }> {
  const where = whereOfBrowser(core, cookieHeader)
  const row =
    where !== null && uuidPattern.test(id)
      ? await core.prisma.launchSimulation.findFirst({
          where: { ...where, id },
          include: { steps: { orderBy: { id: 'asc' } } },
        })
      : null
  if (row === null)
    throw new Problem('not_found', {
      message: 'You can read the launch log for one hour, in the browser that started the launch.',
    })
  return { ...toLogged(core, row), steps: row.steps.map(toShownStep) }
}

function toLogged(
  { clock }: Core,
  row: { id: string; kind: string; clientId: string; patientId: string | null; createdAt: Date } & {
    usedAt: Date | null
    expiresAt: Date
  },
): LoggedLaunch {
  return {
    id: row.id,
    kind: row.kind as OpenLaunchKind,
    clientId: row.clientId,
    patientId: row.patientId ?? '',
    startedAt: row.createdAt,
    open: row.usedAt === null && row.expiresAt > clock(),
  }
}

function whereOfBrowser(
  core: Core,
  cookieHeader: string | null,
): { keyHash: Uint8Array<ArrayBuffer>; createdAt: Prisma.DateTimeFilter } | null {
  const keyHash = openKeyHash(core, cookieHeader)
  return keyHash && { keyHash, createdAt: { gt: anHourBefore(core.clock()) } }
}

const anHourBefore = (now: Date) => new Date(now.getTime() - openLaunchLimits.logMinutes * 60_000)

/** An app looked the addresses up: it is that of the launches that wait for one from this address. */
export async function noteDiscovery(
  core: Core,
  { practice, url, ip }: { practice: { id: string; purpose: string }; url: string; ip: string },
): Promise<void> {
  if (practice.purpose !== 'demonstration') return
  const found = await core.prisma.launchSimulation.findFirst({
    where: {
      practiceId: practice.id,
      openedFrom: hashToken(ip),
      keyHash: { not: null },
      usedAt: null,
      expiresAt: { gt: core.clock() },
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  })
  if (found === null) return
  await noteStep(core, found.id, { step: 'discovery', ok: true, sent: { url }, came: { status: 200 } })
}

/** A FHIR request with a token of the launch. Its log must not fail the request. */
export async function noteCall(core: Core, call: AnsweredCall): Promise<void> {
  if (!isUnregisteredApp(call.clientId)) return
  try {
    const found = await core.prisma.launchSimulation.findFirst({ where: { grantId: call.grantId } })
    if (found === null) return
    const { method, url, status, problem } = call
    await noteStep(core, found.id, {
      step: 'read',
      ok: problem === null,
      sent: { request: `${method} ${url}` },
      came: { status, ...call.came },
      ...(problem !== null && { note: problem.message }),
    })
  } catch (thrown) {
    core.log.error({ err: thrown }, 'a FHIR request is missing in the log of its launch')
  }
}

/** Tick: launches whose hour is over, with their logs, and what they left. */
export async function forgetOpen(core: Core, now: Date): Promise<void> {
  const where = { keyHash: { not: null }, createdAt: { lte: anHourBefore(now) } }
  await deleteInBatches((limit) => core.prisma.launchSimulation.deleteMany({ where, limit }))
  await forgetOpenClients(core, now)
}
