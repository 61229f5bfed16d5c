/** What cannot be signed any more because its bytes or its template changed: a new version is offered, or it is void. */
import type { Agreement, AgreementVersion } from '../../../prisma/generated/client/client.ts'
import { type AgreementKind, sidesOf } from '../../contract/agreements.ts'
import type { ToldMail } from './agreement-mails.ts'
import { systemParty } from './agreement-parties.ts'
import type { AgreementRooms } from './agreement-rooms.ts'
import type { Signatory, SignOutcome } from './agreement-types.ts'
import type { AgreementCase } from './agreement-walk.ts'
import { toVersion } from './offers.ts'
import { renderAgreement } from './render-agreement.ts'

export function createReoffers({ walk, texts }: AgreementRooms) {
  /** The stored bytes are not those that their hash names: signatures on them are worth nothing. */
  async function forBrokenBytes(of: AgreementCase, version: AgreementVersion): Promise<SignOutcome> {
    const reason = 'The stored bytes are not those that were offered.'
    if (version.markdown !== null) return offerAnew(of, version, reason)
    await walk.advance(asSystem(of), 'void', () => ({
      data: { endedAt: of.now, endReason: reason, openForId: null },
      text: reason,
      change: 'voided',
      mails: sidesOf[of.row.kind as AgreementKind].map(
        (side): ToldMail => ({ template: 'agreement-closed', to: 'side', side, props: { reason } }),
      ),
    }))
    await dropAmendment(of)
    return { kind: 'changed', message: `${reason} Nothing was signed; it is void.` }
  }

  /** A usage agreement is signed in the version that is published now, with the policy that is. */
  function isOutdated(row: Agreement, version: AgreementVersion): boolean {
    if (row.kind !== 'usage_agreement') return false
    const { text } = texts.of('usage_agreement')
    const policy = texts.get('usage-policy')
    return version.templateSha256 !== text.sha256 || !(version.markdown ?? '').includes(policy.sha256)
  }

  function forNewTemplate(of: AgreementCase, version: AgreementVersion): Promise<SignOutcome> {
    return offerAnew(of, version, 'A newer version of the text was published.')
  }

  async function offerAnew(
    of: AgreementCase,
    version: AgreementVersion,
    reason: string,
  ): Promise<SignOutcome> {
    const { tx, row, now } = of
    const number = row.number + 1
    const signatories = await tx.agreementSignatory.findMany({ where: { agreementId: row.id } })
    const rendered = await renderAgreement(texts, {
      agreementId: row.id,
      number,
      kind: row.kind as AgreementKind,
      level: row.level,
      dataClasses: row.dataClasses,
      purposes: row.purposes,
      signatories: signatories as readonly Pick<Signatory, 'side' | 'legalName' | 'title'>[],
      fields: version.fields,
      at: now,
    })
    await tx.agreementVersion.create({
      data: {
        agreementId: row.id,
        ...toVersion(rendered, { number, party: systemParty, comment: reason, now }),
      },
      select: { number: true },
    })
    await walk.advance(asSystem(of), 'reoffer', () => ({
      data: { number, activeAt: now, reminders: 0 },
      text: reason,
      detail: { sha256: rendered.sha256 },
      change: 'reoffered',
      mails: sidesOf[row.kind as AgreementKind]
        .filter((side) => side !== 'service')
        .map(
          (side): ToldMail => ({
            template: 'agreement-changed',
            to: 'signer',
            side,
            props: { comment: reason, rejected: false },
          }),
        ),
    }))
    return { kind: 'changed', message: `${reason} Nothing was signed. This is the new version.` }
  }

  /** An amendment that comes to nothing leaves what it was to replace as it is. */
  async function dropAmendment({ tx, row, now }: AgreementCase): Promise<void> {
    if (row.replacesId === null) return
    await walk.lockedIn(tx, { agreementId: row.replacesId }, { actor: null, now }, async (of) => {
      if (of.row.state === 'amended') await walk.advance(of, 'drop_amendment', () => ({}))
    })
  }

  return { forBrokenBytes, isOutdated, forNewTemplate, dropAmendment }
}

export type Reoffers = ReturnType<typeof createReoffers>

const asSystem = (of: AgreementCase): AgreementCase => ({ ...of, party: systemParty, actor: null })
