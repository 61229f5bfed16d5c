import { Link, type MetaFunction, useActionData, useLoaderData } from '@remix-run/react'
import { registrationForms } from '../../../server/contract/forms/review.ts'
import { Problem } from '../../../server/contract/http/problems.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import type { LintFinding, LintReport } from '../../../server/contract/workflows/lint-findings.ts'
import { diffRegistrations } from '../../../server/contract/workflows/registration-form.ts'
import { firstOpenStep } from '../../../server/contract/workflows/registration-steps.ts'
import { registrationKinds, stateNames } from '../../../server/contract/workflows/registration-workflow.ts'
import { ActionForm, Refusal } from '../../components/ui/action-form.tsx'
import { CircleDashed, CircleDot } from '../../components/ui/icons.ts'
import { Card, Facts, LinkButton, Moment, PageHeader, Tabs, Tag } from '../../components/ui/page-parts.tsx'
import { Timeline } from '../../components/ui/timeline.tsx'
import type { Done } from '../../lib/flash.ts'
import { refuseStep, runAction } from '../../lib/submission.server.ts'
import { findStepUp, page, setCookie } from '../../services.server.ts'
import { PauseHistory, RegistrationClocks } from '../../shared/registrations/registration-clocks.tsx'
import { appTabs } from '../apps/own-app.server.ts'
import { ShownSecret } from '../apps/shown-secret.tsx'
import { SandboxFaults } from './draft-parts.tsx'
import { ProductionList } from './production-list.tsx'
import {
  askedOf,
  findDomainToConfirm,
  forgetSecretCookie,
  getRegistration,
  openRegistration,
  rejectionOf,
  sealedSecretOf,
} from './registration.server.ts'
import { AnswerItems, Appeal, SubmitRegistration } from './registration-acts.tsx'
import {
  eventWords,
  FieldChanges,
  isOnTheWay,
  RegistrationNext,
  VersionDiffs,
  WaitingOn,
} from './registration-next.tsx'
import { RegistrationSummary } from './registration-summary.tsx'
import { pathOfStep } from './typed-report.ts'

export const meta: MetaFunction<typeof loader> = ({ data: found }) => [
  { title: `${found?.name || 'Draft'} · Sandpiper` },
]
export const handle = { here: 'Apps / Registration' }

export const loader = page(async (args) => {
  const { organization, session, view } = await getRegistration(args)
  const { linter, registrationTexts, secretHandover } = args.context.services
  const sealed = sealedSecretOf(args.request.headers.get('cookie'))
  const { accountId } = session
  const newSecret =
    sealed && view.sandboxClientId
      ? await secretHandover.open(sealed, { accountId, clientId: view.sandboxClientId })
      : null
  if (newSecret) setCookie(args.context, forgetSecretCookie())
  const terms = registrationTexts.terms()
  const appOf = (clientId: string | null) =>
    clientId && { clientId, to: paths.app(organization.slug, clientId) }
  const round = Math.max(0, ...view.items.map((item) => item.round))
  const hasForm = view.kind === 'app' || view.kind === 'change'
  const quickReport = hasForm ? linter.look(view.form) : null
  // Links are opened before a draft is submitted: a submission starts a legal clock, even with a broken link.
  const isFullyChecked = view.state === 'draft' && quickReport !== null && quickReport.findings.every(isHint)
  const { form, submitted, replaces, serving: _serving, versions, ...shown } = view
  return {
    ...shown,
    tabs:
      view.kind === 'app'
        ? appTabs({
            ...{ slug: organization.slug, registrationId: view.id, audience: view.form.audience },
            clientId: view.sandboxClientId ?? view.productionClientId,
            environment: view.sandboxClientId === null ? 'production' : 'sandbox',
            isConfidential: view.form.clientType === 'client_secret_basic',
          })
        : [],
    audience: form.audience,
    asked: askedOf(organization.slug, view),
    changes: replaces && diffRegistrations(replaces, submitted ?? form),
    parent: view.parentId && paths.registration(organization.slug, view.parentId),
    items: view.state === 'needs_info' ? view.items.filter((item) => item.round === round) : [],
    diffs: versions.slice(1).map(({ number, at, form: sent }, index) => ({
      number,
      at,
      changes: diffRegistrations(versions[index]?.form ?? sent, sent),
    })),
    report: isFullyChecked ? await linter.lint(view.form) : quickReport,
    isFullyChecked,
    confirmDomain: hasForm ? await findDomainToConfirm(args) : null,
    apps: { sandbox: appOf(view.sandboxClientId), production: appOf(view.productionClientId) },
    newSecret,
    openChange: view.openChangeId && paths.registration(organization.slug, view.openChangeId),
    rejection: rejectionOf(view),
    form: paths.registrationForm(organization.slug, view.id),
    draftForm: view.state === 'draft' && hasForm ? view.form : null,
    studio: paths.scopeStudio(organization.slug, view.id),
    terms: { version: terms.version, sha256: terms.sha256 },
    stepUp: findStepUp(args, session),
    idempotencyKey: crypto.randomUUID(),
  }
})

const isHint = ({ severity }: LintFinding) => severity === 'hint'

/** No cache may store the page, because it may contain a secret. */
export const headers = () => ({ 'cache-control': 'no-store' })

export const action = page(async (args) => {
  const { organization, actor, open } = await openRegistration(args)
  const { registrations, registrationTexts } = args.context.services
  const { id: registrationId, read } = open
  return runAction(
    args,
    registrationForms,
    {
      submit: async ({ acceptTerms, termsVersion, ...input }) => {
        const { version, sha256 } = registrationTexts.terms()
        if (termsVersion !== version)
          throw new Problem('conflict', { message: `The terms changed. Read version ${version}.` })
        const target = { registrationId, read, ...input, terms: { version, sha256 } }
        const answer = await registrations.submit(target, actor)
        if (answer.kind === 'submitted') return
        const wrong =
          'The clock for the organization check has started. Fix the items below and submit again.'
        return refuseStep('submit', wrong, { report: answer.report })
      },
      resubmit: async ({ answers, ...input }) => {
        const target = { registrationId, ...input }
        const filled = answers.flatMap(({ id, text }) => (text === '' ? [] : [{ itemId: id, text }]))
        const idempotencyKey = `${input.idempotencyKey}-a`.slice(-64)
        const first = { ...target, read, idempotencyKey, answers: filled }
        await registrations.resubmit({ ...target, ...(await registrations.answer(first, actor)) }, actor)
      },
      withdraw: (input) => registrations.withdraw({ registrationId, read, ...input }, actor),
      appeal: (input) => registrations.appeal({ registrationId, read, ...input }, actor),
      reopen: (input) => registrations.reopen({ registrationId, read, ...input }, actor),
    },
    {
      to: (intent) => ({ path: paths.registration(organization.slug, open.id), done: doneByIntent[intent] }),
      say: ({ status }, { version }) =>
        status === 409 && open.version !== Number(version)
          ? `This changed in the meantime. It is now “${stateNames[open.state]}”. The current state is below.`
          : undefined,
    },
  )
})

const doneByIntent: Record<keyof typeof registrationForms, Done> = {
  submit: 'registration_submitted',
  resubmit: 'registration_answered',
  withdraw: 'registration_withdrawn',
  appeal: 'registration_appealed',
  reopen: 'registration_reopened',
}

export default function RegistrationPage() {
  const view = useLoaderData<typeof loader>()
  const answer = useActionData<{ report?: LintReport }>()
  const { state, clocks, allowed, version, idempotencyKey } = view
  const once = { version, onceKey: idempotencyKey }
  const may = (event: string) => (allowed as readonly string[]).includes(event)
  const report = answer?.report ?? view.report
  // A proof given now would have expired when the form is complete.
  const lacks = report?.findings.some(({ severity }) => severity === 'error')
  const hasForm = view.kind === 'app' || view.kind === 'change'
  return (
    <div className="page">
      <PageHeader title={view.name || 'Draft'} action={<Actions />}>
        {registrationKinds[view.kind]} ·{' '}
        <Tag tone={toneOf(state, view.waitingOn)} {...(state === 'draft' && { icon: CircleDashed })}>
          {stateNames[state]}
        </Tag>
      </PageHeader>
      {view.tabs.length > 1 && <Tabs label={view.name || 'Draft'} tabs={view.tabs} />}
      <Refusal title={answer?.report ? 'Received, but incomplete.' : undefined} />
      {view.newSecret && <ShownSecret {...view.newSecret} environment="sandbox" />}
      <RegistrationNext {...view} />
      {state === 'draft' && report && (
        <SandboxFaults
          findings={report.findings.filter(({ stage }) => stage === 'sandbox')}
          form={view.form}
          works={view.sandboxClientId !== null}
        />
      )}
      {clocks.length > 0 && (
        <Card label="Clocks">
          <RegistrationClocks clocks={clocks} />
          {isOnTheWay(state) && (
            <div className="pad border-t">
              <WaitingOn
                kind={view.kind}
                state={state}
                audience={view.audience}
                questions={view.items.length}
              />
            </div>
          )}
          <footer className="row between">
            {hasForm && <span>Identity: {view.authenticity}</span>}
            {hasForm && <span>Configuration: {view.configuration}</span>}
            <PauseHistory clocks={clocks} />
          </footer>
        </Card>
      )}
      {state === 'needs_info' && may('resubmit') && (
        <AnswerItems items={view.items} form={view.form} once={once} />
      )}
      <ClientIds />
      {report && (state === 'draft' || state === 'needs_info') && (
        <ProductionList
          report={report}
          isFullyChecked={view.isFullyChecked || answer?.report != null}
          confirmDomain={view.confirmDomain}
          formPath={view.form}
        />
      )}
      {view.draftForm && <RegistrationSummary form={view.draftForm} formPath={view.form} />}
      {state === 'draft' && may('submit') && !(view.stepUp && lacks) && (
        <SubmitRegistration terms={view.terms} once={once} stepUp={view.stepUp} />
      )}
      {state === 'rejected' && may('appeal') && <Appeal once={once} />}
      <RequestedValues />
      <VersionDiffs diffs={view.diffs} />
      <History />
      <div className="row">
        {may('reopen') && <ActionForm {...once} className="stack" intent="reopen" button="Reopen request" />}
        {may('withdraw') && (
          <ActionForm {...once} className="stack" intent="withdraw" button="Withdraw request" look="danger" />
        )}
      </div>
    </div>
  )
}

function History() {
  const { timeline } = useLoaderData<typeof loader>()
  return (
    <Card id="what-happened" title="History">
      <div className="pad">
        <Timeline
          entries={[...timeline].reverse().map(({ at, event, by, text }, place) => ({
            key: `${at} ${event} ${place}`,
            icon: CircleDot,
            text: (
              <>
                {eventWords[event] ?? event} <span className="muted">by {by}</span>
                {text && <span className="sub block breaks">{text}</span>}
              </>
            ),
            at: <Moment at={at} />,
          }))}
        />
      </div>
    </Card>
  )
}

/** The fields of a change, or the requested limits or term. */
function RequestedValues() {
  const { asked, changes, reason, parent } = useLoaderData<typeof loader>()
  if (!asked && !changes) return null
  return (
    <Card
      id="asked-for"
      title="Requested values"
      aside={
        <>
          {asked && <Link to={asked.to}>View request {asked.about}</Link>}
          {parent && <Link to={parent}>View app</Link>}
        </>
      }
    >
      <div className="pad stack">
        {reason && <p className="breaks">{reason}</p>}
        {asked && <Facts className="facts wide" of={Object.fromEntries(asked.facts)} />}
        {changes && <FieldChanges changes={changes} />}
      </div>
    </Card>
  )
}

function toneOf(state: string, waitingOn: string) {
  if (state === 'enabled') return 'ok' as const
  if (state === 'rejected' || state === 'suspended') return 'bad' as const
  return waitingOn === 'developer' && state !== 'draft' ? ('turn' as const) : ('quiet' as const)
}

function Actions() {
  const { state, form, studio, kind, allowed, report } = useLoaderData<typeof loader>()
  const may = (event: string) => (allowed as readonly string[]).includes(event)
  if (kind !== 'app' && kind !== 'change') return null
  if (may('save') && (state === 'draft' || state === 'needs_info'))
    return (
      <div className="row">
        <LinkButton look="plain" to={studio}>
          Scope studio
        </LinkButton>
        <LinkButton to={state === 'draft' && report ? pathOfStep(form, firstOpenStep(report)) : form}>
          Edit form
        </LinkButton>
      </div>
    )
  return state === 'enabled' && may('change') ? <LinkButton to={form}>Change app</LinkButton> : null
}

/** Links to the pages of the registration's apps. */
function ClientIds() {
  const { apps } = useLoaderData<typeof loader>()
  const linkTo = (app: (typeof apps)['sandbox']) =>
    app && (
      <Link to={app.to}>
        <code className="breaks">{app.clientId}</code>
      </Link>
    )
  if (!apps.sandbox && !apps.production) return null
  return (
    <Card id="ids" title="Client IDs">
      <Facts
        className="pad facts wide"
        of={{ Production: linkTo(apps.production), Sandbox: linkTo(apps.sandbox) }}
      />
    </Card>
  )
}
