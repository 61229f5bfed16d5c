import { Link, useLoaderData } from '@remix-run/react'
import { opsActions } from '../../../server/contract/portal/ops-actions.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Card, Facts, Moment, PageHeader, Tag } from '../../components/ui/page-parts.tsx'
import { page } from '../../services.server.ts'
import { openOps, performAction } from '../ops.server.ts'
import { OpsActionForm, OpsActionLink } from '../ops-action.tsx'

export const meta = () => [{ title: 'Practice · Sandpiper' }]

const pageActions = [
  'rename_practice',
  'invite_practice_admin',
  'suspend_practice',
  'resume_practice',
] as const

export const loader = page(async (args) => {
  const { actor, act } = await openOps(args, pageActions, paths.staffPractice(args.params.practice ?? ''))
  const practice = await args.context.services.operations.practices.get(args.params.practice ?? '', actor)
  return { act, practice }
})

export const action = page((args) =>
  performAction(args, pageActions, paths.staffPractice(args.params.practice ?? '')),
)

export default function OnePractice() {
  const { practice } = useLoaderData<typeof loader>()
  const { counts } = practice
  const works = practice.state === 'active'
  return (
    <>
      <PageHeader title={practice.name}>
        A {practice.environment} practice. <Link to={paths.staffPractices}>All practices</Link>
      </PageHeader>
      <OpsActionForm about={practice.name} />
      <Card
        id="stands"
        title="State"
        aside={
          <>
            <OpsActionLink
              act={works ? 'suspend_practice' : 'resume_practice'}
              id={practice.id}
              version={practice.version}
              label={works ? 'Stop' : 'Resume'}
              about={practice.name}
            />
            {practice.purpose === 'office' &&
              (['rename_practice', 'invite_practice_admin'] as const).map((act) => (
                <OpsActionLink
                  key={act}
                  act={act}
                  id={practice.id}
                  version={practice.version}
                  label={opsActions[act].title}
                  about={practice.name}
                />
              ))}
          </>
        }
      >
        <Facts
          className="pad facts wide"
          of={{
            State: <Tag tone={works ? 'ok' : 'bad'}>{works ? 'Active' : 'Stopped'}</Tag>,
            Id: <code className="breaks">{practice.slug}</code>,
            Kind: practice.purpose.replaceAll('_', ' '),
            'In the directory': practice.inDirectory ? 'Yes' : 'No',
            Since: <Moment at={practice.createdAt} as="date" />,
            Admins: counts.admins,
            'Active keys': counts.keys,
            'Production requests': counts.requests,
            'Allowed apps': counts.apps,
            'Running exports': counts.exports,
          }}
        />
      </Card>
    </>
  )
}
