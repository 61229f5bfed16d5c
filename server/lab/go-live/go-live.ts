/** The go-live report of an organization, for its members. */

import type { ConductRow } from '../../audit/activity-log.ts'
import * as activityLog from '../../audit/activity-log.ts'
import { describeRefusal } from '../../contract/keys/refusal-reasons.ts'
import { type GoLiveCheckId, goLiveBounds } from '../../contract/lab/go-live-checks.ts'
import { organizationRoles } from '../../contract/portal/organization-roles.ts'
import type { Core } from '../../domain/core.ts'
import { requireRole } from '../../domain/organizations/membership.ts'

/** @throws Problem `not_found` for who is no member */
export async function report(
  core: Core,
  asker: {
    organizationId: string
    accountId: string
  },
): Promise<GoLiveReport & { since: Date; until: Date; cut: boolean }> {
  const { prisma, clock } = core
  await requireRole(prisma, asker, organizationRoles)
  const { organizationId } = asker
  const until = clock()
  const since = new Date(until.getTime() - goLiveBounds.days * 86_400_000)
  const [keys, clients] = await Promise.all([
    prisma.apiKey.findMany({
      // A call from the explorer is not one of the organization's own software.
      where: { organizationId, explorer: false },
      select: { id: true, name: true, expiresAt: true, rotatedAt: true, revokedAt: true },
      orderBy: { id: 'asc' },
    }),
    prisma.client.findMany({ where: { organizationId }, select: { id: true }, orderBy: { id: 'asc' } }),
  ])
  const limit = goLiveBounds.rowsMax
  const rows = await activityLog.conduct(core, {
    keyIds: keys.map(({ id }) => id),
    clientIds: clients.map(({ id }) => id),
    since,
    limit,
  })
  const living = keys.filter(({ revokedAt, expiresAt }) => revokedAt === null && expiresAt > until)
  const lives = living.map(({ rotatedAt, ...key }) => ({ ...key, rotated: rotatedAt !== null }))
  return { ...goLiveReport(rows, lives, until), since, until, cut: rows.length === limit }
}

// How a developer's calls would do in production, out of the activity of their keys and apps. Pure.

export type GoLiveReport = Readonly<{
  calls: number
  findings: Readonly<Record<GoLiveCheckId, Finding>>
  /** By interface, method and route; the most frequent first. */
  operations: readonly OperationUse[]
  /** Refusals by what caused them; the most frequent first. */
  causes: readonly Readonly<{ refusal: string; reason: string; count: number; status: number }>[]
}>

type OperationUse = Readonly<{
  door: ConductRow['door']
  method: string
  route: string
  served: number
  refused: number
}>

type KeyLife = Readonly<{ id: string; name: string; expiresAt: Date; rotated: boolean }>

/** What a rate limit, a credential or the service itself causes is looked at by checks of its own. */
const understood = (status: number) => status < 400 || status === 401 || status === 429 || status >= 500

/** @param rows oldest first */
function goLiveReport(rows: readonly ConductRow[], keys: readonly KeyLife[], now: Date): GoLiveReport {
  const calls = sum(rows)
  return {
    calls,
    findings: {
      called: checkCalled(rows),
      limits: checkLimits(rows),
      faults: checkFaults(rows),
      paging: checkPaging(rows),
      browser: checkBrowser(rows),
      renewal: checkRenewal(rows, keys, now),
      credentials: checkCredentials(rows),
      errors: checkErrors(rows),
    },
    operations: operationsOf(rows),
    causes: causesOf(rows),
  }
}

function checkCalled(rows: readonly ConductRow[]): Finding {
  const served = sum(rows.filter(({ refusal }) => refusal === null))
  if (rows.length === 0) return unseen(`No calls in ${goLiveBounds.days} days.`)
  if (served === 0) return act(`${counted(sum(rows), 'call')}, and none succeeded.`)
  return good(`${counted(served, 'call')} succeeded in ${goLiveBounds.days} days.`)
}

function checkPaging(rows: readonly ConductRow[]): Finding {
  const pages = (mark: string) => sum(rows.filter(({ page }) => page === mark))
  const [begun, ended] = [pages('begun'), pages('last')]
  if (begun === 0) return unseen('No response had a next page. Request a long list, or small pages.')
  if (ended === 0) return act(`${counted(begun, 'list')} had more pages, and none was read to the end.`)
  const seen = `${counted(begun, 'list')} had more pages, ${ended} of them read to the end.`
  return ended * 2 >= begun ? good(seen) : act(seen)
}

function checkBrowser(rows: readonly ConductRow[]): Finding {
  const byKey = rows.filter(({ kind }) => kind === 'key')
  if (byKey.length === 0) return unseen('No calls were made with a key.')
  const seen = sum(byKey.filter(({ fromBrowser }) => fromBrowser))
  return seen === 0
    ? good('No call with a key came from a browser.')
    : act(`${counted(seen, 'call')} with a key had a browser’s Origin header.`)
}

function checkRenewal(rows: readonly ConductRow[], keys: readonly KeyLife[], now: Date): Finding {
  const soon = now.getTime() + goLiveBounds.keyEndsDays * 86_400_000
  const ending = keys.filter(({ expiresAt, rotated }) => !rotated && expiresAt.getTime() <= soon)
  if (ending.length > 0)
    return act(
      `${counted(ending.length, 'key')} will expire within ${goLiveBounds.keyEndsDays} days and was not rotated.`,
    )
  const apps = rows.filter(({ kind }) => kind === 'app')
  const tokens = apps.filter(({ route, refusal }) => route.endsWith('/token') && refusal === null)
  const expired = apps.filter(({ refusal }) => refusal === 'token_expired')
  const renewed = (row: ConductRow) =>
    tokens.some(({ credential, at }) => credential === row.credential && at >= row.at)
  const left = expired.filter((row) => !renewed(row))
  if (left.length > 0)
    return act(`${counted(sum(left), 'call')} used an expired token, and no new one was requested.`)
  const again = tokens.length - new Set(tokens.map(({ credential }) => credential)).size
  if (again > 0) return good(`Tokens were renewed ${again === 1 ? 'once' : `${again} times`}.`)
  if (keys.some(({ rotated }) => rotated)) return good('A key was rotated before it expired.')
  return unseen('No token was renewed and no key was rotated. Let one expire, or rotate one on purpose.')
}

function checkErrors(rows: readonly ConductRow[]): Finding {
  const own = rows.filter(({ injected }) => !injected)
  const calls = sum(own)
  if (calls === 0) return unseen('No calls.')
  const wrong = sum(own.filter(({ refusal, status }) => refusal !== null && !understood(status)))
  const share = wrong / calls
  const seen =
    wrong === 0
      ? 'No calls were refused because of their content.'
      : `${wrong.toLocaleString('en-US')} of ${counted(calls, 'call')} refused because of their content (${Math.ceil(share * 100)}%).`
  return share > goLiveBounds.misunderstoodShare ? act(seen) : good(seen)
}

function operationsOf(rows: readonly ConductRow[]): OperationUse[] {
  const uses = new Map<string, { -readonly [Name in keyof OperationUse]: OperationUse[Name] }>()
  for (const { door, method, route, refusal, count } of rows) {
    const name = `${door} ${method} ${route}`
    const use = uses.get(name) ?? { door, method, route, served: 0, refused: 0 }
    use[refusal === null ? 'served' : 'refused'] += count
    uses.set(name, use)
  }
  return [...uses]
    .sort(([a, x], [b, y]) => y.served + y.refused - (x.served + x.refused) || a.localeCompare(b))
    .map(([, use]) => use)
}

function causesOf(rows: readonly ConductRow[]): GoLiveReport['causes'] {
  const causes = new Map<string, { refusal: string; reason: string; count: number; status: number }>()
  for (const { door, refusal, status, count, injected } of rows) {
    // Nothing in the request caused it.
    if (refusal === null || injected) continue
    const cause = causes.get(refusal) ?? { refusal, status, reason: describeRefusal(refusal, door), count: 0 }
    cause.count += count
    causes.set(refusal, cause)
  }
  return [...causes.values()].sort((a, b) => b.count - a.count || a.refusal.localeCompare(b.refusal))
}

const sum = (rows: readonly Pick<ConductRow, 'count'>[]) =>
  rows.reduce((total, { count }) => total + count, 0)

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
}

// What a caller does after it was refused: waits, or comes again at once. Pure; rows are oldest first.

/** The result of one go-live check. */
type Finding = Readonly<{
  /** `unseen`: nothing that happened tells. */
  state: 'good' | 'act' | 'unseen'
  /** What was seen, in a sentence. */
  seen: string
}>

const good = (seen: string): Finding => ({ state: 'good', seen })
const act = (seen: string): Finding => ({ state: 'act', seen })
const unseen = (seen: string): Finding => ({ state: 'unseen', seen })

/** After a 5xx without `Retry-After`. */
const faultSeconds = 1

function checkLimits(rows: readonly ConductRow[]): Finding {
  const { refusals, hasty } = hastyAfter(rows, ({ status }) => status === 429, 1)
  if (refusals === 0) return unseen('No call exceeded a limit. Exceed one on purpose to test this.')
  return hasty === 0
    ? good(`Hit the limit ${times(refusals)} and backed off every time.`)
    : act(`Hit the limit ${times(refusals)}. After ${hasty} of them, the next call came too early.`)
}

function checkFaults(rows: readonly ConductRow[]): Finding {
  const { refusals, hasty } = hastyAfter(rows, ({ status }) => status >= 500, faultSeconds)
  if (refusals === 0) return unseen('No call met a fault. Inject one in the Fault Lab to test this.')
  return hasty === 0
    ? good(`Hit errors ${times(refusals)} and backed off every time.`)
    : act(`Hit errors ${times(refusals)}. After ${hasty} of them, the next call came immediately.`)
}

/** Refusals in a row of one credential, with none served in between. */
function checkCredentials(rows: readonly ConductRow[]): Finding {
  if (rows.length === 0) return unseen('No calls.')
  let longest = 0
  for (const calls of byCredential(rows)) {
    let row = 0
    for (const { status, count } of calls) {
      row = status === 401 ? row + count : 0
      longest = Math.max(longest, row)
    }
  }
  if (longest === 0) return good('No credential was refused.')
  return longest < goLiveBounds.unauthorizedInARow
    ? good(`A refused credential was sent at most ${times(longest)} in a row.`)
    : act(`A refused credential was sent ${times(longest)} in a row.`)
}

/**
 * A refusal is one with those that followed within the moment in which calls were under way. Who then calls before the
 * seconds are over was hasty.
 */
function hastyAfter(
  rows: readonly ConductRow[],
  isRefused: (row: ConductRow) => boolean,
  secondsElse: number,
): { refusals: number; hasty: number } {
  let refusals = 0
  let hasty = 0
  for (const calls of byCredential(rows)) {
    let waiting: { underWayUntil: number; until: number } | null = null
    for (const call of calls) {
      const at = call.at.getTime()
      if (waiting !== null && at > waiting.underWayUntil) {
        if (at < waiting.until) hasty += 1
        waiting = null
      }
      if (!isRefused(call)) continue
      // A flood that was folded into one row did not wait.
      if (call.count > 1) hasty += 1
      if (waiting !== null) continue
      refusals += 1
      const seconds = call.retryAfterSeconds ?? secondsElse
      waiting = { underWayUntil: at + goLiveBounds.underWayMs, until: at + seconds * 1_000 }
    }
  }
  return { refusals, hasty: Math.min(hasty, refusals) }
}

function byCredential(rows: readonly ConductRow[]): Iterable<readonly ConductRow[]> {
  const found = new Map<string, ConductRow[]>()
  for (const row of rows) {
    const known = found.get(row.credential)
    if (known) known.push(row)
    else found.set(row.credential, [row])
  }
  return found.values()
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count.toLocaleString('en-US')} times`
}
