import { useLoaderData } from '@remix-run/react'
import { launchFaultRow } from '../../../server/contract/lab/launch-faults.ts'
import { launchKindRow } from '../../../server/contract/lab/launch-lab.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Banner, LinkButton, PageHeader } from '../../components/ui/page-parts.tsx'
import { getOrganization, page } from '../../services.server.ts'
import { LaunchSteps } from '../../shared/launches/launch-steps.tsx'

export const meta = () => [{ title: 'Launch log · Sandpiper' }]
export const handle = { here: 'Test / Launch' }

export const loader = page(async (args) => {
  const { organization, actor } = await getOrganization(args)
  const id = args.params.launch ?? ''
  const launch = await args.context.services.launchLab.get({ organizationId: organization.id, id }, actor)
  const lab = paths.lab(organization.slug)
  return { launch, back: lab.launch, activity: paths.app(organization.slug, launch.clientId) }
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
        Requests and responses in order. Codes and tokens are shortened to their first characters.
      </PageHeader>
      {fault !== null && (
        <Banner tone="wait" title={`Simulated fault: ${launchFaultRow(fault).title}`}>
          {launchFaultRow(fault).announces}
        </Banner>
      )}
      {open && <Banner tone="turn" title="The app has not sent a request yet." />}
      <LaunchSteps steps={steps} />
    </div>
  )
}
