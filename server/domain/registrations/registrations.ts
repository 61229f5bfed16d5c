/** Registrations of apps, and what else goes through their table: what developers and time do. */
export { sendDigest } from '../review-clocks/digest.ts'
export { changeDetails, requestChange, requestOther } from './changes.ts'
export { createApp, lint, saveDraft } from './drafts.ts'
export { tick } from './due.ts'
export { enable } from './enablement.ts'
export { serviceFigures } from './figures.ts'
export { get, list, listPage, open } from './read-registration.ts'
export { answer, appeal, reopen, resubmit, submit, withdraw } from './submissions.ts'
