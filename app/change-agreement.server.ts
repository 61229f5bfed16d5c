/** Proposing a change to a BAA: other fields, or a document of one's own. For both realms. */
import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/server-runtime'
import { agreementEdit, type BaaClause, baaClauses, baaFields } from '../server/contract/agreements.ts'
import { type AgreementRealm, getAgreement } from './agreement.server.ts'
import { doneCookie } from './flash.ts'
import { page } from './services.server.ts'
import { readFields, refuse, refuseByProblem } from './submission.server.ts'

export function changeLoader(realm: AgreementRealm) {
  return page(async (args: LoaderFunctionArgs) => {
    const { session, agreement, self } = await getAgreement(args, realm)
    if (agreement.kind !== 'baa' || agreement.executedAt !== null || agreement.endedAt !== null)
      throw data({ message: 'This document cannot be changed any more.' }, { status: 409 })
    return {
      account: { name: session.account.name, email: session.account.email },
      self,
      version: agreement.version,
      fields: agreement.offered.fields as Record<string, string | number>,
      signed: agreement.signatures.length > 0,
      idempotencyKey: crypto.randomUUID(),
    }
  })
}

export function changeAction(realm: AgreementRealm) {
  return page(async (args: ActionFunctionArgs) => {
    const { actor, agreement, self } = await getAgreement(args, realm)
    const fields = await readFields(args.request, 60)
    const submission = parseWithZod(fields, { schema: baaFields })
    if (submission.status !== 'success') return refuse(submission)
    const edit = agreementEdit.safeParse(Object.fromEntries(fields))
    if (!edit.success) {
      const [issue] = edit.error.issues
      return refuse(submission, { form: `Why you change it: ${issue?.message ?? 'say it in words.'}` })
    }
    try {
      await args.context.services.agreements.edit(
        {
          agreementId: agreement.id,
          ...edit.data,
          fields: submission.value,
          upload: await uploadOf(fields),
        },
        actor,
      )
    } catch (thrown) {
      return refuseByProblem(submission, thrown)
    }
    return redirect(self, { headers: { 'set-cookie': doneCookie('agreement_changed') } })
  })
}

async function uploadOf(fields: FormData) {
  const file = fields.get('file')
  if (!(file instanceof File) || file.size === 0) return null
  const clauses = (Object.keys(baaClauses) as BaaClause[]).filter(
    (clause) => fields.get(`clause-${clause.replaceAll('_', '-')}`) === 'on',
  )
  return { fileName: file.name, bytes: new Uint8Array(await file.arrayBuffer()), clauses }
}
