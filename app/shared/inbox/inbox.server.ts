import { inboxForms } from '../../../server/contract/forms/inbox.ts'
import { readInboxAsk } from '../../../server/contract/portal/inbox-filter.ts'
import type { Realm } from '../../../server/contract/portal/realms.ts'
import { runAction } from '../../lib/submission.server.ts'
import { getSession, here, type PageArgs, readerZone } from '../../services.server.ts'
import { inboxPath, subjectPath } from './inbox-path.ts'

/** The inbox of the signed-in person, with the page of each step: the list and the filters that the address names. */
export async function readInbox(args: PageArgs, realm: Realm) {
  const session = await getSession(args, realm)
  const { accountId } = session
  const { inbox, clock } = args.context.services
  const ask = readInboxAsk(new URL(args.request.url).searchParams)
  const [summary, listed] = await Promise.all([
    inbox.summary({}, { accountId }),
    inbox.list({ ask }, { accountId }),
  ])
  const done = ask.view === 'done' ? await inbox.doneBy({ ask }, { accountId }) : null
  return {
    /** Whether subjects are assigned to people here. */
    assigns: realm === 'staff',
    ask,
    summary,
    listed: {
      ...listed,
      rows: listed.rows.map((entry) => ({
        ...entry,
        to: inboxPath(entry),
        claimedBy: entry.claimedBy && { ...entry.claimedBy, you: entry.claimedBy.id === accountId },
      })),
    },
    done: done && { ...done, rows: done.rows.map((entry) => ({ ...entry, to: subjectPath(entry) })) },
    now: clock(),
  }
}

/** Puts an entry off, or takes it back; ends on the same list. */
export async function changeInbox(args: PageArgs, realm: Realm) {
  const { accountId } = await getSession(args, realm)
  const { inbox } = args.context.services
  const zone = readerZone(args)
  const snooze = (entry: Omit<Parameters<typeof inbox.snooze>[0], 'zone'>) =>
    inbox.snooze({ ...entry, zone }, { accountId })
  return runAction(
    args,
    inboxForms,
    {
      tomorrow: (entry) => snooze({ ...entry, until: 'tomorrow' }),
      monday: (entry) => snooze({ ...entry, until: 'monday' }),
      date: ({ date, ...entry }) => snooze({ ...entry, until: date }),
      wake: (entry) => inbox.wake(entry, { accountId }),
    },
    {
      to: (intent) => ({
        path: here(args.request),
        done: intent === 'wake' ? 'inbox_woken' : 'inbox_snoozed',
      }),
    },
  )
}

/** What the page of an inbox shows. */
export type InboxData = Awaited<ReturnType<typeof readInbox>>
