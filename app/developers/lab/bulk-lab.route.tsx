import { useLoaderData } from '@remix-run/react'
import { bulkLabForm, bulkLabScript } from '../../../server/contract/forms/lab.ts'
import { faultHeader } from '../../../server/contract/lab/faults.ts'
import { readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Check } from '../../components/ui/choice.tsx'
import {
  ChoiceSearch,
  choiceHint,
  choiceSearchName,
  type Offered,
} from '../../components/ui/choice-search.tsx'
import { CodeBlock } from '../../components/ui/code-block.tsx'
import { ContractForm, Field, Select } from '../../components/ui/form.tsx'
import { PackageOpen } from '../../components/ui/icons.ts'
import { ListSearch, Pager } from '../../components/ui/list.tsx'
import { Banner, EmptyState, PageHeader } from '../../components/ui/page-parts.tsx'
import { goOn, readFields, runForm } from '../../lib/submission.server.ts'
import { getOrganization, page } from '../../services.server.ts'
import { ExportTable } from '../../shared/exports/export-table.tsx'

export const meta = () => [{ title: 'Bulk lab · Sandpiper' }]
export const handle = { here: 'Test / Bulk lab' }

/** How long the next export may let wait for itself. */
const waitMinutes = 60

export const loader = page(async (args) => {
  const { organization, actor } = await getOrganization(args)
  const { clients, exportAdmin, faultAdmin, launchLab } = args.context.services
  const query = new URL(args.request.url).searchParams
  const find = readPageAsk(query, { q: choiceSearchName, page: 'none' })
  const systems = { environment: 'sandbox', audience: 'backend' } as const
  const { rows, total, q } = await clients.listPage(organization.id, find, actor, systems)
  const ask = readPageAsk(query)
  const [listed, manifest] = await Promise.all([
    exportAdmin.listForSandbox(organization.id, actor, ask),
    exportAdmin.latestManifest(organization.id, actor),
  ])
  const switches = await faultAdmin.list({ organizationId: organization.id }, actor)
  const waiting = switches.find(({ on, steps }) => on && steps.some((step) => step.startsWith('bulk-')))
  return {
    base: await launchLab.findBase(organization.id, actor),
    targets: {
      rows: rows.map(({ clientId, name }) => ({ value: `client:${clientId}`, label: name })),
      ...{ total, q },
    },
    listed,
    manifest,
    waiting: waiting && { label: waiting.label, step: waiting.steps.join(', ') },
    maySwitch: organization.role !== 'viewer',
  }
})

export const action = page(async (args) => {
  const { organization, actor } = await getOrganization(args)
  const here = paths.lab(organization.slug).bulk
  const fields = await readFields(args.request)
  const { exportAdmin, faultAdmin } = args.context.services
  const id = fields.get('id')
  if (typeof id === 'string') {
    await exportAdmin.cancelOf({ organizationId: organization.id, id }, actor)
    return goOn(here, 'export_cancelled')
  }
  return runForm(fields, bulkLabForm, async (value) => {
    const script = bulkLabScript(value)
    const order = { target: value.target, script, minutes: waitMinutes, repeats: false }
    await faultAdmin.switchOn({ organizationId: organization.id, ...order }, actor)
    return goOn(here, 'faults_on')
  })
})

const labels = {
  target: 'App',
  slow: 'Simulated duration',
  partial: 'Partial failure',
  links: 'Link lifetime',
}

export default function BulkLab() {
  const { base, targets, listed, manifest, waiting, maySwitch } = useLoaderData<typeof loader>()
  return (
    <div className="page">
      <PageHeader title="Bulk lab">
        Make a backend app’s next export slow, incomplete, or with links that expire within minutes. It
        exports your sandbox’s data.
      </PageHeader>
      {waiting && (
        <Banner tone="turn" title={`${waiting.label}: its next export has this fault: ${waiting.step}`}>
          Start the export within the hour.
        </Banner>
      )}
      {targets.total === 0 && targets.q === '' ? (
        <EmptyState icon={PackageOpen} title="No backend app yet">
          Register a backend system under Apps.
        </EmptyState>
      ) : (
        maySwitch && (
          <>
            <ChoiceSearch label="Find an app" offered={targets} />
            <NextExport key={targets.q} targets={targets} />
          </>
        )
      )}
      <CodeBlock label="Start the export" bar="Start an export with a system token">
        {`curl -i "${base}/Group/gr-all-patients/\\$export" \\\n  -H "Authorization: Bearer $TOKEN" \\\n  -H "Accept: application/fhir+json" \\\n  -H "Prefer: respond-async" \\\n  -H "${faultHeader}: bulk-slow;minutes=3+bulk-partial"`}
      </CodeBlock>
      {(listed.q !== '' || listed.pages > 1) && <ListSearch label="App name or client ID" q={listed.q} />}
      {listed.q !== '' && listed.total === 0 && <p className="muted">No export matches “{listed.q}”.</p>}
      {listed.total > 0 && (
        <>
          <ExportTable label="Sandbox exports" exports={listed.rows} by="client" />
          <Pager label="exports" listed={listed} />
        </>
      )}
      {manifest !== null && (
        <CodeBlock label="Latest manifest" bar="Latest manifest, without signatures" wrapped>
          {manifest}
        </CodeBlock>
      )}
    </div>
  )
}

function NextExport({ targets }: { targets: Offered }) {
  return (
    <ContractForm
      optional={['slow', 'links', 'partial']}
      labels={labels}
      defaultValue={{ target: targets.rows[0]?.value, slow: '3', links: '' }}
      button="Enable for the next export"
      busy="Enabling"
    >
      <Select name="target" options={targets.rows} hint={choiceHint(targets, 'apps')} />
      <Field name="slow" inputMode="numeric" hint="Minutes, 1 to 60. Leave empty for the real duration." />
      <Check name="partial">
        Fail in part: the last type is missing, and the manifest’s error list says so
      </Check>
      <Field
        name="links"
        inputMode="numeric"
        hint="Minutes after completion, 1 to 60. Leave empty for 24 hours."
      />
    </ContractForm>
  )
}
