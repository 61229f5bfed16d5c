import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { readPageAsk } from '../../server/contract/portal/paging.ts'
import { Card } from '../components/ui/card.tsx'
import { Cell, DataTable, Row } from '../components/ui/data-table.tsx'
import { EmptyState } from '../components/ui/empty-state.tsx'
import { MessageSquareText } from '../components/ui/icons.ts'
import { ListSearch, Pager } from '../components/ui/list-tools.tsx'
import { Moment } from '../components/ui/moment.tsx'
import { page } from '../services.server.ts'
import { getOps } from './ops.server.ts'
import { OpsFrame } from './ops-frame.tsx'

export const meta: MetaFunction = () => [{ title: 'Documentation feedback · Sandpiper' }]

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { actor, account } = await getOps(args)
  const ask = readPageAsk(new URL(args.request.url).searchParams)
  return { account, ...(await args.context.services.docsFeedback.list({ ask }, actor)) }
})

export default function DocsFeedback() {
  const { account, pages, texts } = useLoaderData<typeof loader>()
  return (
    <OpsFrame
      account={account}
      title="Documentation feedback"
      lead="Answers to “Was this page helpful?” and readers’ comments, for twelve months. Who answered is not stored."
    >
      {pages.length === 0 && texts.total === 0 && texts.q === '' ? (
        <EmptyState icon={MessageSquareText} title="No feedback yet">
          Every page of the documentation asks its readers.
        </EmptyState>
      ) : (
        <div className="stack gap-6">
          {pages.length > 0 && (
            <Card label="Answers by page" title="Answers by page">
              <DataTable label="Answers by page" heads={['Page', 'Not helpful', 'Helpful']}>
                {pages.map((row) => (
                  <Row key={row.page}>
                    <Cell>
                      <Link to={row.page} className="breaks">
                        {row.page}
                      </Link>
                    </Cell>
                    <Cell label="Not helpful">{row.no}</Cell>
                    <Cell label="Helpful">{row.yes}</Cell>
                  </Row>
                ))}
              </DataTable>
            </Card>
          )}
          <ListSearch label="Page or word of a comment" q={texts.q} />
          {texts.rows.length === 0 ? (
            <p className="muted">
              {texts.q === '' ? 'No comments yet.' : `No comment matches “${texts.q}”.`}
            </p>
          ) : (
            <Card label="Comments" title="Comments">
              <DataTable label="Comments" heads={['Comment', 'Page', 'When']}>
                {texts.rows.map((row) => (
                  <Row key={row.id}>
                    <Cell>
                      <span className="breaks">{row.text}</span>
                    </Cell>
                    <Cell label="Page">
                      <Link to={row.page} className="breaks">
                        {row.page}
                      </Link>
                      <span className="sub">
                        {row.helpful ? 'Helpful' : 'Not helpful'}
                        {row.edited && `, page of ${row.edited}`}
                      </span>
                    </Cell>
                    <Cell label="When">
                      <Moment at={row.at} />
                    </Cell>
                  </Row>
                ))}
              </DataTable>
              <Pager label="comments" listed={texts} />
            </Card>
          )}
        </div>
      )}
    </OpsFrame>
  )
}
