import { useLoaderData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { fhirRegistry, isFhirType, registryRow } from '../../../server/contract/fhir/registry.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { CodeBlock } from '../../components/ui/code-block.tsx'
import { Button, LinkButton, PageHeader } from '../../components/ui/page-parts.tsx'
import { page } from '../../services.server.ts'
import { getLab } from './sandbox.server.ts'

export const meta = () => [{ title: 'Raw records · Sandpiper' }]
export const handle = { here: 'Test / People / JSON' }

/** Resource types in the Patient compartment. */
const chartTypes = Object.keys(fhirRegistry).filter(
  (type) => isFhirType(type) && registryRow(type).compartment !== null,
)

export const loader = page(async (args) => {
  const { organization, actor, sandbox } = await getLab(args)
  const query = new URL(args.request.url).searchParams
  const type = query.get('type') ?? 'Patient'
  const id = query.get('id') || undefined
  if (!isFhirType(type) || (id === undefined && !chartTypes.includes(type))) throw data(null, { status: 404 })
  const patientId = args.params.patient ?? ''
  const { resources, total } = await sandbox.people.resources(
    { organizationId: organization.id, patientId, type, ...(id !== undefined && { id }) },
    actor,
  )
  return {
    type,
    id: id ?? null,
    types: chartTypes,
    total,
    resources: resources.map((each) => ({
      name: `${each.type}/${each.id}`,
      json: JSON.stringify(JSON.parse(each.content.toString()), null, 2),
    })),
    chart: paths.sandboxPerson(organization.slug, patientId),
  }
})

export default function SandboxResources() {
  const { type, types, id, resources, total, chart } = useLoaderData<typeof loader>()
  return (
    <div className="page">
      <PageHeader
        title={id === null ? `${type} as FHIR JSON` : `${type}/${id}`}
        action={
          <LinkButton size="sm" to={chart}>
            Back to the chart
          </LinkButton>
        }
      >
        The records of one chart as stored. The FHIR API returns the same content.
      </PageHeader>
      <form method="get" className="card pad filter one">
        <label className="field">
          <span className="label">Type</span>
          <select className="input" name="type" defaultValue={types.includes(type) ? type : 'Patient'}>
            {types.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <Button type="submit">Show</Button>
      </form>
      <p className="muted" role="status">
        {total === 0
          ? `This chart has no ${type}.`
          : resources.length < total
            ? `The newest ${resources.length} of ${total.toLocaleString('en-US')}.`
            : total === 1
              ? 'One record.'
              : `${total} records, the newest first.`}
      </p>
      {resources.map(({ name, json }) => (
        <CodeBlock key={name} label={name} bar={name} copy={json}>
          {json}
        </CodeBlock>
      ))}
    </div>
  )
}
