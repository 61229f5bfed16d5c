/** What waits for a person, of every workflow and besides. */
export { findDigestLink, readSettings, saveSettings, sendDigests, stopDigest } from './digest.ts'
export type { InboxEntry } from './entry.ts'
export { count, list } from './inbox-read.ts'
