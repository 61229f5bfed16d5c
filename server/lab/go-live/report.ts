/** How a developer's calls would do in production, out of the activity of their keys and apps. Pure. */
import type { ConductRow } from '../../audit/activity-log.ts'
import { describeRefusal } from '../../contract/keys/refusal-reasons.ts'
import { type GoLiveCheckId, goLiveBounds } from '../../contract/lab/go-live-checks.ts'
import { act, checkCredentials, checkFaults, checkLimits, type Finding, good, unseen } from './waiting.ts'

export type GoLiveReport = Readonly<{
  calls: number
  findings: Readonly<Record<GoLiveCheckId, Finding>>
  /** By interface, method and route; the most frequent first. */
  operations: readonly OperationUse[]
  /** Refusals by what caused them; the most frequent first. */
  causes: readonly Readonly<{ refusal: string; reason: string; count: number; status: number }>[]
}>

export type OperationUse = Readonly<{
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
export function goLiveReport(rows: readonly ConductRow[], keys: readonly KeyLife[], now: Date): GoLiveReport {
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
