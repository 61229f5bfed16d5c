import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { data, redirect } from '@remix-run/server-runtime'
import { type FormEvent, useRef, useState } from 'react'
import { isProblem } from '../../../server/contract/http/problems.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { groupScopes } from '../../../server/contract/smart/consent-groups.ts'
import { describeScopes } from '../../../server/contract/smart/scope-labels.ts'
import {
  choiceOfScope,
  launchChoices,
  launchesOf,
  type Reach,
  reaches,
  type StudioChoice,
  scopeOfChoice,
  studioLines,
  tickedLines,
} from '../../../server/contract/smart/scope-studio.ts'
import { parseScopes } from '../../../server/contract/smart/scopes.ts'
import { CodeBlock } from '../../components/ui/code-block.tsx'
import { Banner, PageHeader, SubmitButton } from '../../components/ui/page-parts.tsx'
import { goOn, readFields } from '../../lib/submission.server.ts'
import { page } from '../../services.server.ts'
import { toLines } from '../../shared/consent/consent-view.ts'
import { ConsentPreview, type ConsentPreviewProps } from './consent-preview.tsx'
import { getRegistration, openRegistration } from './registration.server.ts'
import { pathOfStep } from './typed-report.ts'

export const meta = () => [{ title: 'Scope studio · Sandpiper' }]
export const handle = { here: 'Apps / Scope studio' }

const fieldsMax = 200

export const loader = page(async (args) => {
  const { organization, view } = await getRegistration(args)
  const form = view.state === 'enabled' ? (view.serving ?? view.form) : view.form
  const { audience, scope, name, description, website, privacyUrl, logo } = form
  return {
    audience,
    /** The active scopes of an enabled app. This page doesn't change them but starts a request. */
    serves: view.state === 'enabled' ? scope : null,
    choice: choiceOfScope(audience, scope),
    version: view.version,
    idempotencyKey: crypto.randomUUID(),
    back: paths.registration(organization.slug, view.id),
    isStep: view.state === 'draft' && isFromForm(args.request),
    app: {
      name: name || 'Your app',
      description,
      homepage: website || null,
      privacyUrl: privacyUrl || null,
      logo: logo ? paths.logo(logo) : null,
      organizationName: organization.name,
    },
  }
})

/** Whether the page was opened from the form's step for scopes. Then it continues with the next step. */
const isFromForm = ({ url }: Request) => new URL(url).searchParams.get('from') === 'form'

export const action = page(async (args) => {
  const { organization, actor, open } = await openRegistration(args)
  const fields = await readFields(args.request, fieldsMax)
  const { id, state, form, read } = open
  const { others } = choiceOfScope(form.audience, form.scope)
  const otherScopes = fields.get('others') === 'on' ? others : []
  const scope = [scopeOfChoice(form.audience, choiceOf(fields)), ...otherScopes].filter(Boolean).join(' ')
  if (state === 'enabled')
    return redirect(
      `${paths.registrationForm(organization.slug, id)}?${new URLSearchParams({ scope })}#scope`,
    )
  try {
    await args.context.services.registrations.saveDraft(
      {
        registrationId: id,
        read,
        organizationId: organization.id,
        form: { ...form, scope },
        version: Number(fields.get('version')),
        idempotencyKey: String(fields.get('idempotencyKey') ?? '').slice(0, 64),
      },
      actor,
    )
  } catch (thrown) {
    if (!isProblem(thrown) || (thrown.status !== 400 && thrown.status !== 409)) throw thrown
    return data({ wrong: thrown.message, choice: choiceOf(fields) }, { status: thrown.status })
  }
  const to =
    state === 'draft' && isFromForm(args.request)
      ? pathOfStep(paths.registrationForm(organization.slug, id), 'attestations')
      : paths.registration(organization.slug, id)
  return goOn(to, 'scopes_saved')
})

function choiceOf(fields: FormData): StudioChoice {
  const all = (name: string) => fields.getAll(name).map(String)
  return {
    reach: String(fields.get('reach') ?? '') as Reach,
    types: all('type'),
    picks: all('pick'),
    launches: all('launch'),
  }
}

const reachWords = {
  patient: ['One person’s record', 'The record in view: patient/'],
  user: ['What the clinician may see', 'Of every patient: user/'],
  system: ['The practice’s population', 'Without a person: system/'],
} as const

/** Checkboxes for scopes, and beside them a preview of the consent page. */
export default function ScopeStudio() {
  const {
    audience,
    serves,
    choice: stored,
    version,
    idempotencyKey,
    back,
    isStep,
    app,
  } = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  const [choice, setChoice] = useState<StudioChoice>(answer?.choice ?? stored)
  const form = useRef<HTMLFormElement>(null)
  const lines = studioLines(audience)
  const scope = scopeOfChoice(audience, choice)
  const ticked = tickedLines(audience, choice).length

  /** A whole type has all of its parts. Parts alone never become the whole type. */
  const change = (event: FormEvent<HTMLFormElement>) => {
    const box = event.target as HTMLInputElement
    const group = box.closest('.scope')
    if (group) {
      const type = group.querySelector<HTMLInputElement>('input[name="type"]')
      const parts = [...group.querySelectorAll<HTMLInputElement>('input[name="pick"]')]
      if (box === type) for (const part of parts) part.checked = box.checked
      else if (type && !parts.some((part) => part.checked)) type.checked = false
    }
    setChoice(choiceOf(new FormData(event.currentTarget)))
  }

  return (
    <div className="page">
      <PageHeader title="Scope studio" back={back}>
        Request less. People approve short lists more often, and you can add scopes later. {ticked} of{' '}
        {lines.length} types.
      </PageHeader>
      {answer && <Banner tone="bad" title={answer.wrong} />}
      {serves !== null && (
        <Banner tone="wait" title="The app is enabled, so scope changes are reviewed.">
          The current scopes stay active until we decide. If you remove scopes, existing authorizations are
          narrowed when the change is enabled.
        </Banner>
      )}
      <div className="split">
        <Form method="post" className="card" ref={form} onChange={change}>
          <input type="hidden" name="version" value={version} />
          <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
          <div className="pad">
            <ReachChoice audience={audience} chosen={choice.reach} />
          </div>
          {launchesOf(audience).length > 0 && <LaunchChoice audience={audience} chosen={choice.launches} />}
          <RecordChoice lines={lines} choice={choice} />
          {stored.others.length > 0 && (
            <label className="check pad border-t">
              <input type="checkbox" name="others" defaultChecked />
              <span>
                Keep scopes that have no checkbox here
                <span className="sub breaks">
                  <code>{stored.others.join(' ')}</code>
                </span>
              </span>
            </label>
          )}
          <div className="pad border-t">
            {serves === null ? (
              <SubmitButton busy="Saving">
                {isStep ? 'Save and continue to attestations' : 'Save scopes'}
              </SubmitButton>
            ) : (
              <SubmitButton busy="Continuing">Continue with these scopes</SubmitButton>
            )}
          </div>
        </Form>
        <Preview scope={scope} app={app} audience={audience} />
      </div>
    </div>
  )
}

type Audience = Parameters<typeof studioLines>[0]

interface PreviewProps {
  scope: string
  audience: Audience
  app: ConsentPreviewProps['app']
}

function Preview({ scope, app, audience }: PreviewProps) {
  const { scopes } = parseScopes(scope)
  const voice = audience === 'patient' ? 'own' : 'other'
  const { lines, ...consent } = describeScopes(scopes, voice)
  return (
    <div className="stack">
      <h2>{audience === 'backend' ? 'What the practice sees' : 'What people see'}</h2>
      <ConsentPreview
        app={app}
        audience={audience}
        lines={toLines(lines)}
        groups={groupScopes(scopes, voice)}
        {...consent}
      />
      <CodeBlock label="Scopes" copy={scope} wrapped>
        {scope || 'Nothing is selected.'}
      </CodeBlock>
    </div>
  )
}

function ReachChoice({ audience, chosen }: { audience: Audience; chosen: StudioChoice['reach'] }) {
  return (
    <fieldset className="choices">
      <legend>Whose records</legend>
      {reaches[audience].map((reach) => (
        <label className="check" key={reach}>
          <input type="radio" name="reach" value={reach} defaultChecked={chosen === reach} />
          <span>
            {reachWords[reach][0]}
            <span className="sub">{reachWords[reach][1]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

function LaunchChoice({ audience, chosen }: { audience: Audience; chosen: StudioChoice['launches'] }) {
  return (
    <div className="pad border-t">
      <fieldset className="choices">
        <legend>Other scopes</legend>
        {launchesOf(audience).map((name) => (
          <label className="check" key={name}>
            <input type="checkbox" name="launch" value={name} defaultChecked={chosen.includes(name)} />
            <span>
              {launchChoices[name]}
              <span className="sub">
                <code>{name}</code>
              </span>
            </span>
          </label>
        ))}
      </fieldset>
    </div>
  )
}

function RecordChoice({ lines, choice }: { lines: ReturnType<typeof studioLines>; choice: StudioChoice }) {
  return (
    <fieldset className="scopes border-t">
      <legend className="sr">Record types</legend>
      {lines.map(({ type, title, hint, parts }) => (
        <div className="scope" key={type}>
          <label className="check">
            <input type="checkbox" name="type" value={type} defaultChecked={choice.types.includes(type)} />
            <span>
              <span className="label">{title}</span>
              <span className="sub">
                <code>{type}</code>
                {hint && ` · ${hint}`}
              </span>
            </span>
          </label>
          {parts.length > 0 && (
            <fieldset className="parts">
              <legend className="sr">Parts of “{title}”</legend>
              {parts.map((part) => (
                <label className="check" key={part.name}>
                  <input
                    type="checkbox"
                    name="pick"
                    value={part.name}
                    defaultChecked={choice.picks.includes(part.name)}
                  />
                  <span>
                    <span className="label">{part.title}</span>
                    {part.hint && <span className="sub">{part.hint}</span>}
                  </span>
                </label>
              ))}
            </fieldset>
          )}
        </div>
      ))}
    </fieldset>
  )
}
