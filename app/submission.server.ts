/** Reading a form, and answering it with what is wrong while keeping what was typed. */
import type { Submission } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { data } from '@remix-run/server-runtime'
import type { z } from 'zod'
import { isProblem } from '../server/contract/problems.ts'
import { waitFor } from './dates.ts'
import { keepTextReview } from './text-review.server.ts'

/** Typed secrets are never sent back. */
const secretFields = ['password', 'currentPassword', 'newPassword']

/**
 * Our forms are flat and small. The form library reads `a.b` and `a[9]` as places inside lists and objects and
 * makes every place before them: a body of twenty bytes could ask for a list of a hundred million.
 */
const fieldName = /^[a-z][a-z0-9-]{0,39}$/i
const usualFieldsMax = 40

/** The fields of a posted form. @throws a 400 page when the body is no form, or none of ours. */
export async function readFields(request: Request, fieldsMax = usualFieldsMax): Promise<FormData> {
  const fields = await request.formData().catch(() => null)
  const names = fields === null ? [] : [...fields.keys()]
  if (
    fields === null ||
    names.length > fieldsMax ||
    !names.every((name) => fieldName.test(name)) ||
    ![...fields.values()].every(isStorable)
  ) {
    throw data({ message: 'The form did not arrive whole.' }, { status: 400 })
  }
  keepTextReview(request, fields)
  return fields
}

/** No browser's field holds a NUL, and no text of the database can. */
function isStorable(value: FormDataEntryValue): boolean {
  return typeof value !== 'string' || !value.includes('\0')
}

/** Fields that were read already, checked by their schema of the contract. */
export function readSubmission<S extends z.ZodType>(fields: FormData, schema: S) {
  return parseWithZod(fields, { schema })
}

/** A posted form, checked by its schema of the contract. */
export async function readForm<S extends z.ZodType>(request: Request, schema: S) {
  return parseWithZod(await readFields(request), { schema })
}

interface Wrong {
  form?: string
  fields?: Record<string, string>
  status?: number
  retryAfterSeconds?: number
}

/** Shows the form again, with its own faults and those of the domain. */
export function refuse<T>(submission: Submission<T, string[]>, wrong: Wrong = {}) {
  const fieldErrors = Object.fromEntries(
    Object.entries(wrong.fields ?? {}).map(([name, said]) => [name, [said]]),
  )
  const lastResult = submission.reply({
    ...(wrong.form === undefined ? {} : { formErrors: [wrong.form] }),
    ...(wrong.fields === undefined ? {} : { fieldErrors }),
    hideFields: secretFields.filter((name) => name in (submission.payload ?? {})),
  })
  const headers: Record<string, string> = {}
  if (wrong.retryAfterSeconds !== undefined) headers['retry-after'] = String(wrong.retryAfterSeconds)
  return data({ lastResult }, { status: wrong.status ?? 400, headers })
}

/** Too many tries, or too many at once: when to come back. */
export function refuseForNow<T>(
  submission: Submission<T, string[]>,
  answer: { kind: 'throttled' | 'busy'; retryAfterSeconds: number },
) {
  const wait = waitFor(answer.retryAfterSeconds)
  const form =
    answer.kind === 'throttled'
      ? `Too many tries from here. Wait ${wait}, then try again.`
      : `Many people are signing in at this moment. Try again in ${wait}.`
  const status = answer.kind === 'throttled' ? 429 : 503
  return refuse(submission, { form, status, retryAfterSeconds: answer.retryAfterSeconds })
}

/** A refusal of the domain that belongs on the form (400, 409) is shown there; any other is thrown on. */
export function refuseByProblem<T>(submission: Submission<T, string[]>, thrown: unknown) {
  if (!isProblem(thrown) || (thrown.status !== 400 && thrown.status !== 409)) throw thrown
  return thrown.field === undefined
    ? refuse(submission, { form: thrown.message, status: thrown.status })
    : refuse(submission, { fields: { [thrown.field]: thrown.message }, status: thrown.status })
}

/** A refusal of the domain as one sentence for the page; any other fault is thrown on. */
export function refusalOf(thrown: unknown) {
  if (!isProblem(thrown) || ![400, 403, 409].includes(thrown.status)) throw thrown
  return data({ wrong: thrown.message }, { status: thrown.status })
}
