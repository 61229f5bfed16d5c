import { Link, useLocation } from '@remix-run/react'
import type { InboxView } from '../../../server/contract/portal/inbox-filter.ts'
import type { InboxKind } from '../../../server/contract/workflows/inbox.ts'
import { Refusal } from '../../components/ui/action-form.tsx'
import {
  AppWindow,
  BellRing,
  Building2,
  CirclePause,
  Clock,
  EyeOff,
  FileSignature,
  Inbox,
  KeyRound,
  KeySquare,
  ListX,
  type LucideIcon,
  MailWarning,
  Megaphone,
  Server,
  ShieldCheck,
  Timer,
  TriangleAlert,
  UserCog,
} from '../../components/ui/icons.ts'
import { Cell, DataTable, Pager, Row } from '../../components/ui/list.tsx'
import {
  Card,
  EmptyState,
  LinkButton,
  Moment,
  PageHeader,
  Tabs,
  Tag,
} from '../../components/ui/page-parts.tsx'
import { ago, counted, timeLeft } from '../../lib/dates.ts'
import type { InboxData } from './inbox.server.ts'
import { InboxFilters, isFiltered } from './inbox-filters.tsx'
import { SnoozeMenu, WakeButton } from './snooze-menu.tsx'

type Entry = InboxData['listed']['rows'][number]

/** The inbox of every role: the first due first, each with its next step. */
export function InboxList(data: InboxData) {
  const { pathname } = useLocation()
  const { ask, listed, done, summary } = data
  const several = new Set(listed.rows.map(({ organization }) => organization?.slug)).size > 1
  return (
    <>
      <PageHeader title="Inbox">
        {summary.open === 0 ? 'Nothing needs your action.' : counted(summary.open, 'to-do', '.')}
      </PageHeader>
      <Refusal title="Not snoozed." />
      <Views {...data} />
      <InboxFilters ask={ask} summary={summary} />
      {ask.view === 'done' && done ? (
        <DoneList done={done} />
      ) : listed.total === 0 ? (
        <Nothing {...data} />
      ) : (
        <Card label={titles[ask.view]}>
          <InboxEntries rows={listed.rows} now={data.now} several={several} snoozes />
          <Pager label="the inbox" listed={listed} />
          <footer>
            <Link to={`${pathname}/settings`}>Inbox email settings</Link>
          </footer>
        </Card>
      )}
    </>
  )
}

const titles: Readonly<Record<InboxView, string>> = {
  open: 'To do',
  mine: 'Assigned to you',
  snoozed: 'Snoozed',
  done: 'Done',
}

function Views({ ask, summary, assigns }: InboxData) {
  const { pathname } = useLocation()
  const counts = { open: summary.open, mine: summary.mine, snoozed: summary.snoozed, done: undefined }
  const views = (['open', 'mine', 'snoozed', 'done'] as const).filter((view) => assigns || view !== 'mine')
  const tabs = views.map((view) => ({
    to: view === 'open' ? pathname : `${pathname}?show=${view}`,
    label: titles[view],
    current: view === ask.view,
    ...(counts[view] !== undefined && { count: counts[view] }),
  }))
  return <Tabs label="Lists" tabs={tabs} />
}

function Nothing({ ask }: InboxData) {
  if (isFiltered(ask)) return <p className="muted">No to-dos match these filters.</p>
  if (ask.view === 'snoozed')
    return (
      <EmptyState icon={Inbox} title="Nothing is snoozed">
        Snooze a to-do to hide it until a later day. It comes back early if something changes.
      </EmptyState>
    )
  return (
    <EmptyState icon={Inbox} title="You’re all caught up">
      When something needs your action, it is listed here until it is done.
    </EmptyState>
  )
}

interface EntriesProps {
  rows: readonly Entry[]
  now: InboxData['now']
  /** Entries are of several organizations. */
  several?: boolean
  /** Entries can be put off here. */
  snoozes?: boolean
}

/** To-dos: what, who asks, when it is due, and the next step. */
export function InboxEntries({ rows, ...rest }: EntriesProps) {
  return (
    <ul className={rest.snoozes ? 'todo' : 'todo short'}>
      {rows.map((entry) => (
        <EntryItem key={`${entry.kind} ${entry.id}`} entry={entry} {...rest} />
      ))}
    </ul>
  )
}

function EntryItem({
  entry,
  now,
  several = false,
  snoozes,
}: Omit<EntriesProps, 'rows'> & { entry: EntriesProps['rows'][number] }) {
  const { title, to, action, since, dueAt, claimedBy, snoozedUntil, kind } = entry
  const Icon = kindIcons[kind]
  return (
    <li>
      <Icon className="i" />
      <div>
        <Link className="label" to={to}>
          {title}
        </Link>
        <p className="small muted">
          {partiesOf(entry, several)}
          <span className={snoozes ? undefined : 'wide-only'}> · {ago(since, now)}</span>
        </p>
        {claimedBy && <p className="small muted">Assigned to {claimedBy.you ? 'you' : claimedBy.name}</p>}
        {snoozedUntil && (
          <p className="small muted">
            Snoozed until <Moment at={snoozedUntil} />
          </p>
        )}
      </div>
      <div className="due">
        <Due dueAt={dueAt} now={now} />
      </div>
      <div className="act">
        <LinkButton to={to} aria-label={`${action}: ${title}`}>
          {action}
        </LinkButton>
        {!snoozes ? null : snoozedUntil ? (
          <WakeButton entry={entry} />
        ) : (
          entry.maySnooze && <SnoozeMenu entry={entry} />
        )}
      </div>
    </li>
  )
}

const soonMs = 3 * 86_400_000

function Due({ dueAt, now }: { dueAt: Entry['dueAt']; now: InboxData['now'] }) {
  if (!dueAt) return <span className="small muted">No deadline</span>
  const left = new Date(dueAt).getTime() - new Date(now).getTime()
  return (
    <>
      {left <= 0 ? (
        <Tag tone="bad">Overdue</Tag>
      ) : (
        <Tag tone={left <= soonMs ? 'turn' : 'quiet'} icon={Clock}>
          {timeLeft(dueAt, now)}
        </Tag>
      )}
      <p className="small muted">
        <Moment at={dueAt} as="deadline" />
      </p>
    </>
  )
}

/** Who asks, and the sides that this does not say; developers of one organization know theirs. */
function partiesOf(
  { askedBy, organization, practice, realm }: Pick<Entry, 'askedBy' | 'organization' | 'practice' | 'realm'>,
  several: boolean,
): string {
  const shown = {
    developer: [several ? organization?.name : null, practice?.name],
    practice: [practice?.name],
    staff: [organization?.name],
  }
  return [...new Set([askedBy, ...shown[realm]])].filter(Boolean).join(' · ')
}

function DoneList({ done }: { done: NonNullable<InboxData['done']> }) {
  if (done.total === 0)
    return (
      <p className="muted">
        {done.q === '' ? 'You have finished no to-dos in the last 30 days.' : 'No results for this search.'}
      </p>
    )
  return (
    <Card label="Done">
      <DataTable label="Done" heads={['To-do', 'Outcome', 'When']}>
        {done.rows.map(({ kind, id, name, outcome, at, to, organization, practice }) => (
          <Row key={`${kind} ${id} ${outcome} ${at}`}>
            <Cell>
              <Link className="label" to={to}>
                {name}
              </Link>
              <span className="sub">{[organization?.name, practice?.name].filter(Boolean).join(' · ')}</span>
            </Cell>
            <Cell label="Outcome">{outcome}</Cell>
            <Cell label="When">
              <Moment at={at} />
            </Cell>
          </Row>
        ))}
      </DataTable>
      <Pager label="finished to-dos" listed={done} />
    </Card>
  )
}

/** What an entry is about, at a glance; its title says the same in words. */
const kindIcons: Readonly<Record<InboxKind, LucideIcon>> = {
  registration: AppWindow,
  production_key_request: ShieldCheck,
  sandbox_key_request: KeyRound,
  agreement: FileSignature,
  system_authorization: Server,
  expiring_key: Timer,
  suspended_key: CirclePause,
  access_review: Building2,
  withhold_request: EyeOff,
  access_alert: BellRing,
  role_request: UserCog,
  incident: Megaphone,
  component: TriangleAlert,
  failed_email: MailWarning,
  failed_job: ListX,
  app_token_errors: KeySquare,
}
