/** Only the named signatory signs, only the version that was shown, with a fresh password. We countersign here, too. */
import type {
  Agreement,
  AgreementSignatory,
  AgreementVersion,
} from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { normalize } from '../../contract/text/normalize.ts'
import { serviceParty, signatureStatements } from '../../contract/workflows/agreements.ts'
import { maskEmail } from '../accounts/mask-email.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import type { SignInput, SignOutcome } from './agreement-types.ts'
import { execute } from './execution.ts'
import { replaceChanged } from './negotiation.ts'
import { systemParty } from './parties.ts'
import { canDraw } from './pdf/page-writer.ts'
import { refuseUndrawable } from './render-agreement.ts'
import { refuseReplacingEnded, supersede } from './replaced-agreement.ts'
import { lock, type StepContext, transact, transitionIn, wasDone } from './transition.ts'
import { findVersion } from './versions.ts'

/**
 * @returns `changed`, with nothing signed, if the version that the signer saw is not the stored one or is no longer
 *   offered; a new version is offered then
 * @throws Problem `not_found`, `forbidden` (another person, password too old), `conflict`, `validation`
 */
export function sign(core: Core, input: SignInput, actor: Actor): Promise<SignOutcome> {
  return transact(core, async (tx) => {
    const context = await lock(core, tx, input, actor)
    const { row, party } = context
    if (await wasDone(context, input, ['sign', 'sign_last']))
      return { kind: 'signed', executed: row.executedAt !== null }
    // The guard runs before the step, too: a changed document is offered only to people who may sign it.
    const guards = { may_sign: (step: StepContext) => requireSigner(step, input, actor) }
    await guards.may_sign(context)
    const version = await findVersion(context)
    const changed = await refuseChanged(core, context, input, version)
    if (changed) return changed
    const who = { party, actor }
    if (row.state === 'partially_signed') {
      await transitionIn(core, tx, input, 'sign_last', who, {
        guards,
        effects: async (step) => {
          await writeSignature(core, step, { input, actor, version })
          return execute(core, step, version)
        },
      })
      await supersede(core, tx, row)
      return { kind: 'signed', executed: true }
    }
    await transitionIn(core, tx, input, 'sign', who, {
      guards,
      effects: async (step) => {
        await writeSignature(core, step, { input, actor, version })
        return {
          emails: () => ({ 'agreement-signed': { bySide: (side) => ({ yours: side === party.side }) } }),
        }
      },
    })
    if (row.kind !== 'usage_agreement') return { kind: 'signed', executed: false }
    const service = { party: { ...systemParty, side: 'service' as const }, actor: null }
    const countersigned = await transitionIn(core, tx, { agreementId: row.id }, 'counter_sign', service, {
      guards: { may_counter_sign: requireUsageAgreement },
      effects: async (step) => {
        await writeOurSignature(step, version)
        return execute(core, step, version)
      },
    })
    await supersede(core, tx, countersigned.row)
    return { kind: 'signed', executed: true }
  })
}

async function requireUsageAgreement({ tx, row }: StepContext): Promise<void> {
  if (row.kind !== 'usage_agreement') throw new Problem('conflict')
  await refuseReplacingEnded(tx, row)
}

/** The agreement's row is locked, so that of two signatures at once the second finds the first. */
async function writeSignature(
  { agreementTexts: texts }: Pick<Core, 'agreementTexts'>,
  { tx, row, party, now }: StepContext,
  { input, actor, version }: { input: SignInput; actor: Actor; version: AgreementVersion },
): Promise<void> {
  if (party.side === null) throw new Problem('forbidden')
  const { legalName, title } = input
  refuseUndrawable({ legalName, title }, canDraw)
  const policy =
    row.kind === 'usage_agreement' && party.side === 'developer' ? texts.get('usage-policy') : null
  await tx.agreementSignature.create({
    data: {
      ...signatureOf(row, version, now),
      side: party.side,
      accountId: actor.accountId,
      legalName,
      title,
      clauses: version.clauses,
      policyVersion: policy?.version ?? null,
      policySha256: policy?.sha256 ?? null,
      ip: actor.ip,
      userAgent: actor.userAgent,
      authenticatedAgo: Math.max(0, Math.round((now.getTime() - actor.authenticatedAt.getTime()) / 1_000)),
    },
    select: { id: true },
  })
}

async function writeOurSignature({ tx, row, now }: StepContext, version: AgreementVersion): Promise<void> {
  await tx.agreementSignature.create({
    data: {
      ...signatureOf(row, version, now),
      side: 'service',
      legalName: serviceParty.signatoryName,
      title: serviceParty.signatoryTitle,
    },
    select: { id: true },
  })
}

function signatureOf({ id, number }: Agreement, { sha256 }: AgreementVersion, at: Date) {
  const { authority, consent } = signatureStatements
  return { agreementId: id, number, authority, consent, sha256, at }
}

/** People sign the stored version, and only if it is the one that they were shown. */
async function refuseChanged(
  core: Core,
  context: StepContext,
  { number, sha256 }: SignInput,
  version: AgreementVersion,
): Promise<SignOutcome | null> {
  const changed = await replaceChanged(core, context, version)
  if (changed || (number === context.row.number && sha256 === version.sha256)) return changed
  return {
    kind: 'changed',
    message: 'The document changed after you opened it, so nothing was signed. This is the new version.',
  }
}

async function requireSigner(context: StepContext, input: SignInput, actor: Actor): Promise<void> {
  const { tx, row, party } = context
  const signatory = await findSignatory(context, actor)
  checkName(signatory, input)
  const signed = { agreementId: row.id, number: row.number, side: party.side ?? '' }
  if ((await tx.agreementSignature.count({ where: signed })) > 0)
    throw new Problem('conflict', { message: 'Your side has already signed this version.' })
  await refuseReplacingEnded(tx, row)
  if (row.rejectedNumber === row.number)
    throw new Problem('conflict', { message: 'This version was rejected. Propose a change first.' })
}

/** @throws Problem `forbidden`, whose message names the signatory only by a masked email address */
async function findSignatory({ tx, row, party }: StepContext, actor: Actor): Promise<AgreementSignatory> {
  const signatory =
    party.side === null
      ? null
      : await tx.agreementSignatory.findUnique({
          where: { agreementId_side: { agreementId: row.id, side: party.side } },
        })
  if (signatory?.accountId && signatory.accountId === actor.accountId) return signatory
  const account = signatory?.accountId
    ? await tx.account.findUnique({ where: { id: signatory.accountId }, select: { email: true } })
    : null
  throw new Problem('forbidden', {
    message: account
      ? `${maskEmail(account.email)} must sign this. Sign in with that account.`
      : 'Your side has no signatory for this.',
  })
}

/** The document contains the signatory's name, so the typed name must match it. */
function checkName(named: Pick<AgreementSignatory, 'legalName'>, typed: Pick<SignInput, 'legalName'>): void {
  const plain = (name: string) => normalize(name, 'NFKC').replace(/\s+/gu, ' ').trim().toLowerCase()
  if (plain(named.legalName) !== plain(typed.legalName))
    throw new Problem('validation', {
      field: 'legalName',
      message: `Enter your name exactly as in the document: ${named.legalName}.`,
    })
}
