/** The log of a launch without an account: what its app sent and received, for the browser that started it. */

import { createHash } from 'node:crypto'
import { hashToken } from '../../auth/random-token.ts'
import { isProblem, Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import {
  type OpenLaunch,
  type OpenLaunchKind,
  openLaunchAudience,
  openLaunchLimits,
  openLaunchScopes,
} from '../../contract/lab/open-launch.ts'
import { isUnregisteredApp, unregisteredApps } from '../../contract/smart/unregistered-apps.ts'
import * as clients from '../../domain/clients/clients.ts'
import type { Core } from '../../domain/core.ts'
import type { AnsweredCall } from '../../http/exchange-hook.ts'
import { deleteInBatches } from '../../store/delete-in-batches.ts'
import { noteStep, toShownStep } from './exchange-log.ts'

const listedMax = 50

/** Lists the launches of the last hour, newest first. */
export async function listLog(core: Core, cookieHeader: string | null) {
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
export async function getLog(core: Core, id: string, cookieHeader: string | null) {
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
) {
  return {
    id: row.id,
    kind: row.kind as OpenLaunchKind,
    clientId: row.clientId,
    patientId: row.patientId ?? '',
    startedAt: row.createdAt,
    /** True while it waits for its app. */
    open: row.usedAt === null && row.expiresAt > clock(),
  }
}

function whereOfBrowser(core: Core, cookieHeader: string | null) {
  const keyHash = openKeyHash(core, cookieHeader)
  return keyHash && { keyHash, createdAt: { gt: anHourBefore(core.clock()) } }
}

const anHourBefore = (now: Date) => new Date(now.getTime() - openLaunchLimits.logMinutes * 60_000)

/** Logs a discovery request. It names no launch, so the newest that waits for an app from this address gets it. */
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

/** Logs a FHIR request with a token of the launch. A fault of the log must not fail the request. */
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

/** Runs on a schedule: deletes launches older than an hour with their logs, and apps that they left unused. */
export async function forgetOpen(core: Core, now: Date): Promise<void> {
  const where = { keyHash: { not: null }, createdAt: { lte: anHourBefore(now) } }
  await deleteInBatches((limit) => core.prisma.launchSimulation.deleteMany({ where, limit }))
  await forgetOpenClients(core, now)
}

// The app of a launch without an account: it is unregistered, and its client id is derived from its redirect URIs.

const idCharacters = 24
const dayMs = 86_400_000

/** Depends only on the redirect URIs and the audience, so that an app keeps its client id for good. */
export function openClientId({ kind, redirect }: Pick<OpenLaunch, 'kind' | 'redirect'>): string {
  const uris = JSON.stringify(sorted(redirect))
  const digest = createHash('sha256').update(uris).digest('base64url').slice(0, idCharacters)
  return `${unregisteredApps.prefix}${openLaunchAudience(kind)}-${digest}`
}

/** Creates the app if it is missing, and enables it at this practice only. @returns its client id */
export async function ensureOpenClient(core: Core, launch: OpenLaunch, practiceId: string): Promise<string> {
  const clientId = openClientId(launch)
  const audience = openLaunchAudience(launch.kind)
  const known = await core.prisma.client.findUnique({ where: { id: clientId }, select: { id: true } })
  if (known === null) {
    try {
      await clients.create(
        core,
        {
          clientId,
          organizationId: null,
          environment: 'sandbox',
          audience,
          authentication: 'none',
          // Other people read the name, so it contains nothing that the visitor typed.
          name: unregisteredApps.name,
          description: 'Opened from the launch page, without an account.',
          scope: openLaunchScopes[audience],
          redirectUris: sorted(launch.redirect),
        },
        null,
      )
    } catch (thrown) {
      // Another launch has created the same app in the meantime.
      if (!isProblem(thrown) || thrown.kind !== 'conflict') throw thrown
    }
  }
  await clients.enableAt(core, { clientId, practiceId }, null)
  return clientId
}

/** Runs on a schedule: deletes grants that are older than a day, and apps that nothing refers to any more. */
async function forgetOpenClients({ prisma }: Core, now: Date): Promise<void> {
  const before = new Date(now.getTime() - dayMs)
  const startsWith = unregisteredApps.prefix
  const old = { clientId: { startsWith }, createdAt: { lte: before } }
  await deleteInBatches((limit) => prisma.grant.deleteMany({ where: old, limit }))
  const unused = {
    id: { startsWith },
    createdAt: { lte: before },
    grants: { none: {} },
    launchSimulations: { none: {} },
    launchContexts: { none: {} },
    authorizationRequests: { none: {} },
  }
  await deleteInBatches((limit) => prisma.client.deleteMany({ where: unused, limit }))
}

const sorted = (uris: readonly string[]) => [...new Set(uris)].sort()

// The key of a browser that launches without an account. It is a cookie and never part of a link: with it, a browser
// reads the logs of its launches, and an app that it opens belongs to its launch.

const keyPattern = /^[A-Za-z0-9_-]{43}$/

type OpenKeyCore = Readonly<{
  env: { PUBLIC_ORIGIN: string }
  randomBytes: (size: number) => Uint8Array
}>

/** @returns the hash of the browser's key, or null if it has none */
export function openKeyHash(core: Pick<OpenKeyCore, 'env'>, cookieHeader: string | null) {
  const key = readKey(core, cookieHeader)
  return key === null ? null : hashToken(key)
}

/** Reads the browser's key, or makes one. The Set-Cookie keeps it for another hour. */
export function keepOpenKey(core: OpenKeyCore, cookieHeader: string | null) {
  const key = readKey(core, cookieHeader) ?? Buffer.from(core.randomBytes(32)).toString('base64url')
  const secure = isHttps(core) ? '; Secure' : ''
  const cookie = `${cookieName(core)}=${key}; Max-Age=${openLaunchLimits.logMinutes * 60}; Path=/; HttpOnly; SameSite=Lax${secure}`
  return { keyHash: hashToken(key), cookie }
}

function readKey(core: Pick<OpenKeyCore, 'env'>, cookieHeader: string | null): string | null {
  const start = `${cookieName(core)}=`
  const found = (cookieHeader ?? '').split(/;\s*/).find((pair) => pair.startsWith(start))
  const key = found?.slice(start.length) ?? ''
  return keyPattern.test(key) ? key : null
}

/** A browser takes `__Host-` cookies over https only; plain http is for localhost. */
const cookieName = (core: Pick<OpenKeyCore, 'env'>) => `${isHttps(core) ? '__Host-' : ''}sandpiper-launch`
const isHttps = ({ env }: Pick<OpenKeyCore, 'env'>) => env.PUBLIC_ORIGIN.startsWith('https:')
