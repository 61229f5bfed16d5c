/** Handles the form of a registration: saves a draft or changes an enabled app. */

import { data, redirect } from '@remix-run/server-runtime'
import { isChosenFile } from '../../../server/contract/forms/files.ts'
import { isProblem } from '../../../server/contract/http/problems.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import type { LintReport } from '../../../server/contract/workflows/lint-findings.ts'
import {
  diffRegistrations,
  lowRiskFields,
  type RegistrationField,
  type RegistrationForm,
} from '../../../server/contract/workflows/registration-form.ts'
import {
  isRegistrationStep,
  type RegistrationStep,
  stepAfter,
  withStep,
} from '../../../server/contract/workflows/registration-steps.ts'
import { goOn, readFields } from '../../lib/submission.server.ts'
import { getOrganization, type PageArgs } from '../../services.server.ts'
import {
  getRegistration,
  goToDraft,
  openRegistration,
  parseTyped,
  staleWrong,
  type WrongForm,
  wrongBy,
} from './registration.server.ts'
import { pathOfStep } from './typed-report.ts'

interface Answer {
  kind: 'saved' | 'wrong' | 'checked'
  wrong: WrongForm | null
  report: LintReport | null
  form: RegistrationForm | null
  secret: string | null
  clientId: string | null
  version: number | null
  registrationId: string | null
}

const emptyAnswer: Omit<Answer, 'kind'> = {
  wrong: null,
  report: null,
  form: null,
  secret: null,
  clientId: null,
  version: null,
  registrationId: null,
}

function wrongAnswer(wrong: WrongForm, status = 400) {
  return data<Answer>({ ...emptyAnswer, kind: 'wrong', wrong }, { status })
}

/** Saves or checks a posted form. The form of a draft has the fields of one step or all fields. */
export async function saveForm(args: PageArgs) {
  const { organization, actor } = await getOrganization(args)
  const { registrations, logos } = args.context.services
  const fields = await readFields(args.request)
  const intent = String(fields.get('intent') ?? 'save')
  const current = (await openRegistration(args)).open
  const typed = parseTyped(fields)
  if ('faults' in typed) return wrongAnswer({ ...typed, version: current.version })
  let { form } = typed
  const version = fields.get('version') ? Number(fields.get('version')) : null
  const idempotencyKey = String(fields.get('idempotencyKey') ?? '').slice(0, 64) || crypto.randomUUID()
  try {
    const picture = fields.get('logoFile')
    if (isChosenFile(picture)) {
      const bytes = new Uint8Array(await picture.arrayBuffer())
      form = { ...form, logo: await logos.store({ organizationId: organization.id, bytes }) }
    } else if (form.logo && !(await logos.has({ organizationId: organization.id, hash: form.logo })))
      form = { ...form, logo: '' }
    if (current.state === 'enabled')
      return await change(args, { current, form, fields, version, idempotencyKey })
    const saved = await registrations.saveDraft(
      {
        registrationId: current.id,
        read: current.read,
        organizationId: organization.id,
        form,
        version,
        idempotencyKey,
        follows: fields.get('follows')?.toString(),
      },
      actor,
    )
    const answer = {
      ...emptyAnswer,
      secret: saved.secret,
      clientId: saved.sandboxClientId,
      version: saved.version,
      registrationId: saved.registrationId,
    }
    if (intent === 'autosave') return data<Answer>({ ...answer, kind: 'saved', form })
    if (intent === 'check')
      return data<Answer>({
        ...answer,
        kind: 'checked',
        form,
        report: await registrations.lint(saved.registrationId, actor, saved.read),
      })
    if (fields.get('next') === 'studio' && saved.secret === null)
      return redirect(`${paths.scopeStudio(organization.slug, saved.registrationId)}?from=form`)
    const to = nextStep(fields)
    if (to !== null && saved.secret === null)
      return goOn(
        pathOfStep(paths.registrationForm(organization.slug, saved.registrationId), to),
        'registration_saved',
      )
    return goToDraft(args, organization.slug, saved, actor, 'registration_saved')
  } catch (thrown) {
    if (isProblem(thrown) && thrown.status === 409) {
      const { view } = await getRegistration(args)
      if (view.version !== version) return wrongAnswer(staleWrong(ofStep(fields, view.form, form), view), 409)
    }
    const { wrong, status } = wrongBy(thrown, form)
    return wrongAnswer({ ...wrong, version: current.version }, status)
  }
}

/** The stored form with the input of the posted step. The posted values of other steps may be outdated. */
function ofStep(fields: FormData, stored: RegistrationForm, typed: RegistrationForm): RegistrationForm {
  const step = fields.get('step')
  return isRegistrationStep(step) ? withStep(stored, typed, step) : typed
}

/** The next step; null for the summary. */
function nextStep(fields: FormData): RegistrationStep | null {
  const [step, next] = [fields.get('step'), fields.get('next')]
  if (!isRegistrationStep(step) || next === 'summary') return null
  return isRegistrationStep(next) ? next : stepAfter(step)
}

/** Changes an enabled app: details at once, anything else by a request. */
async function change(
  args: PageArgs,
  input: {
    current: Awaited<ReturnType<typeof openRegistration>>['open']
    form: RegistrationForm
    fields: FormData
    version: number | null
    idempotencyKey: string
  },
) {
  const { organization, actor } = await getOrganization(args)
  const { registrations, registrationTexts } = args.context.services
  const { current, form, fields, idempotencyKey } = input
  const { id: registrationId, read } = current
  const target = { registrationId, read, version: input.version ?? current.version, idempotencyKey }
  const changed = diffRegistrations(current.form, form)
  const details: readonly RegistrationField[] = lowRiskFields
  if (changed.every(({ field }) => details.includes(field))) {
    await registrations.changeDetails({ ...target, form }, actor)
    return goOn(paths.registration(organization.slug, current.id), 'registration_changed')
  }
  const { version, sha256 } = registrationTexts.terms()
  if (fields.get('acceptTerms') !== 'on')
    return wrongAnswer({
      faults: { form: 'This change needs a review. Accept the terms to request it.' },
      form,
      stale: changed,
      version: current.version,
    })
  const reason = String(fields.get('reason') ?? '')
  const outcome = await registrations.requestChange(
    { ...target, form, reason, terms: { version, sha256 } },
    actor,
  )
  return goOn(paths.registration(organization.slug, outcome.registrationId), 'registration_change_asked')
}
