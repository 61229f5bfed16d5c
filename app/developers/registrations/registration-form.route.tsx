import type { MetaFunction } from '@remix-run/react'
import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/server-runtime'
import { useEffect, useState } from 'react'
import { isProblem } from '../../../server/contract/http/problems.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import type { LintReport } from '../../../server/contract/workflows/lint-findings.ts'
import {
  diffRegistrations,
  lowRiskFields,
  type RegistrationField,
  type RegistrationForm,
  registrationForm,
} from '../../../server/contract/workflows/registration-form.ts'
import { LinkButton, SubmitButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Check } from '../../components/ui/choice.tsx'
import { TextArea } from '../../components/ui/field.tsx'
import { KeepInput } from '../../components/ui/keep-input.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { goOn, readFields } from '../../lib/submission.server.ts'
import { page } from '../../services.server.ts'
import { getOrganization } from '../../shared/organizations/organization.server.ts'
import { ShownSecret } from '../apps/shown-secret.tsx'
import { DraftFile } from './draft-file.tsx'
import { LintAsTyped } from './lint-as-typed.tsx'
import { ProductionList } from './production-list.tsx'
import {
  findDomainToConfirm,
  getRegistration,
  goToDraft,
  openRegistration,
  parseTyped,
  readFile,
  staleWrong,
  type WrongForm,
  wrongBy,
} from './registration.server.ts'
import { RegistrationFaults } from './registration-faults.tsx'
import { RegistrationFields } from './registration-fields.tsx'
import { SandboxState } from './sandbox-state.tsx'
import type { TypedReport } from './typed-report.ts'
import { useAutosave } from './use-autosave.ts'

export const meta: MetaFunction = () => [{ title: 'Registration · Sandpiper' }]
export const handle = { here: 'Apps / Registration' }

const editable = ['draft', 'needs_info', 'enabled']

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { linter, registrationTexts } = args.context.services
  const terms = registrationTexts.terms()
  const { organization, view } = await getRegistration(args)
  const back = paths.registration(organization.slug, view.id)
  if (!editable.includes(view.state)) throw redirect(back)
  const form = view.state === 'enabled' ? toChange(args.request, view.serving ?? view.form) : view.form
  return {
    idempotencyKey: crypto.randomUUID(),
    terms: { version: terms.version, sha256: terms.sha256 },
    id: view.id,
    version: view.version,
    state: view.state as string,
    form,
    report: linter.look(form),
    confirmDomain: await findDomainToConfirm(args),
    back,
    lint: paths.registrationLint(organization.slug),
    studio: paths.scopeStudio(organization.slug, view.id),
    file: `${back}/file`,
  }
})

/** What serves, with the scopes that were chosen in the studio. */
function toChange({ url }: Request, serving: RegistrationForm): RegistrationForm {
  const chosen = new URL(url).searchParams.get('scope')
  if (chosen === null) return serving
  const read = registrationForm.safeParse({ ...serving, scope: chosen })
  return read.success ? read.data : serving
}

interface Answer {
  kind: 'saved' | 'wrong' | 'checked' | 'imported'
  wrong: WrongForm | null
  report: LintReport | null
  form: RegistrationForm | null
  secret: string | null
  clientId: string | null
  version: number | null
  registrationId: string | null
}

const nothing: Omit<Answer, 'kind'> = {
  wrong: null,
  report: null,
  form: null,
  secret: null,
  clientId: null,
  version: null,
  registrationId: null,
}

function wrongAnswer(wrong: WrongForm, status = 400) {
  return data<Answer>({ ...nothing, kind: 'wrong', wrong }, { status })
}

export const action = page(async (args: ActionFunctionArgs) => {
  const { organization, actor } = await getOrganization(args)
  const { registrations, logos } = args.context.services
  const fields = await readFields(args.request)
  const intent = String(fields.get('intent') ?? 'save')
  const current = (await openRegistration(args)).open
  if (intent === 'import') return importFile(fields, current.form)
  const typed = parseTyped(fields)
  if ('faults' in typed) return wrongAnswer({ ...typed, version: current.version })
  let { form } = typed
  const version = fields.get('version') ? Number(fields.get('version')) : null
  const idempotencyKey = String(fields.get('idempotencyKey') ?? '').slice(0, 64) || crypto.randomUUID()
  try {
    const picture = fields.get('logoFile')
    if (picture instanceof File && picture.size > 0) {
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
      },
      actor,
    )
    const answer = {
      ...nothing,
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
    return goToDraft(args, organization.slug, saved, actor, 'registration_saved')
  } catch (thrown) {
    if (isProblem(thrown) && thrown.status === 409) {
      const { view } = await getRegistration(args)
      if (view.version !== version) return wrongAnswer(staleWrong(form, view), 409)
    }
    const { wrong, status } = wrongBy(thrown, form)
    return wrongAnswer({ ...wrong, version: current.version }, status)
  }
})

async function importFile(fields: FormData, before: RegistrationForm) {
  try {
    const read = await readFile(fields.get('file'))
    return data<Answer>({ ...nothing, kind: 'imported', form: { ...read, logo: before.logo } })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return wrongAnswer({ faults: { form: error.message }, form: before, stale: [], version: null })
  }
}

/** Of an enabled app: details at once, anything else as a request. */
async function change(
  args: ActionFunctionArgs,
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
      faults: { form: 'This change is reviewed. Accept the terms to request it.' },
      form,
      stale: changed,
      version: current.version,
    })
  const reason = String(fields.get('reason') ?? '')
  const asked = await registrations.requestChange(
    { ...target, form, reason, terms: { version, sha256 } },
    actor,
  )
  return goOn(paths.registration(organization.slug, asked.registrationId), 'registration_change_asked')
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>

export default function RegistrationFormPage() {
  const {
    id,
    version,
    state,
    form: stored,
    report,
    back,
    studio,
    file,
    idempotencyKey,
    lint,
    confirmDomain,
  } = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  const mayAutosave = state !== 'enabled'
  const { autosave, typed, later, stop } = useAutosave<typeof action>(mayAutosave)
  const wrong = answer?.wrong ?? null
  const form = wrong?.form ?? answer?.form ?? stored
  const auto = autosave.data
  // The newest that this page knows of: what was saved as it was typed raised it too.
  const held = Math.max(
    ...[version, auto?.version, answer?.version, wrong?.version].map((known) => known ?? -1),
  )
  // Of a draft that became complete as it was typed: kept, as the next answer no longer has it.
  const [shown, setShown] = useState<{ secret: string; clientId: string | null } | null>(null)
  const latest = answer?.secret ? answer : auto?.secret ? auto : null
  const secret = latest?.secret ? { secret: latest.secret, clientId: latest.clientId } : shown
  // Of the form as somebody changed it since its last answer.
  const [typedReport, setTypedReport] = useState<{ since: typeof answer; report: TypedReport } | null>(null)
  const setTyped = (report: TypedReport) => setTypedReport({ since: answer, report })
  const typedNow = typedReport?.since === answer ? (typedReport?.report ?? null) : null
  const shownReport = typedNow ?? answer?.report ?? report

  useEffect(() => {
    if (latest?.secret) setShown({ secret: latest.secret, clientId: latest.clientId })
  }, [latest?.secret, latest?.clientId])

  return (
    <div className="page">
      <FormHeader state={state} name={stored.name} back={back} />
      {secret && <ShownSecret {...secret} environment="sandbox" />}
      <RegistrationFaults wrong={wrong ?? (auto?.kind === 'wrong' ? auto.wrong : null)} />
      <div className="split">
        <Form
          method="post"
          encType="multipart/form-data"
          className="stack gap-6"
          ref={typed}
          onChange={later}
          onSubmit={stop}
          noValidate
          // A form that came back is another form: its fields begin with what was typed.
          key={`${answer?.kind ?? ''} ${wrong?.version ?? ''} ${answer?.kind === 'imported' ? idempotencyKey : ''}`}
        >
          {!mayAutosave && <KeepInput name={`registration ${id}`} refused={wrong !== null} />}
          <LintAsTyped to={lint} onReport={setTyped} />
          <RegistrationFields
            form={form}
            faults={typedNow ? typedNow.faults : (wrong?.faults ?? {})}
            report={shownReport}
            studio={studio}
          />
          {state === 'enabled' && <ChangeRequest />}
          <input type="hidden" name="version" value={held < 0 ? '' : held} />
          <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
          <div className="row">
            <SubmitButton name="intent" value="save" busy="Saving">
              {state === 'enabled' ? 'Change' : 'Save draft'}
            </SubmitButton>
            {state !== 'enabled' && (
              <SubmitButton look="outline" name="intent" value="check" busy="Checking">
                Save and run all checks
              </SubmitButton>
            )}
            <span className="small muted" role="status">
              {autosave.state !== 'idle' ? 'Saving' : auto?.kind === 'saved' ? 'Saved as you typed.' : ''}
            </span>
          </div>
        </Form>
        <div className="stack">
          <SandboxState findings={shownReport.findings} />
          <ProductionList
            report={shownReport}
            whole={typedNow === null && answer?.report != null}
            confirmDomain={confirmDomain}
          />
          <DraftFile file={file} />
        </div>
      </div>
    </div>
  )
}

function ChangeRequest() {
  const { terms } = useLoaderData<typeof loader>()
  return (
    <Card id="why" title="If addresses, keys or scopes change">
      <div className="pad stack">
        <TextArea name="reason" label="Why is the change needed?" maxLength={2_000} />
        <Check name="acceptTerms">
          I accept the <Link to={paths.registrationTerms}>registration terms, version {terms.version}</Link>
        </Check>
      </div>
    </Card>
  )
}

interface HeaderProps extends Pick<Loaded, 'state' | 'back'> {
  name: string
}

function FormHeader({ state, name, back }: HeaderProps) {
  return (
    <PageHeader
      title={state === 'enabled' ? `Change ${name}` : name || 'Draft'}
      action={
        <LinkButton look="plain" to={back}>
          Back
        </LinkButton>
      }
    >
      {state === 'enabled'
        ? 'Description, privacy policy, terms and contacts change at once. Anything else, such as the name, website or logo, is reviewed first.'
        : 'The sandbox client uses what you save here. Production is reviewed within five business days.'}
    </PageHeader>
  )
}
