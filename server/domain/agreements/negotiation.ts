/** What the two sides of a BAA change before they sign: other fields, a document of their own, a no. */
import type { Agreement, Prisma } from '../../../prisma/generated/client/client.ts'
import {
  type AgreementKind,
  type BaaClause,
  baaClauses,
  sidesOf,
  uploadBytesMax,
} from '../../contract/agreements.ts'
import { Problem } from '../../contract/problems.ts'
import type { Actor } from '../actor.ts'
import { checkTexts, textsOf } from '../text-scan/check-text.ts'
import type { ToldMail } from './agreement-mails.ts'
import { findAgreementParty, systemParty } from './agreement-parties.ts'
import type { AgreementRooms } from './agreement-rooms.ts'
import type { AgreementTarget, EditInput, Signatory, Upload } from './agreement-types.ts'
import type { AgreementCase, AgreementWork } from './agreement-walk.ts'
import { toVersion } from './offers.ts'
import { parseFields, renderAgreement, sha256Of } from './render-agreement.ts'
import type { Reoffers } from './reoffers.ts'

type Commented = AgreementTarget & Readonly<{ comment: string }>

export function createNegotiation({ walk, texts }: AgreementRooms, reoffers: Reoffers) {
  /** A new version with other fields, or an uploaded document. What was signed before is void. */
  async function edit(input: EditInput, actor: Actor): Promise<void> {
    checkTexts({ ...textsOf(input.fields), comment: input.comment }, actor)
    await walk.step(input, 'edit', actor, async (of) => {
      refuseUsageAgreement(of.row)
      const made = await makeVersion(of, input)
      await of.tx.agreementVersion.create({
        data: { agreementId: of.row.id, ...made },
        select: { number: true },
      })
      return {
        ...renegotiated(of, input.comment, false),
        data: { number: made.number },
        detail: { sha256: made.sha256, source: made.source },
      }
    })
  }

  async function makeVersion(
    { tx, row, party, now }: AgreementCase,
    { fields, upload, comment }: EditInput,
  ): Promise<Prisma.AgreementVersionUncheckedCreateWithoutAgreementInput> {
    const number = row.number + 1
    if (upload)
      return fromUpload(upload, { number, kind: row.kind as AgreementKind, fields, party, comment, now })
    const signatories = await tx.agreementSignatory.findMany({ where: { agreementId: row.id } })
    const rendered = await renderAgreement(texts, {
      agreementId: row.id,
      number,
      kind: row.kind as AgreementKind,
      level: row.level,
      dataClasses: row.dataClasses,
      purposes: row.purposes,
      signatories: signatories as readonly Pick<Signatory, 'side' | 'legalName' | 'title'>[],
      fields,
      at: now,
    })
    return toVersion(rendered, { number, party, comment, now })
  }

  /** Nobody signs this version any more; a change has to be proposed first. */
  async function reject({ comment, ...target }: Commented, actor: Actor): Promise<void> {
    checkTexts({ comment }, actor)
    await walk.step(target, 'reject', actor, (of) => {
      refuseUsageAgreement(of.row)
      return { ...renegotiated(of, comment, true), data: { rejectedNumber: of.row.number } }
    })
  }

  function renegotiated({ row }: AgreementCase, comment: string, rejected: boolean): AgreementWork {
    return {
      text: comment,
      change: 'renegotiated',
      mails: sidesOf[row.kind as AgreementKind].map(
        (side): ToldMail => ({
          template: 'agreement-changed',
          to: 'signer',
          side,
          props: { comment, rejected },
        }),
      ),
    }
  }

  /** Nobody wants it any more. What it was to replace stays as it is. */
  async function withdraw({ comment, ...target }: Commented, actor: Actor): Promise<void> {
    checkTexts({ comment }, actor)
    await walk.locked(target, actor, async (of) => {
      if (await walk.wasDone(of, target, ['withdraw'])) return
      await withdrawLocked(of, comment, target)
    })
  }

  /** @see Agreements.withdrawOpen */
  async function withdrawOpen(
    tx: Prisma.TransactionClient,
    { requestId, reason, by, now }: { requestId: string; reason: string; by: Actor | null; now: Date },
  ): Promise<number> {
    const open = await tx.agreement.findMany({
      where: {
        requestId,
        kind: 'baa',
        state: { in: ['offered', 'partially_signed', 'negotiation', 'stalled'] },
        replacesId: null,
      },
      select: { id: true },
      orderBy: { id: 'asc' },
    })
    for (const { id } of open)
      await walk.lockedIn(tx, { agreementId: id }, { actor: null, now }, async (of) => {
        const party = by ? await findAgreementParty(tx, of.row, by).catch(() => systemParty) : systemParty
        // Whoever ended the request may be none who could withdraw this by hand: the request's end is what counts.
        await withdrawLocked({ ...of, party: { ...party, kind: 'system' }, actor: null }, reason)
      })
    return open.length
  }

  async function withdrawLocked(
    of: AgreementCase,
    comment: string,
    target: Pick<AgreementTarget, 'version' | 'idempotencyKey'> = {},
  ): Promise<void> {
    const { row, now } = of
    await walk.advance(
      of,
      'withdraw',
      () => ({ ...closed(row, comment), data: { ...closing(now, comment) } }),
      target,
    )
    await reoffers.dropAmendment(of)
  }

  /** Somebody is back after 30 silent days: all is as it was. */
  async function resume(target: AgreementTarget, actor: Actor): Promise<void> {
    await walk.locked(target, actor, async (of) => {
      if (await walk.wasDone(of, target, ['resume', 'resume_half'])) return
      const signed = await of.tx.agreementSignature.count({
        where: { agreementId: of.row.id, number: of.row.number },
      })
      await walk.advance(of, signed > 0 ? 'resume_half' : 'resume', () => ({ change: 'resumed' }), target)
    })
  }

  return { edit, reject, withdraw, withdrawOpen, resume }
}

export const closing = (now: Date, reason: string) => ({ endedAt: now, endReason: reason, openForId: null })

export function closed(row: Agreement, reason: string): AgreementWork {
  return {
    text: reason,
    change: 'withdrawn',
    mails: sidesOf[row.kind as AgreementKind]
      .filter((side) => side !== 'service')
      .map((side): ToldMail => ({ template: 'agreement-closed', to: 'side', side, props: { reason } })),
  }
}

function refuseUsageAgreement({ kind }: Agreement): void {
  if (kind !== 'baa')
    throw new Problem('conflict', { message: 'A usage agreement is signed as it is, or withdrawn.' })
}

type UploadOf = Readonly<{
  number: number
  kind: AgreementKind
  fields: unknown
  party: AgreementCase['party']
  comment: string
  now: Date
}>

/** Kept and hashed as it came; it is never drawn nor converted. @throws Problem `validation` */
function fromUpload(
  { fileName, bytes, clauses }: Upload,
  { number, kind, fields, party, comment, now }: UploadOf,
): Prisma.AgreementVersionUncheckedCreateWithoutAgreementInput {
  const refuse = (field: string, message: string) => new Problem('validation', { field, message })
  if (bytes.length > uploadBytesMax) throw refuse('file', 'Use a file of at most 900 kB.')
  if (Buffer.from(bytes.slice(0, 5)).toString('latin1') !== '%PDF-') throw refuse('file', 'Use a PDF file.')
  const all = Object.keys(baaClauses) as BaaClause[]
  if (!all.every((clause) => clauses.includes(clause)))
    throw refuse('clauses', 'Every clause must be in it: look for each and tick it.')
  return {
    number,
    source: 'upload',
    fields: parseFields(kind, fields),
    clauses: all,
    markdown: null,
    fileName: cleanFileName(fileName),
    bytes: Buffer.from(bytes),
    sha256: sha256Of(bytes),
    bySide: party.side,
    byId: party.accountId,
    comment,
    createdAt: now,
  }
}

function cleanFileName(name: string): string {
  const base = name
    .replace(/^.*[/\\]/, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[.-]+/, '')
  return `${base.replace(/\.pdf$/i, '').slice(0, 80) || 'document'}.pdf`
}
