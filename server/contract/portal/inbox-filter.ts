/** What the address of an inbox asks for: which list, and which of its entries. */
import { type InboxKind, inboxKinds } from '../workflows/inbox.ts'
import { type PageAsk, readPageAsk, searchCharactersMax } from './paging.ts'

export const inboxViews = ['open', 'mine', 'snoozed', 'done'] as const
export type InboxView = (typeof inboxViews)[number]

export const dueFilters = {
  overdue: 'Overdue',
  week: 'Within 7 days',
  later: 'Later',
  none: 'No deadline',
} as const
export type DueFilter = keyof typeof dueFilters

export type InboxAsk = PageAsk &
  Readonly<{
    view: InboxView
    kind: InboxKind | null
    due: DueFilter | null
    /** The name of who asks. */
    from: string | null
  }>

/** Nonsense is left out. */
export function readInboxAsk(query: URLSearchParams): InboxAsk {
  const view = inboxViews.find((each) => each === query.get('show')) ?? 'open'
  const kind = inboxKinds.find((each) => each === query.get('kind')) ?? null
  const due = query.get('due') ?? ''
  const from = (query.get('from') ?? '').replaceAll('\0', '').slice(0, searchCharactersMax)
  return {
    ...readPageAsk(query),
    view,
    kind,
    due: Object.hasOwn(dueFilters, due) ? (due as DueFilter) : null,
    from: from === '' ? null : from,
  }
}

/** The whole inbox, from its beginning. */
export const wholeInbox: InboxAsk = { q: '', page: 1, view: 'open', kind: null, due: null, from: null }
