/**
 * Two-step sign-in. Staff, and admins and signatories of practices, set up an authenticator app at their first sign-in;
 * developers when a step first requires it. From then on, every sign-in needs its code or a recovery code (decisions, 20
 * and 46).
 */
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import type { PortalSession } from '../../auth/sessions.ts'
import type { MfaCode } from '../../contract/forms/mfa.ts'
import { Problem } from '../../contract/http/problems.ts'
import { isFresh, missingProofWords } from '../../contract/portal/step-up.ts'
import { requireStepUp } from '../accounts/step-up.ts'
import type { Attempt, Throttled } from '../accounts/throttle.ts'
import * as throttle from '../accounts/throttle.ts'
import type { Context } from '../actor.ts'
import type { Core } from '../core.ts'
import { findStep, replaceRecoveryCodes, seedBytes, takeRecoveryCode, toEnrolment } from './mfa-codes.ts'

/** The data for an authenticator app, shown until its first code is entered. */
type Enrolment = Readonly<{ uri: string; typed: string }>

/** Whether the account has an app set up, and how many recovery codes are left. */
export async function find({ prisma }: Core, accountId: string) {
  const row = await prisma.totpSecret.findUnique({ where: { accountId }, select: { confirmedAt: true } })
  if (!row?.confirmedAt) return { enrolled: false, recoveryCodesLeft: 0 }
  return {
    enrolled: true,
    recoveryCodesLeft: await prisma.recoveryCode.count({ where: { accountId, usedAt: null } }),
  }
}

/**
 * Begins the set-up of an app. The seed belongs to this session, and stays the same when the page is reloaded.
 * @throws Problem `conflict` if an app is set up already; `forbidden` for demonstration accounts, and without a fresh
 *   password, so that a stolen session can't set up the thief's app
 */
export async function beginEnrolment(core: Core, session: PortalSession): Promise<Enrolment> {
  const { clock, randomBytes, keyring, prisma } = core
  checkMayEnrol(session, clock())
  const { accountId } = session
  const seed = (await openDraft(core, session)) ?? randomBytes(seedBytes)
  const sealedSecret = keyring.seal(seed, draftContext(session))
  const draft = { sealedSecret, createdAt: clock() }
  // Only a draft is replaced, never a finished set-up.
  const replaced = await prisma.totpSecret.updateMany({
    where: { accountId, confirmedAt: null },
    data: draft,
  })
  if (replaced.count === 0) {
    const inserted = await prisma.totpSecret.createMany({
      data: { accountId, ...draft },
      skipDuplicates: true,
    })
    if (inserted.count === 0) throw alreadySetUp()
  }
  return toEnrolment(seed, session.account.email)
}

/**
 * Finishes the set-up with the app's first code, which counts as this sign-in's second step.
 * @returns the recovery codes, shown once, and the session's new cookie
 * @throws Problem `conflict`, `forbidden` as `beginEnrolment`
 */
export async function confirmEnrolment(
  core: Core,
  { session, code }: { session: PortalSession; code: string },
  context: Context,
): Promise<{ kind: 'enrolled'; recoveryCodes: string[]; cookie: string } | { kind: 'refused' } | Throttled> {
  const { clock, prisma, keyring, randomBytes, sessions } = core
  checkMayEnrol(session, clock())
  const { accountId } = session
  const attempts = attemptsAt(accountId)
  const throttled = await throttle.take(core, attempts)
  if (throttled) return throttled
  const seed = await openDraft(core, session)
  const step = seed && findStep(seed, code, clock())
  if (!seed || step === null) return { kind: 'refused' }
  await throttle.giveBack(core, attempts)
  return prisma.$transaction(async (tx) => {
    const confirmed = await tx.totpSecret.updateMany({
      where: { accountId, confirmedAt: null },
      data: {
        sealedSecret: keyring.seal(seed, sealContext(accountId)),
        confirmedAt: clock(),
        lastStep: step,
      },
    })
    if (confirmed.count === 0) throw alreadySetUp()
    const recoveryCodes = await replaceRecoveryCodes(tx, accountId, randomBytes)
    await record(core, tx, 'second_factor.enrolled', session, context)
    const { cookie } = await sessions.renewAfterMfa(session, tx)
    await sessions.endOthers({ accountId, keepSessionId: session.id }, tx)
    return { kind: 'enrolled', recoveryCodes, cookie }
  })
}

/** Checks the second step of a sign-in. A code works once, even within its half minute. */
export async function verify(
  core: Core,
  { session, typed }: { session: PortalSession; typed: MfaCode },
  context: Context,
): Promise<{ kind: 'verified'; cookie: string } | { kind: 'refused' } | Throttled> {
  const { prisma, sessions, clock } = core
  const { accountId } = session
  const attempts = attemptsAt(accountId)
  const throttled = await throttle.take(core, attempts)
  if (throttled) return throttled
  const answer = await prisma.$transaction(async (tx) => {
    const { kind, code } = typed
    const taken =
      kind === 'totp'
        ? await takeStep(core, tx, accountId, code)
        : await takeRecoveryCode(tx, { accountId, code, now: clock() })
    if (!taken) return null
    const action = kind === 'totp' ? 'second_factor.given' : 'second_factor.recovery_code_used'
    await record(core, tx, action, session, context)
    return sessions.renewAfterMfa(session, tx)
  })
  if (!answer) return { kind: 'refused' }
  await throttle.giveBack(core, attempts)
  return { kind: 'verified', cookie: answer.cookie }
}

async function takeStep(
  { keyring, clock }: Core,
  tx: Prisma.TransactionClient,
  accountId: string,
  code: string,
): Promise<boolean> {
  const row = await tx.totpSecret.findUnique({ where: { accountId, confirmedAt: { not: null } } })
  const step = row && findStep(keyring.open(row.sealedSecret, sealContext(accountId)), code, clock())
  if (step === null) return false
  const { count } = await tx.totpSecret.updateMany({
    where: { accountId, confirmedAt: { not: null }, lastStep: { lt: step } },
    data: { lastStep: step },
  })
  return count > 0
}

/**
 * Replaces all recovery codes.
 * @throws Problem `forbidden` unless the password and the second step were entered in the last ten minutes
 */
export async function renewRecoveryCodes(core: Core, session: PortalSession, context: Context) {
  const { clock, prisma, randomBytes } = core
  if (session.mfaState !== 'given' || session.mfaAt === null)
    throw new Problem('forbidden', { detail: 'no second step in this sign-in' })
  requireStepUp({ ...session, mfa: session.mfaAt }, clock())
  return prisma.$transaction(async (tx) => {
    const codes = await replaceRecoveryCodes(tx, session.accountId, randomBytes)
    await record(core, tx, 'second_factor.recovery_codes_renewed', session, context)
    return codes
  })
}

/** Seals seeds with the keyring's first key. Drafts are left out, because they end with their session. */
export async function reseal({ prisma, keyring }: Core): Promise<number> {
  const rows = await prisma.totpSecret.findMany({ where: { confirmedAt: { not: null } } })
  let resealed = 0
  for (const { accountId, sealedSecret } of rows) {
    const sealed = keyring.reseal(sealedSecret, sealContext(accountId))
    if (!sealed) continue
    resealed += (
      await prisma.totpSecret.updateMany({
        where: { accountId, sealedSecret },
        data: { sealedSecret: sealed },
      })
    ).count
  }
  return resealed
}

/** The seed of an unfinished set-up, if this session began it. */
async function openDraft({ prisma, keyring }: Core, session: PortalSession): Promise<Uint8Array | null> {
  const row = await prisma.totpSecret.findUnique({
    where: { accountId: session.accountId, confirmedAt: null },
  })
  if (!row) return null
  try {
    return keyring.open(row.sealedSecret, draftContext(session))
  } catch {
    return null // another session sealed it, or its key is gone
  }
}

async function record(
  { portalAudit }: Core,
  tx: Prisma.TransactionClient,
  action: string,
  session: PortalSession,
  context: Context,
) {
  await portalAudit.append(tx, {
    ...portalAudit.by({ ...context, accountId: session.accountId }),
    action,
    subject: { kind: 'session', id: session.id },
  })
}

/** Attempts count per account from any network, because the caller knows the password. */
const attemptsAt = (accountId: string): Attempt[] => [{ rule: 'secondFactor', subject: [accountId] }]

function checkMayEnrol({ mfaState, authenticatedAt }: PortalSession, now: Date): void {
  if (mfaState === 'not_asked')
    throw new Problem('forbidden', { message: 'Two-step sign-in isn’t set up for this sign-in.' })
  if (mfaState === 'given') throw alreadySetUp()
  if (mfaState === 'not_set_up' && !isFresh(authenticatedAt, now))
    throw new Problem('forbidden', { message: missingProofWords.password, field: 'stepUp' })
}

const alreadySetUp = (): Problem =>
  new Problem('conflict', { message: 'An authenticator app is already set up.' })

const sealContext = (accountId: string) => `totp:${accountId}`
const draftContext = ({ accountId, id }: PortalSession) => `totp-draft:${accountId}:${id}`
