import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { launchFaultRow } from '../../../server/contract/lab/launch-faults.ts'
import { launchKindRow, launchSteps } from '../../../server/contract/lab/launch-lab.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Banner } from '../../components/ui/banner.tsx'
import { LinkButton } from '../../components/ui/button.tsx'
import { CodeBlock } from '../../components/ui/code-block.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { Tag } from '../../components/ui/tag.tsx'
import { page } from '../../services.server.ts'
import { getOrganization } from '../../shared/organizations/organization.server.ts'

export const meta: MetaFunction = () => [{ title: 'Log of a launch · Sandpiper' }]
export const handle = { here: 'Sandbox / Launch' }

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { organization, actor } = await getOrganization(args)
  const id = args.params.launch ?? ''
  const launch = await args.context.services.launchLab.get({ organizationId: organization.id, id }, actor)
  const lab = paths.lab(organization.slug)
  return { launch, back: lab.launch, activity: paths.appFaults(organization.slug, launch.clientId) }
})

export default function LaunchLog() {
  const { launch, back, activity } = useLoaderData<typeof loader>()
  const { appName, kind, fault, open, steps } = launch
  return (
    <div className="page">
      <PageHeader
        title={`${launchKindRow(kind).title}: ${appName}`}
        action={
          <div className="row">
            <LinkButton size="sm" to={activity}>
              Refused requests of the app
            </LinkButton>
            <LinkButton size="sm" to={back}>
              Another launch
            </LinkButton>
          </div>
        }
      >
        What was sent and what came, in order. Of codes, tokens and the like only the first characters are
        kept.
      </PageHeader>
      {fault !== null && (
        <Banner tone="wait" title={`What goes wrong: ${launchFaultRow(fault).title}`}>
          {launchFaultRow(fault).announces}
        </Banner>
      )}
      {open && <Banner tone="turn" who="Your turn." title="The app has not come yet." />}
      <ol className="stack" aria-label="Steps">
        {steps.map((step, at) => {
          const { title, says, spec, todo } = launchSteps[step.step]
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a log is never put in another order
            <li key={at} className="card">
              <header className="row between">
                <h2>
                  {at + 1}. {title}
                </h2>
                <Tag tone={step.ok ? 'ok' : 'bad'}>{step.ok ? 'As it should be' : 'Went wrong'}</Tag>
              </header>
              <div className="pad stack tight">
                {step.note && (
                  <p>
                    <strong>{step.note}</strong>
                  </p>
                )}
                <p>
                  {says} <a href={spec}>The specification</a>
                </p>
                <p className="hint">{todo}</p>
                <Values label={`Sent in step ${at + 1}`} bar="Sent" values={step.sent} />
                <Values label={`Came in step ${at + 1}`} bar="Came" values={step.came} />
              </div>
            </li>
          )
        })}
      </ol>
    </div>
  )
}

function Values({
  label,
  bar,
  values,
}: {
  label: string
  bar: string
  values: Readonly<Record<string, string>>
}) {
  const entries = Object.entries(values).filter(([, value]) => value !== 'null')
  if (entries.length === 0) return null
  return (
    <CodeBlock label={label} bar={bar} wrapped>
      {entries.map(([name, value]) => `${name}: ${value}`).join('\n')}
    </CodeBlock>
  )
}
