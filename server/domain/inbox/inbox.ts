/** What waits for a person, of every workflow and besides. */
export { findDigestLink, readSettings, saveSettings, sendDigests, stopDigest } from './digest.ts'
export { doneBy } from './done.ts'
export type { InboxEntry } from './entry.ts'
export { count, list, summary } from './inbox-read.ts'
export { forgetSnoozes, snooze, wake } from './snooze.ts'
