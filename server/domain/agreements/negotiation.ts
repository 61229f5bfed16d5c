/** The steps of both sides before they sign: edit fields, upload a document, reject, withdraw, resume. */
import type { Agreement, AgreementVersion, Prisma } from '../../../prisma/generated/client/client.ts'
import { fileRules, findFileFault } from '../../contract/forms/files.ts'
import { pdfFaults } from '../../contract/forms/pdf-rules.ts'
import { Problem } from '../../contract/http/problems.ts'
import { uuidPattern } from '../../contract/http/uuid.ts'
import { normalize } from '../../contract/text/normalize.ts'
import {
  type AgreementState,
  openAgreementStates,
  requireAgreementStep,
} from '../../contract/workflows/agreement-workflow.ts'
import {
  type AgreementKind,
  type BaaClause,
  baaClauseNames,
  type ClausePlaces,
  clausePlaceMax,
} from '../../contract/workflows/agreements.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { checkTexts, textsOf } from '../text-scan/check-text.ts'
import type { AgreementTarget, EditInput, SignOutcome, Upload } from './agreement-types.ts'
import { findAgreementParty, systemParty } from './parties.ts'
import { canDraw } from './pdf/page-writer.ts'
import { rebuildPdf } from './pdf/rebuild-pdf.ts'
import { parseFields, sha256Of } from './render-agreement.ts'
import { dropAmendment } from './replaced-agreement.ts'
import { lock, type StepContext, transact, transition, transitionIn, wasDone } from './transition.ts'
import { drawNext, madeBy, type NewVersion, storeVersion } from './versions.ts'

type Commented = AgreementTarget & Readonly<{ comment: string }>

/** Creates a new version with other fields or an uploaded document. Earlier signatures are void. */
export async function edit(core: Core, input: EditInput, actor: Actor): Promise<void> {
  const { comment, upload } = input
  checkTexts({ ...textsOf(input.fields), comment }, actor)
  if (upload) checkTexts({ clauses: Object.values(upload.clauses).join('\n') }, actor)
  const checked = upload && (await takeUpload(core, input.agreementId, upload, actor))
  await transition(core, input, 'edit', actor, {
    guards: { negotiable },
    effects: async (context) => {
      const next = checked ? fromUpload(checked, context, input) : await drawNext(core, context, input)
      await storeVersion(context, next)
      return { ...renegotiated(comment, false), data: { number: next.number }, detail: detailOf(next) }
    },
  })
}

const detailOf = ({ sha256, source }: NewVersion) => ({ sha256, source })

/** Rejects this version: it can't be signed, so a side must propose a change. */
export async function reject(core: Core, { comment, ...target }: Commented, actor: Actor): Promise<void> {
  checkTexts({ comment }, actor)
  await transition(core, target, 'reject', actor, {
    guards: { negotiable },
    effects: ({ row }) => ({ ...renegotiated(comment, true), data: { rejectedNumber: row.number } }),
  })
}

function negotiable({ row: { kind } }: StepContext): void {
  if (kind !== 'baa')
    throw new Problem('conflict', { message: 'A usage agreement can’t be changed. Sign it or withdraw it.' })
}

function renegotiated(comment: string, rejected: boolean) {
  return { text: comment, emails: () => ({ 'agreement-changed': { comment, rejected } }) }
}

/** Withdraws the agreement. The agreement that it was to replace is not affected. */
export async function withdraw(core: Core, { comment, ...target }: Commented, actor: Actor): Promise<void> {
  checkTexts({ comment }, actor)
  await transition(core, target, 'withdraw', actor, { effects: closed(core, comment) })
}

/**
 * Withdraws the unexecuted BAAs of a request that has ended. A usage agreement belongs to the organization and stays
 * open for the next request. @returns the number of withdrawn agreements
 */
export async function withdrawOpen(
  core: Core,
  tx: Prisma.TransactionClient,
  { requestId, reason, by }: { requestId: string; reason: string; by: Actor | null },
): Promise<number> {
  const open = await tx.agreement.findMany({
    where: { requestId, kind: 'baa', state: { in: [...openAgreementStates] }, replacesId: null },
    orderBy: { id: 'asc' },
  })
  for (const row of open) {
    const party = by ? await findAgreementParty(tx, row, by).catch(() => systemParty) : systemParty
    // The person who ended the request might not be allowed to withdraw this by hand. The end of the request decides.
    const who = { party: { ...party, kind: 'system' as const }, actor: null }
    await transitionIn(core, tx, { agreementId: row.id }, 'withdraw', who, { effects: closed(core, reason) })
  }
  return open.length
}

/** The effects of a withdrawal or a lapse. */
export function closed(core: Core, reason: string) {
  return ({ tx, now }: StepContext) => ({
    data: closing(now, reason),
    text: reason,
    after: (row: Agreement) => dropAmendment(core, tx, row),
    emails: () => ({ 'agreement-closed': { reason } }),
  })
}

/** Resumes a stalled agreement in the state that it had before. */
export function resume(core: Core, target: AgreementTarget, actor: Actor): Promise<void> {
  return transact(core, async (tx) => {
    const context = await lock(core, tx, target, actor)
    if (await wasDone(context, target, ['resume', 'resume_half'])) return
    const event = (await isHalfSigned(context)) ? 'resume_half' : 'resume'
    await transitionIn(
      core,
      tx,
      target,
      event,
      { party: context.party, actor },
      {
        guards: { unsigned: requireSigned(false), half_signed: requireSigned(true) },
      },
    )
  })
}

const requireSigned = (expected: boolean) => async (context: StepContext) => {
  if ((await isHalfSigned(context)) !== expected) throw new Problem('conflict')
}

async function isHalfSigned({ tx, row }: StepContext): Promise<boolean> {
  const where = { agreementId: row.id, number: row.number }
  return (await tx.agreementSignature.count({ where })) > 0
}

const refuse = (field: string, message: string) => new Problem('validation', { field, message })

/**
 * Checks an upload, and rebuilds its file from its pages.
 * @throws Problem `validation`; before the file is read, also the reason why the actor may not edit
 */
async function takeUpload(core: Core, agreementId: string, upload: Upload, actor: Actor): Promise<Upload> {
  const { agreement } = core.prisma
  const row = uuidPattern.test(agreementId) && (await agreement.findUnique({ where: { id: agreementId } }))
  if (!row) throw new Problem('not_found')
  const { kind } = await findAgreementParty(core.prisma, row, actor)
  requireAgreementStep(row.state as AgreementState, 'edit', kind)
  const { clauses, bytes, fileName } = upload
  const fault = findFileFault(fileRules.agreement, bytes)
  if (fault !== null) throw refuse('file', fault)
  const places = baaClauseNames.map((clause) => [clause, placeOf(clauses, clause)] as const)
  if (places.some(([, place]) => place === ''))
    throw refuse('clauses', 'The document must contain every clause. Enter where you found each one.')
  if (places.some(([, place]) => place.length > clausePlaceMax || !canDraw(place)))
    throw refuse('clauses', `Use at most ${clausePlaceMax} characters for each clause, in Latin letters.`)
  const rebuilt = await rebuildPdf(bytes, actor.accountId)
  if ('fault' in rebuilt) throw refuse('file', pdfFaults[rebuilt.fault])
  return { fileName, bytes: rebuilt.bytes, clauses: Object.fromEntries(places) }
}

function placeOf(clauses: ClausePlaces, clause: BaaClause): string {
  return normalize(clauses[clause] ?? '', 'NFC')
    .replace(/\s+/gu, ' ')
    .trim()
}

/** The rebuilt file, not the uploaded one, is stored, hashed and signed. */
function fromUpload(
  { fileName, bytes, clauses }: Upload,
  context: StepContext,
  { fields, comment }: Pick<EditInput, 'fields' | 'comment'>,
): NewVersion {
  return {
    ...madeBy({ ...context, number: context.row.number + 1, comment }),
    source: 'upload',
    fields: parseFields(context.row.kind as AgreementKind, fields),
    clauses: [...baaClauseNames],
    clausePlaces: clauses,
    markdown: null,
    fileName: cleanFileName(fileName),
    bytes: Buffer.from(bytes),
    sha256: sha256Of(bytes),
  }
}

function cleanFileName(name: string): string {
  const base = name
    .replace(/^.*[/\\]/, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[.-]+/, '')
  return `${base.replace(/\.pdf$/i, '').slice(0, 80) || 'document'}.pdf`
}

// A document can't be signed after its bytes or its template have changed: a new version is offered, or it becomes void.

type Texts = Pick<Core, 'agreementTexts'>

/** @returns null if nothing has changed, so it can be signed */
export async function replaceChanged(
  core: Core,
  { tx, row }: StepContext,
  version: AgreementVersion,
): Promise<SignOutcome | null> {
  const reason = findChange(core, row, version)
  if (reason === null) return null
  const target = { agreementId: row.id }
  const requireChange = (context: StepContext) => {
    if (findChange(core, context.row, version) === null) throw new Problem('conflict')
  }
  if (version.markdown === null) {
    await transitionIn(core, tx, target, 'void', 'system', {
      guards: { upload_changed: requireChange },
      effects: ({ now }) => ({
        data: closing(now, reason),
        text: reason,
        after: (closed) => dropAmendment(core, tx, closed),
        emails: () => ({ 'agreement-closed': { reason } }),
      }),
    })
    return { kind: 'changed', message: `${reason} Nothing was signed. The agreement is void.` }
  }
  await transitionIn(core, tx, target, 'reoffer', 'system', {
    guards: { document_changed: requireChange },
    effects: async (context) => {
      const next = await drawNext(core, context, { fields: version.fields, comment: reason })
      await storeVersion(context, next)
      return {
        data: { number: next.number },
        text: reason,
        detail: { sha256: next.sha256 },
        emails: () => ({ 'agreement-changed': { comment: reason, rejected: false } }),
      }
    },
  })
  return { kind: 'changed', message: `${reason} Nothing was signed. This is the new version.` }
}

function findChange({ agreementTexts: texts }: Texts, { kind }: Agreement, version: AgreementVersion) {
  if (sha256Of(version.bytes) !== version.sha256)
    return 'The stored document differs from the one that was offered.'
  if (kind !== 'usage_agreement') return null
  // A usage agreement is signed only with the published versions of its text and of the policy.
  const current = texts.of('usage_agreement').text.sha256 === version.templateSha256
  const policy = (version.markdown ?? '').includes(texts.get('usage-policy').sha256)
  return current && policy ? null : 'A newer version of the text was published.'
}

const closing = (now: Date, reason: string) => ({ endedAt: now, endReason: reason, openForId: null })
