import { randomUUID } from 'node:crypto'
import type { MetaFunction } from '@remix-run/react'
import { Form, Link, useActionData, useLoaderData, useLocation } from '@remix-run/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/server-runtime'
import { Globe } from 'lucide-react'
import { productionDraft } from '../../../server/contract/forms/production-keys.ts'
import { stepTarget } from '../../../server/contract/forms/step-forms.ts'
import { dataClasses, notEnforced } from '../../../server/contract/keys/data-classes.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { purposes } from '../../../server/contract/rest/purposes.ts'
import { productionKeyTimes } from '../../../server/contract/workflows/production-key-workflow.ts'
import { Refusal } from '../../components/ui/action-form.tsx'
import { LinkButton, SubmitButton } from '../../components/ui/button.tsx'
import { Checkboxes } from '../../components/ui/choice.tsx'
import { EmptyState } from '../../components/ui/empty-state.tsx'
import { Fault, Field, optionsOf, Select, TextArea } from '../../components/ui/field.tsx'
import { KeepInput } from '../../components/ui/keep-input.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { runAction } from '../../lib/submission.server.ts'
import { page } from '../../services.server.ts'
import { getOrganization } from '../../shared/organizations/organization.server.ts'
import { levelWords } from '../../shared/production-keys/production-parts.tsx'
import { loadPractice } from './practice-choice.server.ts'
import { type PickerProps, PracticePicker } from './practice-picker.tsx'

export const meta: MetaFunction = () => [{ title: 'A production key · Sandpiper' }]
export const handle = { here: 'Production keys / Request' }

/** The draft of the address; for `new`, one to copy from when somebody wants a higher level. */
async function getDraft(args: LoaderFunctionArgs | ActionFunctionArgs) {
  const { organization, actor } = await getOrganization(args)
  const from = new URL(args.request.url).searchParams.get('from')
  const id = args.params.productionKey ?? from
  const view = id ? await args.context.services.productionKeys.get(id, actor) : null
  if (view && view.organization.id !== organization.id) throw data(null, { status: 404 })
  return { organization, actor, view, requestId: args.params.productionKey ?? null }
}

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { organization, actor, view, requestId } = await getDraft(args)
  const { members } = await args.context.services.organizations.get({
    organizationId: organization.id,
    accountId: actor.accountId,
  })
  if (requestId && view?.state !== 'draft') throw redirect(paths.productionKey(organization.slug, requestId))
  const domain = await verifiedDomain(args, organization.id, actor)
  const needsDomain = domain === null && requestId === null
  const chosen = needsDomain ? null : await loadPractice(args, view?.practiceSlug ?? null)
  return {
    slug: organization.slug,
    requestId,
    practice: chosen?.practice ?? null,
    picker: chosen?.picker ?? null,
    version: requestId ? (view?.version ?? 0) : 0,
    key: randomUUID(),
    owners: members
      .filter(({ role }) => role === 'owner')
      .map(({ accountId, name }) => ({ accountId, name })),
    purposes: view?.purposes ?? [],
    classes: view?.dataClasses ?? [],
    texts: view && {
      name: view.name,
      level: view.level,
      justification: view.justification,
      termDays: String(view.termDays),
      signatoryId: view.signatory.id ?? '',
      signatoryName: view.signatory.name,
      signatoryTitle: view.signatory.title,
    },
  }
})

/** A request needs one: it is asked for before the long form, not after it. */
async function verifiedDomain(
  args: LoaderFunctionArgs,
  organizationId: string,
  actor: { accountId: string },
): Promise<string | null> {
  const domains = await args.context.services.organizationDomains.list(organizationId, actor)
  return domains.find(({ verifiedAt }) => verifiedAt !== null)?.domain ?? null
}

export const action = page(async (args: ActionFunctionArgs) => {
  const { organization, actor, requestId } = await getDraft(args)
  const { productionKeys } = args.context.services
  let saved = requestId ?? ''
  return runAction(
    args,
    { save: productionDraft.extend(stepTarget) },
    {
      save: async ({ version, idempotencyKey, ...draft }) => {
        if (requestId) return productionKeys.save({ requestId, version, idempotencyKey, draft }, actor)
        const input = { organizationId: organization.id, draft, idempotencyKey }
        saved = (await productionKeys.create(input, actor)).requestId
      },
    },
    { to: () => ({ path: paths.productionKey(organization.slug, saved), done: 'production_saved' }) },
  )
})

export default function ProductionForm() {
  const loaded = useLoaderData<typeof loader>()
  const { slug, requestId, practice, picker, version, key, owners, texts } = loaded
  const wrong = useActionData<typeof action>()?.wrong
  const common = (name: keyof NonNullable<typeof texts>) => ({ name, value: texts?.[name] })
  const leave = requestId ? paths.productionKey(slug, requestId) : paths.productionKeys(slug)
  if (picker) return <ChoosePractice {...picker} leave={leave} />
  if (!practice) return <ConfirmDomainFirst slug={slug} />
  return (
    <div className="page narrow">
      <PageHeader title={requestId ? 'Change the request' : 'Ask for a production key'}>
        One key, one practice. Nothing is sent before you have looked at it once more.
      </PageHeader>
      <Refusal title="Not saved." />
      <Form method="post" className="card pad stack" aria-label="Request for a production key">
        <KeepInput name={`production key ${requestId ?? slug}`} refused={wrong !== undefined} />
        <input type="hidden" name="version" value={version} />
        <input type="hidden" name="idempotencyKey" value={key} />
        <input type="hidden" name="practiceSlug" value={practice.slug} />
        <ChosenPractice name={practice.name} />
        <Field
          {...common('name')}
          label="Name of the key"
          hint="What it is for, in a few words. The practice reads it."
        />
        <Select
          {...common('level')}
          label="Level"
          options={optionsOf(levelWords)}
          hint="Full is decided by two reviewers."
        />
        <TextArea
          {...common('justification')}
          rows={5}
          label="Why, and why at this level?"
          hint="At least 40 characters. It becomes the services of the BAA."
        />
        <Checkboxes
          name="purposes"
          legend="Purposes of use"
          hint="What you agree to use the data for."
          options={Object.entries(purposes).map(([value, sub]) => ({
            value,
            label: value.replaceAll('_', ' '),
            sub,
          }))}
          ticked={loaded.purposes}
        />
        <Checkboxes
          name="dataClasses"
          legend="Classes of data"
          hint={notEnforced}
          options={optionsOf(dataClasses)}
          ticked={loaded.classes}
        />
        <Field
          {...common('termDays')}
          value={texts?.termDays ?? String(productionKeyTimes.defaultTermDays)}
          type="number"
          label="Days that the key lives"
          hint={`At most ${productionKeyTimes.termDaysMax}. A renewal takes one click of the practice.`}
        />
        <Select
          {...common('signatoryId')}
          label="Who signs for you"
          options={owners.map(({ accountId, name }) => ({ value: accountId, label: name }))}
          hint="An owner of the organization."
        />
        <Field {...common('signatoryName')} label="Their legal name" />
        <Field {...common('signatoryTitle')} label="Their title" />
        <div className="row wraps">
          <SubmitButton name="intent" value="save" busy="Saving">
            Save the draft
          </SubmitButton>
          <LinkButton look="plain" to={leave}>
            Leave it
          </LinkButton>
        </div>
      </Form>
    </div>
  )
}

/** The form keeps its input in this tab while another practice is chosen. */
function ChosenPractice({ name }: { name: string }) {
  const { search } = useLocation()
  const others = [...new URLSearchParams(search)].filter(([key]) => key === 'from')
  const fault = useActionData<typeof action>()?.wrong?.fields.practiceSlug
  return (
    <div className="field" id="practiceSlug">
      <span className="label">Practice</span>
      <span className="row between">
        <span className="breaks">{name}</span>
        <Link to={`?${new URLSearchParams([...others, ['choose', '']])}`}>Choose another practice</Link>
      </span>
      <Fault id="practice-fault" fault={fault} />
    </div>
  )
}

function ChoosePractice({ leave, ...picker }: PickerProps & { leave: string }) {
  return (
    <div className="page narrow">
      <PageHeader
        title="Which practice?"
        action={
          <LinkButton look="plain" to={leave}>
            Back
          </LinkButton>
        }
      >
        One key reaches one practice. An admin of the practice is asked to vouch for you.
      </PageHeader>
      <PracticePicker {...picker} />
    </div>
  )
}

function ConfirmDomainFirst({ slug }: { slug: string }) {
  return (
    <div className="page narrow">
      <PageHeader title="Request a production key">
        A production key needs a confirmed domain, so that the practice knows who asks.
      </PageHeader>
      <EmptyState
        icon={Globe}
        title="Confirm a domain first"
        action={
          <LinkButton look="primary" to={`${paths.organization(slug)}/settings#domains`}>
            Confirm a domain
          </LinkButton>
        }
      >
        We email a link to a mailbox at your domain. The form opens as soon as someone has confirmed it.
      </EmptyState>
    </div>
  )
}
