import { Link } from '@remix-run/react'
import { Inbox } from 'lucide-react'
import { LinkButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Cell, DataTable, Row } from '../../components/ui/data-table.tsx'
import { EmptyState } from '../../components/ui/empty-state.tsx'
import { ListSearch, Pager } from '../../components/ui/list-tools.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { Tag } from '../../components/ui/tag.tsx'
import { ago } from '../../lib/dates.ts'
import type { Serialized } from '../../lib/serialized.ts'
import type { readInbox } from './inbox.server.ts'

type InboxData = Serialized<Pick<Awaited<ReturnType<typeof readInbox>>, 'listed' | 'now'>>
type Entry = InboxData['listed']['rows'][number]

const actions = (
  <span key="actions" className="sr">
    Actions
  </span>
)

/** The inbox of every role: the first due first, each with its next step. */
export function InboxList({ listed, now }: InboxData) {
  return (
    <>
      <PageHeader title="Inbox">Requests, questions and documents that need your next step.</PageHeader>
      {(listed.q !== '' || listed.pages > 1) && (
        <ListSearch label="Name, organization or practice" q={listed.q} />
      )}
      {listed.total === 0 && listed.q !== '' ? (
        <p className="muted">Nothing in your inbox matches “{listed.q}”.</p>
      ) : listed.total === 0 ? (
        <EmptyState icon={Inbox} title="You’re all caught up">
          When something needs your next step, it is listed here until it is done.
        </EmptyState>
      ) : (
        <Card id="inbox" title="To do">
          <DataTable label="To do" heads={['Next step', 'Since', 'Due', actions]} middle>
            {listed.rows.map((entry) => (
              <EntryRow key={entry.id} entry={entry} now={now} />
            ))}
          </DataTable>
          <Pager label="the inbox" listed={listed} />
        </Card>
      )}
    </>
  )
}

function EntryRow({ entry, now }: { entry: Entry; now: InboxData['now'] }) {
  const { title, to, action, since, dueAt, claimedBy } = entry
  return (
    <Row>
      <Cell>
        <Link className="label" to={to}>
          {title}
        </Link>
        <span className="sub">{partiesOf(entry)}</span>
        {claimedBy && <span className="sub">Assigned to {claimedBy.you ? 'you' : claimedBy.name}</span>}
      </Cell>
      <Cell label="Since" className="nowrap">
        {ago(since, now)}
      </Cell>
      <Cell label="Due">
        {dueAt ? (
          <>
            <Moment at={dueAt} as="deadline" />{' '}
            {new Date(dueAt) < new Date(now) && <Tag tone="bad">Overdue</Tag>}
          </>
        ) : (
          'No deadline'
        )}
      </Cell>
      <Cell>
        <LinkButton size="sm" to={to} aria-label={`${action}: ${title}`}>
          {action}
        </LinkButton>
      </Cell>
    </Row>
  )
}

/** The other side, and for a member of several organizations their own. */
function partiesOf({ organization, practice, realm }: Entry): string {
  if (realm === 'practice') return organization.name
  return practice ? `${organization.name} and ${practice.name}` : organization.name
}
