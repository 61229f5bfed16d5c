import type { Serialized } from '../../lib/serialized.ts'
import type { readInbox } from './inbox.server.ts'

/** What the page of an inbox shows. */
export type InboxData = Serialized<Omit<Awaited<ReturnType<typeof readInbox>>, 'account'>>
