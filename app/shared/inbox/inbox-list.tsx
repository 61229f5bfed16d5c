import { Link } from '@remix-run/react'
import type { InboxKind } from '../../../server/contract/workflows/inbox.ts'
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
import { Pager, SearchedList } from '../../components/ui/list.tsx'
import { Card, LinkButton, Moment, PageHeader, Tag } from '../../components/ui/page-parts.tsx'
import { ago, counted, timeLeft } from '../../lib/dates.ts'
import type { InboxData } from './inbox.server.ts'

type Entry = InboxData['listed']['rows'][number]

/** A role's inbox, sorted by due date. Each to-do has its next step. */
export function InboxList({ listed, now }: InboxData) {
  const several = new Set(listed.rows.map(({ organization }) => organization?.slug)).size > 1
  return (
    <>
      <PageHeader title="Inbox">
        {listed.q === '' && listed.total > 0 && counted(listed.total, 'to-do', '.')}
      </PageHeader>
      <SearchedList
        listed={listed}
        search="Name, organization or practice"
        one="to-do"
        icon={Inbox}
        title="You’re all caught up"
        empty="When something needs your action, it is listed here until it is done."
      >
        <Card label="To do">
          <InboxEntries rows={listed.rows} now={now} several={several} isInboxPage />
          <Pager label="the inbox" listed={listed} />
        </Card>
      </SearchedList>
    </>
  )
}

interface EntriesProps {
  rows: readonly Entry[]
  now: InboxData['now']
  /** Whether the entries belong to several organizations. */
  several?: boolean
  /** The inbox's own page, where narrow screens also show when a to-do came. */
  isInboxPage?: boolean
}

/** To-dos with their parties, due date and next step. */
export function InboxEntries({ rows, ...rest }: EntriesProps) {
  return (
    <ul className={rest.isInboxPage ? 'todo' : 'todo short'}>
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
  isInboxPage,
}: Omit<EntriesProps, 'rows'> & { entry: EntriesProps['rows'][number] }) {
  const { title, to, action, since, dueAt, claimedBy, kind } = entry
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
          <span className={isInboxPage ? undefined : 'wide-only'}> · {ago(since, now)}</span>
        </p>
        {claimedBy && <p className="small muted">Assigned to {claimedBy.you ? 'you' : claimedBy.name}</p>}
      </div>
      <div className="due">
        <Due dueAt={dueAt} now={now} />
      </div>
      <div className="act">
        <LinkButton to={to} aria-label={`${action}: ${title}`}>
          {action}
        </LinkButton>
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

/** The requester and the other parties. Members of a single organization don't need its name. */
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

/** The icon of each kind of to-do. */
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
