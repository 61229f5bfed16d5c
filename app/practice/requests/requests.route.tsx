import { useLoaderData } from '@remix-run/react'
import { readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { ClipboardCheck } from '../../components/ui/icons.ts'
import { Cell, DataTable, Pager, Row, SearchedList } from '../../components/ui/list.tsx'
import { Card, LinkButton, Moment, PageHeader } from '../../components/ui/page-parts.tsx'
import { page } from '../../services.server.ts'
import { levelWords } from '../../shared/keys/key-words.tsx'
import { ForDeciders } from '../for-deciders.tsx'
import { decidingRoles, findPractice } from '../practice.server.ts'

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
        Companies that request access to the records of {practice.name}.
      </PageHeader>
      <SearchedList
        listed={listed}
        search="Key or organization"
        one="request"
        icon={ClipboardCheck}
        title="No requests"
        empty="When a company requests access to your records, the request is listed here for up to 14 days, until an admin confirms or declines it."
      >
        <Card label="Requests">
          <DataTable label="Requests" heads={['Request', 'Answer by']} act="Answer" middle>
            {listed.rows.map(
              ({ requestId, organizationName, name, requestedBy, level, renewal, answerBy }) => (
                <Row key={requestId}>
                  <Cell>
                    <span className="label">
                      {organizationName}: {name}
                    </span>
                    <span className="sub">
                      {levelWords[level]}
                      {renewal && ', a renewal'}. Sent by {requestedBy}
                    </span>
                  </Cell>
                  <Cell label="Answer by">
                    <Moment at={answerBy} as="deadline" />
                  </Cell>
                  <Cell className="act">
                    <LinkButton size="sm" look="primary" to={paths.practiceSponsorship(requestId)}>
                      {practice.admin ? 'Confirm or decline' : 'Read the request'}
                      <span className="sr">
                        : {organizationName}, {name}
                      </span>
                    </LinkButton>
                  </Cell>
                </Row>
              ),
            )}
          </DataTable>
          {!practice.admin && <footer>An admin of the practice must decide.</footer>}
        </Card>
        <Pager label="requests" listed={listed} />
      </SearchedList>
    </>
  )
}
