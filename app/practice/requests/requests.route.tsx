import { useLoaderData } from '@remix-run/react'
import { readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { ClipboardCheck } from '../../components/ui/icons.ts'
import { Pager, SearchedList } from '../../components/ui/list.tsx'
import { Card, LinkButton, Moment, PageHeader, Tag } from '../../components/ui/page-parts.tsx'
import { page } from '../../services.server.ts'
import { ForDeciders } from '../for-deciders.tsx'
import { decidingRoles, findPractice } from '../practice.server.ts'
import { ThreeChecks } from './three-checks.tsx'

export const meta = () => [{ title: 'Requests · Sandpiper' }]

export const loader = page(async (args) => {
  const { practice, actor } = await findPractice(args, decidingRoles)
  if (!practice) return { practice: null, listed: null }
  const ask = readPageAsk(new URL(args.request.url).searchParams)
  return {
    practice: { slug: practice.slug, name: practice.name, admin: practice.roles.includes('admin') },
    listed: await args.context.services.practiceConsole.requests(practice.id, actor, ask),
  }
})

export default function PracticeRequests() {
  const { practice, listed } = useLoaderData<typeof loader>()
  if (!practice) return <ForDeciders title="Requests" />
  return (
    <>
      <PageHeader title="Requests">
        Companies that request access to the records of {practice.name}. Before you decide, check three
        things.
      </PageHeader>
      <SearchedList
        listed={listed}
        search="Key or organization"
        one="request"
        icon={ClipboardCheck}
        title="No requests"
        empty="When a company requests access to your records, the request is listed here for up to 14 days, until an admin confirms or declines it."
      >
        {listed.rows.map((request) => (
          <Card
            key={request.requestId}
            title={`${request.organizationName}: ${request.name}`}
            aside={
              <Tag tone="turn">
                {request.renewal ? 'Renewal, answer by ' : 'Answer by '}
                <Moment at={request.answerBy} as="deadline" />
              </Tag>
            }
          >
            <div className="pad stack">
              <ThreeChecks of={request} />
              <div className="row">
                <LinkButton look="primary" to={paths.practiceSponsorship(request.requestId)}>
                  {practice.admin ? 'Confirm or decline' : 'Read the request'}
                  <span className="sr">
                    : {request.organizationName}, {request.name}
                  </span>
                </LinkButton>
                {!practice.admin && (
                  <span className="small muted">An admin of the practice must decide.</span>
                )}
              </div>
            </div>
          </Card>
        ))}
        <Pager label="requests" listed={listed} />
      </SearchedList>
    </>
  )
}
