/** What the pages of production keys share: which form was sent, and what came of it. */
import { type ActionFunctionArgs, data, redirect } from '@remix-run/server-runtime'
import type { z } from 'zod'
import { toProductionInput } from '../server/contract/forms-production-keys.ts'
import { isProblem } from '../server/contract/problems.ts'
import { type Done, doneCookie } from './flash.ts'
import { readFields } from './submission.server.ts'

const fieldsMax = 80

/** A refusal on the page that caused it: about the whole, and by field. */
interface WrongAct {
  message: string
  fields: Record<string, string>
  /** What was typed, to be shown again. */
  typed: Record<string, string | string[]>
}

type Forms = Readonly<Record<string, z.ZodType>>
type Acts<F extends Forms> = { [Intent in keyof F]?: (input: z.output<F[Intent]>) => Promise<unknown> }

/**
 * Reads a posted form by its intent and does what it asks for.
 * @param acts what each intent does, in the contract's own input
 * @param to where to go on, and what is said there
 */
export async function act<F extends Forms>(
  args: ActionFunctionArgs,
  forms: F,
  acts: Acts<F>,
  to: (intent: keyof F & string) => { path: string; done: Done },
) {
  const fields = await readFields(args.request, fieldsMax)
  const intent = String(fields.get('intent') ?? '')
  const work = Object.hasOwn(forms, intent) ? acts[intent as keyof F] : undefined
  if (!work) throw data({ message: 'The form did not arrive whole.' }, { status: 400 })
  const typed = typedOf(fields)
  const parsed = forms[intent]?.safeParse(toProductionInput(fields))
  if (!parsed?.success)
    return wrong(400, 'Some of it needs a change. Nothing was sent.', faultsOf(parsed?.error), typed)
  try {
    await work(parsed.data as never)
  } catch (thrown) {
    if (!isProblem(thrown) || ![400, 403, 409].includes(thrown.status)) throw thrown
    const fields_ = thrown.field && thrown.field !== 'stepUp' ? { [thrown.field]: thrown.message } : {}
    return wrong(thrown.status, thrown.message, fields_, typed)
  }
  const next = to(intent)
  return redirect(next.path, { headers: { 'set-cookie': doneCookie(next.done) } })
}

function wrong(status: number, message: string, fields: Record<string, string>, typed: WrongAct['typed']) {
  return data<{ wrong: WrongAct }>({ wrong: { message, fields, typed } }, { status })
}

function faultsOf(error: z.ZodError | undefined): Record<string, string> {
  const faults: Record<string, string> = {}
  for (const { path, message } of error?.issues ?? []) faults[String(path[0])] ??= message
  return faults
}

/** A field of one name as text, of several as a list; never what must not be shown again. */
function typedOf(fields: FormData): WrongAct['typed'] {
  const typed: WrongAct['typed'] = {}
  for (const name of new Set(fields.keys())) {
    const values = fields.getAll(name).filter((value): value is string => typeof value === 'string')
    typed[name] = values.length > 1 ? values : (values[0] ?? '')
  }
  return typed
}
