/** What the page of a new app does when one of its forms is sent. */

import { data } from '@remix-run/server-runtime'
import { newAppForm } from '../../../server/contract/forms/new-app.ts'
import { isProblem, Problem } from '../../../server/contract/http/problems.ts'
import { readFields, refusalOf, runForm } from '../../lib/submission.server.ts'
import { getOrganization, type PageArgs } from '../../services.server.ts'
import { goToDraft, readFile } from './registration.server.ts'

/** From the three questions, or from a file. */
export async function createNewApp(args: PageArgs) {
  const { organization, actor } = await getOrganization(args)
  const { registrations } = args.context.services
  const fields = await readFields(args.request)
  const idempotencyKey = String(fields.get('idempotencyKey') ?? '').slice(0, 64) || crypto.randomUUID()
  const shared = { organizationId: organization.id, idempotencyKey }
  if (fields.has('file')) {
    const file = await readFile(fields.get('file')).catch((error: Error) => error.message)
    if (typeof file === 'string') return data({ wrong: file }, { status: 400 })
    try {
      const draft = { ...shared, registrationId: null, version: null, form: file }
      const saved = await registrations.saveDraft(draft, actor)
      return goToDraft(args, organization.slug, saved, actor, 'registration_saved')
    } catch (thrown) {
      return refusalOf(thrown)
    }
  }
  return runForm(fields, newAppForm, async (app) => {
    const created = await registrations.createApp({ ...shared, app }, actor).catch(nameKeysField)
    return goToDraft(args, organization.slug, created, actor, 'app_created')
  })
}

/** Pasted or fetched, the keys are one field here. */
function nameKeysField(thrown: unknown): never {
  if (!isProblem(thrown) || (thrown.field !== 'jwks' && thrown.field !== 'jwksUrl')) throw thrown
  const { kind, message, detail = '' } = thrown
  throw new Problem(kind, { message, detail, field: 'keys' })
}
