/** Loads and submits proposals to change a BAA: its fields, or its whole document. */
import { data } from '@remix-run/server-runtime'
import { agreementEdit, baaFields } from '../../server/contract/forms/agreements.ts'
import { clauseField, isChosenFile } from '../../server/contract/forms/files.ts'
import { Problem } from '../../server/contract/http/problems.ts'
import { requireAgreementStep } from '../../server/contract/workflows/agreement-workflow.ts'
import { type BaaClause, baaClauseNames } from '../../server/contract/workflows/agreements.ts'
import type { AgreementPage } from '../../server/domain/agreements/read-agreements.ts'
import { goOn, readFields, refuse, runForm } from '../lib/submission.server.ts'
import { page } from '../services.server.ts'
import { getAgreement } from './agreement.server.ts'

export const changeLoader = page(async (args) => {
  const { agreement, self } = await getAgreement(args)
  if (!isOpen(agreement) && !isInForce(agreement))
    throw data({ message: 'This agreement can no longer be changed.' }, { status: 409 })
  // An agreement in force stays so until both sides have signed the new text.
  const amends = isInForce(agreement)
  return {
    self,
    amends,
    version: agreement.version,
    fields: agreement.offered.fields as Record<string, string | number>,
    signed: !amends && agreement.signatures.length > 0,
    idempotencyKey: crypto.randomUUID(),
  }
})

export const changeAction = page(async (args) => {
  const { actor, agreement, self } = await getAgreement(args)
  requireChangeable(agreement)
  const fields = await readFields(args.request, 60)
  return runForm(fields, baaFields, async (value, submission) => {
    const edit = agreementEdit.safeParse(Object.fromEntries(fields))
    if (!edit.success) {
      const [issue] = edit.error.issues
      return refuse(submission, { form: `Reason for the change: ${issue?.message ?? 'enter a reason.'}` })
    }
    const { agreements } = args.context.services
    const { comment, ...sent } = edit.data
    const target = { agreementId: agreement.id, ...sent }
    if (agreement.executedAt !== null) {
      const amendment = await agreements.amend(target, 'amend', { actor, fields: value, comment })
      return done(self.replace(agreement.id, amendment.agreementId))
    }
    const upload = await uploadOf(fields)
    await agreements.edit({ ...target, comment, fields: value, upload }, actor)
    return done(self)
  })
})

/** Runs before the body is read, which may have ten megabytes. @throws Problem `conflict` */
function requireChangeable({ kind, state, executedAt, endedAt, you }: AgreementPage): void {
  // A form that is sent twice finds the amendment of its first submission.
  const from = executedAt !== null && endedAt === null ? 'executed' : state
  requireAgreementStep(from, executedAt === null ? 'edit' : 'amend', you.kind)
  if (kind !== 'baa') throw new Problem('conflict')
}

const done = (to: string) => goOn(to, 'agreement_changed')

const isOpen = ({ kind, executedAt, endedAt }: AgreementPage) =>
  kind === 'baa' && executedAt === null && endedAt === null

const isInForce = ({ kind, state }: AgreementPage) => kind === 'baa' && state === 'executed'

async function uploadOf(fields: FormData) {
  const file = fields.get('file')
  if (!isChosenFile(file)) return null
  const placeOf = (clause: BaaClause) => String(fields.get(clauseField(clause)) ?? '')
  const clauses = Object.fromEntries(baaClauseNames.map((clause) => [clause, placeOf(clause)]))
  return { fileName: file.name, bytes: new Uint8Array(await file.arrayBuffer()), clauses }
}
