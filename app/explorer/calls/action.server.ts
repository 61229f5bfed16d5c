/** The action of the explorer's forms: it sends a call, or deletes the stored calls. */
import { data, redirect } from '@remix-run/server-runtime'
import { isProblem } from '../../../server/contract/http/problems.ts'
import { longDeadlineMs, type PageArgs, page } from '../../services.server.ts'
import { findDeveloper } from './caller.server.ts'

interface Refused {
  readonly kind: 'refused'
  readonly status?: number
  readonly headers?: Record<string, string>
}

/** @param run sends the call that the form describes */
export function explorerAction<O extends { readonly kind: string }>(
  run: (args: PageArgs, fields: FormData) => Promise<O>,
) {
  const handle = async (args: PageArgs) => {
    const fields = await readForm(args.request)
    if (fields.has('forget')) {
      const session = await findDeveloper(args)
      const { explorerHistory } = args.context.services
      if (session) await explorerHistory.forget(session.accountId)
      const { pathname, search } = new URL(args.request.url)
      throw redirect(pathname + search)
    }
    const outcome = await run(args, fields)
    if (outcome.kind !== 'refused') return outcome
    const { status = 400, headers = {} } = outcome as unknown as Refused
    return data(outcome, { status, headers })
  }
  return page(handle, { withinMs: longDeadlineMs })
}

/** A FHIR type has about twenty parameters with two fields each, and some of them repeat. */
const fieldsMax = 240

/** Reads the fields without checks of their content, because the API itself checks the call. */
async function readForm(request: Request): Promise<FormData> {
  const fields = await request.formData().catch((thrown) => {
    if (isProblem(thrown)) throw thrown
    return null
  })
  const values = [...(fields?.values() ?? [])]
  // PostgreSQL text cannot contain a NUL, and no browser sends one.
  const isReadable = values.every((value) => typeof value === 'string' && !value.includes('\0'))
  if (fields === null || values.length > fieldsMax || !isReadable) throw data(null, { status: 400 })
  return fields
}
