/** Reads a posted form and runs its action. On an error the page shows the messages and keeps what was typed. */
import { data, redirect } from '@remix-run/server-runtime'
import type { z } from 'zod'
import { toStepInput } from '../../server/contract/forms/step-forms.ts'
import { isProblem, type Problem } from '../../server/contract/http/problems.ts'
import { findStepUp, type PageArgs, type PortalSession } from '../services.server.ts'
import { waitFor } from './dates.ts'
import { type Done, doneCookie } from './flash.ts'
import type { Refused } from './form-answer.ts'
import { keepTextReview } from './text-review.server.ts'

/** Typed secrets are never sent back. */
const secretFields = ['password', 'currentPassword', 'newPassword']

/** Our forms are flat and small. */
const fieldName = /^[a-z][a-z0-9_-]{0,39}$/i
const usualFieldsMax = 40

/** Reads the fields of a posted form. @throws a 400 page if the body is not one of our forms */
export async function readFields(request: Request, fieldsMax = usualFieldsMax): Promise<FormData> {
  const fields = await request.formData().catch((thrown) => {
    if (isProblem(thrown)) throw thrown
    return null
  })
  const names = fields === null ? [] : [...fields.keys()]
  if (
    fields === null ||
    names.length > fieldsMax ||
    !names.every((name) => fieldName.test(name)) ||
    ![...fields.values()].every(isStorable)
  ) {
    throw data({ message: 'The form was incomplete. Reload the page and try again.' }, { status: 400 })
  }
  keepTextReview(request, fields)
  return fields
}

/** PostgreSQL text cannot contain a NUL, and no browser sends one. */
function isStorable(value: FormDataEntryValue): boolean {
  return typeof value !== 'string' || !value.includes('\0')
}

/** A posted form: what the page shows again, and the value if it matches the schema. */
type Submission<T> = { sent: Refused } & ({ status: 'success'; value: T } | { status: 'error' })

/** Treats a field with only spaces as missing, and a repeated field as a list. */
export function readSubmission<S extends z.ZodType>(fields: FormData, schema: S): Submission<z.output<S>> {
  const filled = new Map<string, FormDataEntryValue[]>()
  for (const [name, value] of fields)
    if (isFilled(value)) filled.set(name, [...(filled.get(name) ?? []), value])
  const input = [...filled].map(([name, values]) => [name, values.length > 1 ? values : values[0]])
  const parsed = schema.safeParse(Object.fromEntries(input))
  const sent = { message: '', fields: faultsOf(parsed.error), typed: typedOf(fields) }
  return parsed.success ? { status: 'success', value: parsed.data, sent } : { status: 'error', sent }
}

/** Without a chosen file, a browser sends one without name and content. */
const isFilled = (value: FormDataEntryValue) =>
  typeof value === 'string' ? value.trim() !== '' : value.name !== '' || value.size > 0

export async function readForm<S extends z.ZodType>(request: Request, schema: S) {
  return readSubmission(await readFields(request), schema)
}

interface Wrong {
  form?: string
  fields?: Record<string, string>
  /** A field whose text is not sent back. */
  hides?: string | undefined
  status?: number
  retryAfterSeconds?: number
}

/** Shows the form again with its own errors and those of the domain. */
export function refuse({ sent }: Submission<unknown>, wrong: Wrong = {}) {
  const typed = Object.fromEntries(Object.entries(sent.typed).filter(([name]) => name !== wrong.hides))
  const lastResult: Refused = {
    message: wrong.form ?? sent.message,
    fields: { ...sent.fields, ...wrong.fields },
    typed,
  }
  const headers: Record<string, string> = {}
  if (wrong.retryAfterSeconds !== undefined) headers['retry-after'] = String(wrong.retryAfterSeconds)
  return data({ lastResult }, { status: wrong.status ?? 400, headers })
}

/** Says when to try again, after too many attempts or while too many people sign in. */
export function refuseForNow(
  submission: Submission<unknown>,
  answer: { kind: 'throttled' | 'busy'; retryAfterSeconds: number },
) {
  const wait = waitFor(answer.retryAfterSeconds)
  const form =
    answer.kind === 'throttled'
      ? `Too many attempts from your network. Wait ${wait}, then try again.`
      : `Many people are signing in right now. Try again in ${wait}.`
  const status = answer.kind === 'throttled' ? 429 : 503
  return refuse(submission, { form, status, retryAfterSeconds: answer.retryAfterSeconds })
}

/** Shows the domain's refusal on the form if it belongs there (400, 409, a field's 503), and rethrows any other. */
function refuseByProblem(submission: Submission<unknown>, thrown: unknown) {
  if (!isProblem(thrown)) throw thrown
  const { status, field, retryAfterSeconds } = thrown
  if (status !== 400 && status !== 409 && (status !== 503 || field === undefined)) throw thrown
  return field === undefined
    ? refuse(submission, { form: thrown.message, status })
    : refuse(submission, {
        fields: { [field]: thrown.message },
        hides: isSecretFound(thrown) ? field : undefined,
        status,
        ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      })
}

/** The field holds a secret, which the page must not show again. */
const isSecretFound = ({ detail }: Problem) => detail?.startsWith('secret scan') ?? false

/** Returns the domain's refusal as one sentence for the page, and rethrows any other error. */
export function refusalOf(thrown: unknown) {
  if (!isProblem(thrown) || ![400, 403, 409].includes(thrown.status)) throw thrown
  return data({ wrong: thrown.message }, { status: thrown.status })
}

/** After success: redirects to the next page, which shows a message once. */
export const goOn = (path: string, done: Done) =>
  redirect(path, { headers: { 'set-cookie': doneCookie(done) } })

/** Checks a page's only form and runs `work`. If it is refused, the page shows the errors. */
export async function runForm<S extends z.ZodType, Answer>(
  sent: Request | FormData,
  schema: S,
  work: (value: z.output<S>, submission: Submission<z.output<S>>) => Promise<Answer>,
) {
  const fields = sent instanceof FormData ? sent : await readFields(sent)
  const submission = readSubmission(fields, schema)
  if (submission.status !== 'success') return refuse(submission)
  try {
    return await work(submission.value, submission)
  } catch (thrown) {
    return refuseByProblem(submission, thrown)
  }
}

type Forms = Readonly<Record<string, z.ZodType>>
/** The work of each form of a page, by intent. It may return a refusal, which replaces the redirect. */
type Work<F extends Forms> = { [Intent in keyof F]?: (input: z.output<F[Intent]>) => Promise<unknown> }

interface ActionOptions<F extends Forms> {
  /** The page to redirect to, and the message that it shows. */
  to: (intent: keyof F & string) => { path: string; done: Done }
  /** With a session, a step that needs a fresh proof redirects to the page that asks for it. */
  session?: PortalSession
  /** Returns a message that fits this page better than the domain's. */
  say?: (problem: Problem, typed: Refused['typed']) => string | undefined
  fieldsMax?: number
  /** The form's fields, if the page has read them already. */
  fields?: FormData
}

/** Runs the work of the posted form's intent. If it is refused, the page keeps what was typed. */
export async function runAction<F extends Forms>(
  args: PageArgs,
  forms: F,
  work: Work<F>,
  { to, session, say, fieldsMax = 80, fields: read }: ActionOptions<F>,
) {
  const fields = read ?? (await readFields(args.request, fieldsMax))
  const intent = String(fields.get('intent') ?? '')
  const run = Object.hasOwn(forms, intent) ? work[intent as keyof F] : undefined
  if (!run)
    throw data({ message: 'The form was incomplete. Reload the page and try again.' }, { status: 400 })
  const typed = typedOf(fields)
  const parsed = forms[intent]?.safeParse(toStepInput(fields))
  if (!parsed?.success) {
    const message = 'Some fields need correction. Nothing was saved.'
    return refuseForm(400, { message, fields: faultsOf(parsed?.error), typed })
  }
  try {
    const answer = await run(parsed.data as never)
    if (isAnswer(answer)) return answer
  } catch (thrown) {
    if (!isProblem(thrown) || ![400, 403, 409, 429].includes(thrown.status)) throw thrown
    const { status, field } = thrown
    const message = say?.(thrown, typed) ?? thrown.message
    if (field && isSecretFound(thrown)) delete typed[field]
    const proof = field === 'stepUp' && session ? findStepUp(args, session) : null
    if (proof !== null) return redirect(proof)
    return refuseForm(status, {
      message,
      fields: field && field !== 'stepUp' ? { [field]: message } : {},
      typed,
    })
  }
  const { path, done } = to(intent)
  return goOn(path, done)
}

const refuseForm = (status: number, wrong: Refused) => data({ wrong }, { status })

/** Refuses a step while its work runs, with data for the page beside the message. */
export function refuseStep<More extends object>(intent: string, message: string, more: More) {
  return data({ wrong: { message, fields: {}, typed: { intent } }, ...more }, { status: 400 })
}

/** A step may return its own response: a refusal, or a value that is shown once. */
function isAnswer(answer: unknown): answer is ReturnType<typeof refuseForm> {
  return typeof answer === 'object' && answer !== null && 'data' in answer && 'init' in answer
}

function faultsOf(error: z.ZodError | undefined): Record<string, string> {
  const faults: Record<string, string> = {}
  for (const { path, message } of error?.issues ?? []) faults[String(path[0])] ??= message
  return faults
}

/** A repeated field becomes a list. Secrets are left out, because the page must not show them again. */
export function typedOf(fields: FormData): Refused['typed'] {
  const typed: Refused['typed'] = {}
  for (const name of new Set(fields.keys())) {
    const values = fields.getAll(name).filter((value): value is string => typeof value === 'string')
    if (!secretFields.includes(name)) typed[name] = values.length > 1 ? values : (values[0] ?? '')
  }
  return typed
}
