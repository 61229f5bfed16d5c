/**
 * Counts attempts per subject and fixed window in the database, so that the limit applies across processes. An attempt
 * is counted before its work is done, so that concurrent guesses all count.
 */
import { createHash } from 'node:crypto'
import { Problem } from '../../contract/http/problems.ts'
import { appTokensPerHour } from '../../contract/lab/app-tokens.ts'
import { launchesPerHour } from '../../contract/lab/launch-lab.ts'
import { openLaunchLimits } from '../../contract/lab/open-launch.ts'
import { sandboxLimits } from '../../contract/lab/sandbox-changes.ts'
import { deleteInBatches } from '../../store/delete-in-batches.ts'
import type { Core } from '../core.ts'

export const throttleRules = {
  /** Wrong passwords for one address from one network. */
  signIn: { windowSeconds: 900, attemptsMax: 10 },
  /** Wrong passwords from one network, whatever the address. */
  signInNetwork: { windowSeconds: 900, attemptsMax: 100 },
  /** Wrong passwords for demonstration sign-ins from one network: each costs a hash, and none is locked for long. */
  signInDemo: { windowSeconds: 60, attemptsMax: 60 },
  /** Wrong codes at the second step of one account. */
  secondFactor: { windowSeconds: 900, attemptsMax: 5 },
  /** Emails that visitors may cause to one address. */
  mailAddress: { windowSeconds: 3_600, attemptsMax: 3 },
  /** Hashes of leaked keys that one network may report. */
  leakReport: { windowSeconds: 3_600, attemptsMax: 60 },
  /** Documents that one network may verify by their hash. */
  verifyDocument: { windowSeconds: 3_600, attemptsMax: 120 },
  /** Emails that one network may cause. */
  mailNetwork: { windowSeconds: 3_600, attemptsMax: 30 },
  /** Invitations that one account may send or renew. */
  invitation: { windowSeconds: 3_600, attemptsMax: 30 },
  /** Invitations that one address may get, from all senders together. */
  invitationAddress: { windowSeconds: 3_600, attemptsMax: 5 },
  /** Resets, snapshots and restores of one sandbox: each writes all of its data again. */
  sandboxChange: { windowSeconds: 3_600, attemptsMax: sandboxLimits.changesPerHour },
  /** Launches that one organization sets up: each stores rows. */
  launchSimulation: { windowSeconds: 3_600, attemptsMax: launchesPerHour },
  /** Access tokens that the developers of one organization get in the portal. */
  appToken: { windowSeconds: 3_600, attemptsMax: appTokensPerHour },
  /** Launches without an account, of one network and of all networks: each stores rows. */
  openLaunch: { windowSeconds: 3_600, attemptsMax: openLaunchLimits.networkPerHour },
  openLaunchEverybody: { windowSeconds: 3_600, attemptsMax: openLaunchLimits.everybodyPerHour },
} as const

export type ThrottleRule = keyof typeof throttleRules
export type Throttled = { kind: 'throttled'; retryAfterSeconds: number }
export type Attempt = { rule: ThrottleRule; subject: readonly string[] }

/** Counts one attempt for each rule; the first rule over its limit refuses. */
export async function take(core: Core, attempts: readonly Attempt[]): Promise<Throttled | null> {
  for (const attempt of attempts) {
    const refused = await takeOne(core, attempt)
    if (refused) return refused
  }
  return null
}

/** Like {@link take}, but throws. @throws Problem `rate_limited` */
export async function takeOrRefuse(core: Core, attempts: readonly Attempt[], message?: string) {
  const throttled = await take(core, attempts)
  if (throttled === null) return
  const { retryAfterSeconds } = throttled
  throw new Problem(
    'rate_limited',
    message === undefined ? { retryAfterSeconds } : { message, retryAfterSeconds },
  )
}

async function takeOne({ clock, prisma }: Core, attempt: Attempt): Promise<Throttled | null> {
  const { windowSeconds, attemptsMax } = throttleRules[attempt.rule]
  const now = clock()
  const windowStart = windowOf(attempt, now)
  const [row] = await prisma.$queryRaw<{ count: number }[]>`
      INSERT INTO portal.throttle AS t (key, window_start, count)
      VALUES (${keyOf(attempt)}, ${windowStart}, 1)
      ON CONFLICT (key, window_start) DO UPDATE SET count = LEAST(t.count + 1, 1000000)
      RETURNING count`
  if ((row?.count ?? 1) <= attemptsMax) return null
  const windowEnds = windowStart.getTime() + windowSeconds * 1_000
  return {
    kind: 'throttled',
    retryAfterSeconds: Math.max(1, Math.ceil((windowEnds - now.getTime()) / 1_000)),
  }
}

/** Subtracts attempts that turned out not to be guesses. */
export async function giveBack({ clock, prisma }: Core, attempts: readonly Attempt[]): Promise<void> {
  const now = clock()
  for (const attempt of attempts) {
    await prisma.throttle.updateMany({
      where: { key: keyOf(attempt), windowStart: windowOf(attempt, now), count: { gt: 0 } },
      data: { count: { decrement: 1 } },
    })
  }
}

/** The tick: deletes windows that have ended. */
export async function deleteOld({ prisma }: Core, before: Date): Promise<number> {
  const where = { windowStart: { lt: before } }
  return deleteInBatches((limit) => prisma.throttle.deleteMany({ where, limit }))
}

/** The network of an address: the IPv4 address itself, or the IPv6 /64, which is usually one customer's. */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped || !ip.includes(':')) return mapped ?? ip
  const [head = '', tail] = ip.toLowerCase().split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  const groups = [...left, ...zeros, ...right].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** The key is a hash, so that the table does not disclose email addresses. */
const keyOf = ({ rule, subject }: Attempt): string =>
  `${rule}:${createHash('sha256').update(subject.join('\n')).digest('base64url')}`

function windowOf({ rule }: Attempt, now: Date): Date {
  const lengthMs = throttleRules[rule].windowSeconds * 1_000
  return new Date(Math.floor(now.getTime() / lengthMs) * lengthMs)
}
