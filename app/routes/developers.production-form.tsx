import { randomUUID } from 'node:crypto'
import type { MetaFunction } from '@remix-run/react'
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/server-runtime'
import { Globe } from 'lucide-react'
import { dataClasses, notEnforced } from '../../server/contract/data-classes.ts'
import { productionDraft, toProductionInput } from '../../server/contract/forms-production-keys.ts'
import { paths } from '../../server/contract/paths.ts'
import { isProblem } from '../../server/contract/problems.ts'
import { productionKeyTimes } from '../../server/contract/production-key-workflow.ts'
import { purposes } from '../../server/contract/purposes.ts'
import { Line, Pick, Ticks, Words } from '../components/records/production-acts.tsx'
import { Banner } from '../components/ui/banner.tsx'
import { LinkButton, SubmitButton } from '../components/ui/button.tsx'
import { Empty } from '../components/ui/empty.tsx'
import { KeepInput } from '../components/ui/keep-input.tsx'
import { PageHead } from '../components/ui/page-head.tsx'
import { doneCookie } from '../flash.ts'
import { getOrganization } from '../organization.server.ts'
import { page } from '../services.server.ts'
import { readFields } from '../submission.server.ts'

export const meta: MetaFunction = () => [{ title: 'A production key · Sandpiper' }]
export const handle = { here: 'Production keys / Request' }

const fieldsMax = 60

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
  return {
    slug: organization.slug,
    requestId,
    domain: await verifiedDomain(args, organization.id, actor),
    version: requestId ? (view?.version ?? 0) : 0,
    key: randomUUID(),
    owners: members
      .filter(({ role }) => role === 'owner')
      .map(({ accountId, name }) => ({ accountId, name })),
    stored: view && {
      name: view.name,
      practiceSlug: view.practiceSlug,
      level: view.level,
      justification: view.justification,
      purposes: view.purposes,
      dataClasses: view.dataClasses,
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
  const fields = await readFields(args.request, fieldsMax)
  const typed = toProductionInput(fields)
  const parsed = productionDraft.safeParse(typed)
  const wrong = (status: number, message: string, faults: Record<string, string>) =>
    data({ wrong: { message, faults, typed: typed as Record<string, string | string[]> } }, { status })
  if (!parsed.success) {
    const faults: Record<string, string> = {}
    for (const { path, message } of parsed.error.issues) faults[String(path[0])] ??= message
    return wrong(400, 'Some of it needs a change. Nothing was saved.', faults)
  }
  const idempotencyKey = String(fields.get('idempotencyKey') ?? '').slice(0, 64)
  try {
    if (requestId) {
      const version = Number(fields.get('version'))
      await productionKeys.save({ requestId, version, idempotencyKey, draft: parsed.data }, actor)
      return go(organization.slug, requestId)
    }
    const input = { organizationId: organization.id, draft: parsed.data, idempotencyKey }
    const made = await productionKeys.create(input, actor)
    return go(organization.slug, made.requestId)
  } catch (thrown) {
    if (!isProblem(thrown) || ![400, 403, 409].includes(thrown.status)) throw thrown
    return wrong(thrown.status, thrown.message, thrown.field ? { [thrown.field]: thrown.message } : {})
  }
})

const go = (slug: string, id: string) =>
  redirect(paths.productionKey(slug, id), { headers: { 'set-cookie': doneCookie('production_saved') } })

export default function ProductionForm() {
  const { slug, requestId, domain, version, key, owners, stored } = useLoaderData<typeof loader>()
  const wrong = useActionData<typeof action>()?.wrong
  const values: Record<string, string | readonly string[] | undefined> = wrong?.typed ?? stored ?? {}
  const text = (name: string) => String(values[name] ?? '')
  const list = (name: string) => [values[name] ?? []].flat() as string[]
  const common = (name: string) => ({ id: name, name, value: text(name), fault: wrong?.faults[name] })
  if (domain === null && requestId === null)
    return (
      <div className="page narrow">
        <PageHead title="Request a production key">
          A production key needs a confirmed domain, so that the practice knows who asks.
        </PageHead>
        <Empty
          icon={Globe}
          title="Confirm a domain first"
          action={
            <LinkButton look="primary" to={`${paths.organization(slug)}/settings#domains`}>
              Confirm a domain
            </LinkButton>
          }
        >
          We email a link to a mailbox at your domain. The form opens as soon as someone has confirmed it.
        </Empty>
      </div>
    )
  return (
    <div className="page narrow">
      <PageHead title={requestId ? 'Change the request' : 'Ask for a production key'}>
        One key, one practice. Nothing is sent before you have looked at it once more.
      </PageHead>
      {wrong && (
        <Banner tone="bad" title="Not saved.">
          {wrong.message}
        </Banner>
      )}
      <Form method="post" className="card pad stack" aria-label="Request for a production key">
        <KeepInput name={`production key ${requestId ?? slug}`} refused={wrong !== undefined} />
        <input type="hidden" name="version" value={version} />
        <input type="hidden" name="idempotencyKey" value={key} />
        <Line
          {...common('name')}
          label="Name of the key"
          hint="What it is for, in a few words. The practice reads it."
        />
        <Line
          {...common('practiceSlug')}
          mono
          label="Login slug of the practice"
          hint="The name the practice signs in under. Ask them; the public status page finds it, too."
        />
        <Pick
          {...common('level')}
          label="Level"
          options={[
            ['read_only', 'Read only'],
            ['full', 'Read and write (full)'],
          ]}
          hint="Full is decided by two reviewers."
        />
        <Words
          {...common('justification')}
          rows={5}
          label="Why, and why at this level?"
          hint="At least 40 characters. It becomes the services of the BAA."
        />
        <Ticks
          name="purposes"
          legend="Purposes of use"
          hint="What you agree to use the data for."
          options={Object.entries(purposes).map(
            ([value, words]) => [value, value.replaceAll('_', ' '), words] as const,
          )}
          ticked={list('purposes')}
          fault={wrong?.faults.purposes}
        />
        <Ticks
          name="dataClasses"
          legend="Classes of data"
          hint={notEnforced}
          options={Object.entries(dataClasses)}
          ticked={list('dataClasses')}
          fault={wrong?.faults.dataClasses}
        />
        <Line
          {...common('termDays')}
          value={text('termDays') || String(productionKeyTimes.defaultTermDays)}
          type="number"
          label="Days that the key lives"
          hint={`At most ${productionKeyTimes.termDaysMax}. A renewal takes one click of the practice.`}
        />
        <Pick
          {...common('signatoryId')}
          label="Who signs for you"
          options={owners.map(({ accountId, name }) => [accountId, name] as const)}
          hint="An owner of the organization."
        />
        <Line {...common('signatoryName')} label="Their legal name" />
        <Line {...common('signatoryTitle')} label="Their title" />
        <div className="row wraps">
          <SubmitButton busy="Saving">Save the draft</SubmitButton>
          <LinkButton
            look="plain"
            to={requestId ? paths.productionKey(slug, requestId) : paths.productionKeys(slug)}
          >
            Leave it
          </LinkButton>
        </div>
      </Form>
    </div>
  )
}
