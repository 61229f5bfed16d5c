/** Checks a form while a person types. It stores nothing and calls no other host. */
import { data } from '@remix-run/server-runtime'
import { firstDraft, newAppFields } from '../../../server/contract/forms/new-app.ts'
import { explainRedirectUri } from '../../../server/contract/smart/redirect-uris.ts'
import type { RegistrationForm } from '../../../server/contract/workflows/registration-form.ts'
import { readFields } from '../../lib/submission.server.ts'
import { getOrganization, page } from '../../services.server.ts'
import { parseTyped } from './registration.server.ts'
import type { TypedReport } from './typed-report.ts'

export const action = page(async (args) => {
  await getOrganization(args)
  const fields = await readFields(args.request)
  const { form, faults } = fields.has('keys') ? readNewApp(fields) : readRegistration(fields)
  const report: TypedReport = form
    ? { ...args.context.services.linter.look(form), faults, explained: explain(form) }
    : { findings: [], passed: [], unopened: [], faults, explained: [] }
  return data(report, { headers: { 'cache-control': 'no-store' } })
})

function explain({ audience, redirectUris }: RegistrationForm): string[] {
  return audience === 'backend' ? [] : redirectUris.flatMap((uri) => explainRedirectUri(uri) ?? [])
}

type Read = { form: RegistrationForm | null; faults: TypedReport['faults'] }

function readRegistration(fields: FormData): Read {
  const typed = parseTyped(fields)
  if (!('faults' in typed)) return { form: typed.form, faults: {} }
  const { form: _formFault, ...faults } = typed.faults
  return { form: null, faults }
}

function readNewApp(fields: FormData): Read {
  const parsed = newAppFields.safeParse(Object.fromEntries(fields))
  return { form: parsed.success ? firstDraft(parsed.data) : null, faults: {} }
}
