/** Signing: the named person, the very bytes, the password fresh; and our own counter-signature. */
import type {
  Agreement,
  AgreementSignatory,
  AgreementVersion,
  Prisma,
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
import { type Initiator, lock, type StepContext, transact, transitionIn, wasDone } from './transition.ts'
import { findVersion } from './versions.ts'

/**
 * @returns `changed`, with nothing signed, when what was looked at is not what is stored or no longer offered; the
 *   new version is offered then
 * @throws Problem `not_found`, `forbidden` (another person, password too old), `conflict`, `validation`
 */
export function sign(core: Core, input: SignInput, actor: Actor): Promise<SignOutcome> {
  return transact(core, async (tx) => {
    const of = await lock(core, tx, input, actor)
    const { row, party } = of
    if (await wasDone(of, input, ['sign', 'sign_last']))
      return { kind: 'signed', executed: row.executedAt !== null }
    // Checked before the step too: a changed document is offered again only to people who may sign it.
    const guards = { may_sign: (at: StepContext) => requireSigner(at, input, actor) }
    await guards.may_sign(of)
    const version = await findVersion(of)
    const changed = await refuseChanged(core, of, input, version)
    if (changed) return changed
    const who = { party, actor }
    if (row.state === 'partially_signed') {
      await transitionIn(core, tx, input, 'sign_last', who, {
        guards,
        effects: async (at) => {
          await writeSignature(core, at, { input, actor, version })
          return execute(core, at, version)
        },
      })
      await supersede(core, tx, row)
      return { kind: 'signed', executed: true }
    }
    await transitionIn(core, tx, input, 'sign', who, {
      guards,
      effects: async (at) => {
        await writeSignature(core, at, { input, actor, version })
        return {
          emails: () => ({
            'agreement-signed': { bySide: (side) => ({ yours: side === party.side }) },
            'agreement-counter-sign': {},
          }),
        }
      },
    })
    if (row.kind !== 'usage_agreement' || core.counterSignature !== 'automatic')
      return { kind: 'signed', executed: false }
    const us = { party: { ...systemParty, side: 'service' as const }, actor: null }
    await counterSignIn(core, tx, { target: { agreementId: row.id }, who: us, version }, writeOurSignature)
    return { kind: 'signed', executed: true }
  })
}

/** By a person of operations, where the policy asks for one. */
export function counterSign(core: Core, input: SignInput, actor: Actor): Promise<SignOutcome> {
  return transact(core, async (tx) => {
    const of = await lock(core, tx, input, actor)
    if (await wasDone(of, input, ['counter_sign'])) return { kind: 'signed', executed: true }
    await requireUsageAgreement(of)
    const version = await findVersion(of)
    const changed = await refuseChanged(core, of, input, version)
    if (changed) return changed
    const who = { party: of.party, actor }
    await counterSignIn(core, tx, { target: input, who, version }, (at) =>
      writeSignature(core, at, { input, actor, version }),
    )
    return { kind: 'signed', executed: true }
  })
}

async function counterSignIn(
  core: Core,
  tx: Prisma.TransactionClient,
  {
    target,
    who,
    version,
  }: { target: SignInput | { agreementId: string }; who: Initiator; version: AgreementVersion },
  write: (at: StepContext, version: AgreementVersion) => Promise<void>,
): Promise<void> {
  const { row } = await transitionIn(core, tx, target, 'counter_sign', who, {
    guards: { may_counter_sign: requireUsageAgreement },
    effects: async (at) => {
      await write(at, version)
      return execute(core, at, version)
    },
  })
  await supersede(core, tx, row)
}

async function requireUsageAgreement({ tx, row }: StepContext): Promise<void> {
  if (row.kind !== 'usage_agreement') throw new Problem('conflict')
  await refuseReplacingEnded(tx, row)
}

/** Of two at once the second finds the row of the first: the agreement's own row is locked. */
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

/** What is signed is what is stored, and what is stored is what was shown. */
async function refuseChanged(
  core: Core,
  of: StepContext,
  { number, sha256 }: SignInput,
  version: AgreementVersion,
): Promise<SignOutcome | null> {
  const changed = await replaceChanged(core, of, version)
  if (changed || (number === of.row.number && sha256 === version.sha256)) return changed
  return {
    kind: 'changed',
    message: 'The document changed after you opened it, so nothing was signed. This is the new version.',
  }
}

async function requireSigner(of: StepContext, input: SignInput, actor: Actor): Promise<void> {
  const { tx, row, party } = of
  const named = await findNamed(of, actor)
  checkName(named, input)
  const signed = { agreementId: row.id, number: row.number, side: party.side ?? '' }
  if ((await tx.agreementSignature.count({ where: signed })) > 0)
    throw new Problem('conflict', { message: 'Your side has already signed this version.' })
  await refuseReplacingEnded(tx, row)
  if (row.rejectedNumber === row.number)
    throw new Problem('conflict', { message: 'This version was rejected. Propose a change first.' })
}

/** @throws Problem `forbidden`, which says whom it waits for by a masked address alone */
async function findNamed({ tx, row, party }: StepContext, actor: Actor): Promise<AgreementSignatory> {
  const named =
    party.side === null
      ? null
      : await tx.agreementSignatory.findUnique({
          where: { agreementId_side: { agreementId: row.id, side: party.side } },
        })
  if (named?.accountId && named.accountId === actor.accountId) return named
  const account = named?.accountId
    ? await tx.account.findUnique({ where: { id: named.accountId }, select: { email: true } })
    : null
  throw new Problem('forbidden', {
    message: account
      ? `${maskEmail(account.email)} must sign this. Sign in with that account.`
      : 'Your side has no signatory for this.',
  })
}

/** The document names who signs: what is typed is that name. */
function checkName(named: Pick<AgreementSignatory, 'legalName'>, typed: Pick<SignInput, 'legalName'>): void {
  const plain = (name: string) => normalize(name, 'NFKC').replace(/\s+/gu, ' ').trim().toLowerCase()
  if (plain(named.legalName) !== plain(typed.legalName))
    throw new Problem('validation', {
      field: 'legalName',
      message: `Enter your name exactly as in the document: ${named.legalName}.`,
    })
}
