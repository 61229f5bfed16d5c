/** Signing: the named person, the very bytes, the password fresh; and our own counter-signature. */
import type { AgreementSignatory, AgreementVersion, Prisma } from '../../../prisma/generated/client/client.ts'
import type { AgreementState } from '../../contract/agreement-workflow.ts'
import { serviceParty, signatureStatements } from '../../contract/agreements.ts'
import { Problem } from '../../contract/problems.ts'
import { maskEmail } from '../accounts/mask-email.ts'
import type { Actor } from '../actor.ts'
import type { ToldMail } from './agreement-mails.ts'
import { systemParty } from './agreement-parties.ts'
import type { AgreementRooms } from './agreement-rooms.ts'
import type { SignInput, SignOutcome } from './agreement-types.ts'
import type { AgreementCase, AgreementWork } from './agreement-walk.ts'
import type { Execution } from './execution.ts'
import { refuseUndrawable } from './merge-text.ts'
import { canDraw } from './pdf/fonts.ts'
import { sha256Of } from './render-agreement.ts'
import type { Reoffers } from './reoffers.ts'
import { refuseReplacingEnded } from './replaced-agreement.ts'

export function createSigning(rooms: AgreementRooms, execution: Execution, reoffers: Reoffers) {
  const { walk, texts, counterSignature } = rooms

  /**
   * @returns `changed`, with nothing signed, when what was looked at is not what is stored or no longer offered; the
   *   new version is offered then
   * @throws Problem `not_found`, `forbidden` (somebody else, password too old), `conflict`, `validation`
   */
  async function sign(input: SignInput, actor: Actor): Promise<SignOutcome> {
    return walk.locked(input, actor, async (of) => {
      const { row, party } = of
      if (await walk.wasDone(of, input, ['sign', 'sign_last']))
        return { kind: 'signed', executed: row.executedAt !== null }
      checkName(await refuseStranger(of), input)
      await refuseTwice(of)
      await refuseReplacingEnded(of.tx, row)
      if (row.rejectedNumber === row.number)
        throw new Problem('conflict', { message: 'This version was rejected. Propose a change first.' })
      const changed = await refuseChanged(of, input)
      if (changed) return changed
      const event = (row.state as AgreementState) === 'partially_signed' ? 'sign_last' : 'sign'
      const version = await findVersion(of)
      const last = event === 'sign_last'
      const after = await walk.advance(
        of,
        event,
        async () => {
          await writeSignature(of, input, version)
          return last ? execution.execute(of, version) : firstSignature(of)
        },
        input,
      )
      const next = { ...of, row: after }
      if (last) await execution.supersede(next)
      if (row.kind !== 'usage_agreement' || party.side !== 'developer')
        return { kind: 'signed', executed: last }
      if (counterSignature !== 'automatic') return { kind: 'signed', executed: false }
      await counterSignByPolicy(next, version)
      return { kind: 'signed', executed: true }
    })
  }

  /** By a person of operations, where the policy asks for one. */
  async function counterSign(input: SignInput, actor: Actor): Promise<SignOutcome> {
    return walk.locked(input, actor, async (of) => {
      if (await walk.wasDone(of, input, ['counter_sign'])) return { kind: 'signed', executed: true }
      if (of.row.kind !== 'usage_agreement') throw new Problem('conflict')
      await refuseReplacingEnded(of.tx, of.row)
      const changed = await refuseChanged(of, input)
      if (changed) return changed
      const version = await findVersion(of)
      const after = await walk.advance(
        of,
        'counter_sign',
        async () => {
          await writeSignature(of, input, version)
          return execution.execute(of, version)
        },
        input,
      )
      await execution.supersede({ ...of, row: after })
      return { kind: 'signed', executed: true }
    })
  }

  async function counterSignByPolicy(of: AgreementCase, version: AgreementVersion): Promise<void> {
    const us = { ...of, party: { ...systemParty, side: 'service' as const }, actor: null }
    const after = await walk.advance(us, 'counter_sign', async () => {
      await of.tx.agreementSignature.create({
        data: {
          agreementId: of.row.id,
          number: of.row.number,
          side: 'service',
          legalName: serviceParty.signatoryName,
          title: serviceParty.signatoryTitle,
          authority: signatureStatements.authority,
          consent: signatureStatements.consent,
          sha256: version.sha256,
          at: of.now,
        },
        select: { id: true },
      })
      return execution.execute(us, version)
    })
    await execution.supersede({ ...us, row: after })
  }

  /** Of two at once the second finds the row of the first: the agreement's own row is locked. */
  async function writeSignature(
    { tx, row, party, actor, now }: AgreementCase,
    { legalName, title }: Pick<SignInput, 'legalName' | 'title'>,
    version: AgreementVersion,
  ): Promise<void> {
    if (!actor || party.side === null) throw new Problem('forbidden')
    refuseUndrawable({ legalName, title }, canDraw)
    const policy =
      row.kind === 'usage_agreement' && party.side === 'developer' ? texts.get('usage-policy') : null
    await tx.agreementSignature.create({
      data: {
        agreementId: row.id,
        number: row.number,
        side: party.side,
        accountId: actor.accountId,
        legalName,
        title,
        authority: signatureStatements.authority,
        consent: signatureStatements.consent,
        sha256: version.sha256,
        clauses: version.clauses,
        policyVersion: policy?.version ?? null,
        policySha256: policy?.sha256 ?? null,
        at: now,
        ip: actor.ip,
        userAgent: actor.userAgent,
        authenticatedAgo: Math.max(0, Math.round((now.getTime() - actor.authenticatedAt.getTime()) / 1_000)),
      },
      select: { id: true },
    })
  }

  function firstSignature({ row, party }: AgreementCase): AgreementWork {
    const other = party.side === 'developer' ? 'practice' : 'developer'
    const told: ToldMail[] = [
      { template: 'agreement-signed', to: 'signer', side: party.side ?? other, props: { yours: true } },
    ]
    if (row.kind === 'baa')
      told.push({ template: 'agreement-signed', to: 'signer', side: other, props: { yours: false } })
    else if (counterSignature === 'staff')
      told.push({ template: 'agreement-counter-sign', to: 'side', side: 'service', props: {} })
    return { change: 'signed', mails: told }
  }

  /** What is signed is what is stored, and what is stored is what was shown. */
  async function refuseChanged(of: AgreementCase, input: SignInput): Promise<SignOutcome | null> {
    const { row } = of
    const version = await findVersion(of)
    if (sha256Of(version.bytes) !== version.sha256) return reoffers.forBrokenBytes(of, version)
    if (reoffers.isOutdated(row, version)) return reoffers.forNewTemplate(of, version)
    if (input.number !== row.number || input.sha256 !== version.sha256)
      return {
        kind: 'changed',
        message: 'The document changed after you opened it. Nothing was signed. This is the new version.',
      }
    return null
  }

  return { sign, counterSign }
}

/** @throws Problem `forbidden`, which says whom it waits for by a masked address alone */
async function refuseStranger({
  tx,
  row,
  party,
  actor,
}: AgreementCase): Promise<Pick<AgreementSignatory, 'legalName'>> {
  const named =
    party.side === null
      ? null
      : await tx.agreementSignatory.findUnique({
          where: { agreementId_side: { agreementId: row.id, side: party.side } },
        })
  if (named?.accountId && named.accountId === actor?.accountId) return named
  const account = named?.accountId
    ? await tx.account.findUnique({ where: { id: named.accountId }, select: { email: true } })
    : null
  throw new Problem('forbidden', {
    message: account
      ? `It waits for the signature of ${maskEmail(account.email)}. Sign in with that account.`
      : 'Nobody signs this for your side.',
  })
}

/** The document names who signs: what is typed is that name. */
function checkName(named: Pick<AgreementSignatory, 'legalName'>, typed: Pick<SignInput, 'legalName'>): void {
  const plain = (name: string) => name.normalize('NFKC').replace(/\s+/gu, ' ').trim().toLowerCase()
  if (plain(named.legalName) !== plain(typed.legalName))
    throw new Problem('validation', {
      field: 'legalName',
      message: `Type your name as the document says it: ${named.legalName}.`,
    })
}

async function refuseTwice({ tx, row, party }: AgreementCase): Promise<void> {
  if (party.side === null) return
  const earlier = await tx.agreementSignature.count({
    where: { agreementId: row.id, number: row.number, side: party.side },
  })
  if (earlier > 0) throw new Problem('conflict', { message: 'Your side has signed this version already.' })
}

export async function findVersion({
  tx,
  row,
}: {
  tx: Prisma.TransactionClient
  row: AgreementCase['row']
}): Promise<AgreementVersion> {
  return tx.agreementVersion.findUniqueOrThrow({
    where: { agreementId_number: { agreementId: row.id, number: row.number } },
  })
}
