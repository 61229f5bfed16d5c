import { type ClientActionFunctionArgs, Form, Link, useLoaderData } from '@remix-run/react'
import { redirect } from '@remix-run/server-runtime'
import { useEffect, useState } from 'react'
import { paths } from '../../../server/contract/portal/paths.ts'
import {
  type RegistrationForm,
  registrationForm,
} from '../../../server/contract/workflows/registration-form.ts'
import {
  fieldsOfStep,
  isRegistrationStep,
  type RegistrationStep,
  registrationSteps,
  stepAfter,
} from '../../../server/contract/workflows/registration-steps.ts'
import { AutosaveNote, LostConnection } from '../../components/ui/autosave-note.tsx'
import { Check } from '../../components/ui/choice.tsx'
import { TextArea } from '../../components/ui/form.tsx'
import { KeepInput } from '../../components/ui/keep-input.tsx'
import { Card, PageHeader, SubmitButton } from '../../components/ui/page-parts.tsx'
import { Stepper } from '../../components/ui/stepper.tsx'
import { useAutosave } from '../../components/ui/use-autosave.ts'
import { keepWhenLost, loadUnlessLost, useLastAnswer } from '../../lib/lost-connection.ts'
import { page } from '../../services.server.ts'
import { ShownSecret } from '../apps/shown-secret.tsx'
import { RegistrationFaults, SandboxState, stepsWithGaps } from './draft-parts.tsx'
import { LintAsTyped } from './field-notes.tsx'
import { ProductionList } from './production-list.tsx'
import { findDomainToConfirm, getRegistration } from './registration.server.ts'
import { RegistrationFields } from './registration-fields.tsx'
import { saveForm } from './registration-form.server.ts'
import type { TypedReport } from './typed-report.ts'

export const meta = () => [{ title: 'Registration · Sandpiper' }]
export const handle = { here: 'Apps / Registration' }

const editable = ['draft', 'needs_info', 'enabled']

export const loader = page(async (args) => {
  const { linter, registrationTexts } = args.context.services
  const terms = registrationTexts.terms()
  const { organization, view } = await getRegistration(args)
  const back = paths.registration(organization.slug, view.id)
  if (!editable.includes(view.state)) throw redirect(back)
  const step = new URL(args.request.url).searchParams.get('step')
  const form = view.state === 'enabled' ? toChange(args.request, view.serving ?? view.form) : view.form
  return {
    idempotencyKey: crypto.randomUUID(),
    terms: { version: terms.version, sha256: terms.sha256 },
    id: view.id,
    version: view.version,
    state: view.state as string,
    form,
    step: view.state === 'draft' && isRegistrationStep(step) ? step : null,
    report: linter.look(form),
    confirmDomain: await findDomainToConfirm(args),
    back,
    lint: paths.registrationLint(organization.slug),
    studio: paths.scopeStudio(organization.slug, view.id),
  }
})

/** The active registration, with the scopes that were chosen in the studio. */
function toChange({ url }: Request, serving: RegistrationForm): RegistrationForm {
  const chosen = new URL(url).searchParams.get('scope')
  if (chosen === null) return serving
  const read = registrationForm.safeParse({ ...serving, scope: chosen })
  return read.success ? read.data : serving
}

export const action = page(saveForm)

export const clientAction = ({ serverAction }: ClientActionFunctionArgs) => keepWhenLost(serverAction)

export const shouldRevalidate = loadUnlessLost

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
    idempotencyKey,
    lint,
    step,
    confirmDomain,
  } = useLoaderData<typeof loader>()
  const answer = useLastAnswer<typeof action>()
  const mayAutosave = state !== 'enabled'
  const { autosave, isLost, typed, later, stop } = useAutosave<typeof action>({
    isOn: mayAutosave,
    keepAs: `registration ${id} ${step ?? ''}`,
  })
  const wrong = answer?.wrong ?? null
  const form = wrong?.form ?? answer?.form ?? stored
  const auto = autosave.data
  // The newest version that this page knows. Autosaves raise it too.
  const newestVersion = Math.max(
    ...[version, auto?.version, answer?.version, wrong?.version].map((known) => known ?? -1),
  )
  // The secret of a draft that an autosave registered. The next response no longer contains it.
  const [lastSecret, setLastSecret] = useState<{ secret: string; clientId: string | null } | null>(null)
  const latest = answer?.secret ? answer : auto?.secret ? auto : null
  const secret = latest?.secret ? { secret: latest.secret, clientId: latest.clientId } : lastSecret
  // The report on the form as it was typed since the last response.
  const [typedReport, setTypedReport] = useState<{ since: typeof answer; report: TypedReport } | null>(null)
  const setTyped = (report: TypedReport) => setTypedReport({ since: answer, report })
  const typedNow = typedReport?.since === answer ? (typedReport?.report ?? null) : null
  const shownReport = typedNow ?? answer?.report ?? report
  const isFullyChecked = typedNow === null && answer?.report != null
  const formPath = step === null ? '' : `${back}/form`

  useEffect(() => {
    if (latest?.secret) setLastSecret({ secret: latest.secret, clientId: latest.clientId })
  }, [latest?.secret, latest?.clientId])

  return (
    <div className="page">
      <FormHeader state={state} name={stored.name} back={back} step={step} />
      {secret && <ShownSecret {...secret} environment="sandbox" />}
      <RegistrationFaults wrong={wrong ?? (auto?.kind === 'wrong' ? auto.wrong : null)} />
      <LostConnection isLost={isLost} />
      {step !== null && <Stepper label="Steps" steps={stepsWithGaps(step, report)} formId={formId} />}
      <div className="split">
        <Form
          id={formId}
          method="post"
          encType="multipart/form-data"
          className="stack gap-5"
          ref={typed}
          onChange={later}
          onSubmit={stop}
          noValidate
          // The key makes a refused form a new one, whose fields start with what was typed.
          key={`${step ?? ''} ${answer?.kind ?? ''} ${wrong?.version ?? ''}`}
        >
          {!mayAutosave && <KeepInput name={`registration ${id}`} refused={wrong !== null} />}
          <LintAsTyped to={lint} onReport={setTyped} />
          <RegistrationFields
            step={step}
            form={form}
            faults={typedNow ? typedNow.faults : (wrong?.faults ?? {})}
            report={shownReport}
            studio={studio}
          />
          {state === 'enabled' && <ChangeRequest />}
          {step !== null && <input type="hidden" name="step" value={step} />}
          <input type="hidden" name="version" value={newestVersion < 0 ? '' : newestVersion} />
          <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
          <div className="row">
            <FormButtons state={state} step={step} />
            <AutosaveNote
              state={autosave.state !== 'idle' ? 'saving' : auto?.kind === 'saved' ? 'saved' : 'idle'}
            />
          </div>
        </Form>
        <div className="stack">
          <SandboxState findings={shownReport.findings} formPath={formPath} />
          <ProductionList
            report={shownReport}
            isFullyChecked={isFullyChecked}
            confirmDomain={step === null ? confirmDomain : null}
            formPath={formPath}
            {...(step !== null && !isFullyChecked && { fields: fieldsOfStep(step) })}
          />
        </div>
      </div>
    </div>
  )
}

function ChangeRequest() {
  const { terms } = useLoaderData<typeof loader>()
  return (
    <Card id="why" title="Change of URIs, keys or scopes">
      <div className="pad stack">
        <TextArea name="reason" label="Reason for the change" maxLength={2_000} />
        <Check name="acceptTerms">
          I accept the <Link to={paths.registrationTerms}>registration terms, version {terms.version}</Link>
        </Check>
      </div>
    </Card>
  )
}

const formId = 'registration'

/** Every button saves, also those that lead to another step. */
function FormButtons({ state, step }: Pick<Loaded, 'state' | 'step'>) {
  const check = (
    <SubmitButton look="outline" name="intent" value="check" busy="Checking">
      Save and run all checks
    </SubmitButton>
  )
  if (step === null)
    return (
      <>
        <SubmitButton name="intent" value="save" busy="Saving">
          {state === 'enabled' ? 'Save change' : 'Save draft'}
        </SubmitButton>
        {state !== 'enabled' && check}
      </>
    )
  const next = stepAfter(step)
  return (
    <>
      <SubmitButton name="next" value={next ?? 'summary'} busy="Saving">
        {next ? `Continue to ${lowerFirst(registrationSteps[next].title)}` : 'Save and see the summary'}
      </SubmitButton>
      {next === null ? (
        check
      ) : (
        <SubmitButton look="plain" name="next" value="summary" busy="Saving">
          Save and leave
        </SubmitButton>
      )}
    </>
  )
}

const lowerFirst = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`

interface HeaderProps extends Pick<Loaded, 'state' | 'back'> {
  name: string
  step: RegistrationStep | null
}

function FormHeader({ state, name, back, step }: HeaderProps) {
  return (
    <PageHeader
      title={
        state === 'enabled'
          ? `Change ${name}`
          : [name || 'Draft', step && registrationSteps[step].title].filter(Boolean).join(': ')
      }
      back={back}
    >
      {state === 'enabled'
        ? 'Description, privacy policy, terms and contacts change immediately. Other changes, such as the name, website or logo, are reviewed first.'
        : 'Your sandbox client uses what you save here. We review production within five business days.'}
    </PageHeader>
  )
}
