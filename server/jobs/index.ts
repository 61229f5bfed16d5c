/** All jobs that the worker runs. */
import { z } from 'zod'
import {
  changeSandbox,
  deleteDataset,
  deleteUnusedCopies,
  reindex,
  removeExportFiles,
  runBulkExport,
  sweepDocuments,
  tickSandboxChanges,
  tidyExplorer,
} from './data-jobs.ts'
import { checkStatus, sendAccountLink, sendMail, sweepOutbox, tellSubscribers } from './mail-jobs.ts'
import {
  archiveAccess,
  checkAudit,
  checkCredentials,
  countAccess,
  deleteEnded,
  forgetActivity,
  sealAccess,
} from './record-jobs.ts'
import { defineTask, type JobTask } from './task.ts'
import {
  enableRegistration,
  expireInvitations,
  notifyOfDeprecation,
  provisionSandboxKey,
  purgeUnverified,
  remindOfExpiry,
  sendInboxDigests,
  sendReviewDigest,
  tickWorkflows,
} from './workflow-jobs.ts'

/** Jobs of earlier releases. One that is still in the queue must have a task, which does nothing. */
const retired = ['make-backup', 'mail-changelog'].map((name) =>
  defineTask({ name, payload: z.unknown(), run: () => Promise.resolve() }),
)

export const tasks = [
  ...retired,
  sendMail,
  sweepOutbox,
  sendAccountLink,
  provisionSandboxKey,
  remindOfExpiry,
  forgetActivity,
  expireInvitations,
  purgeUnverified,
  deleteEnded,
  deleteDataset,
  deleteUnusedCopies,
  runBulkExport,
  removeExportFiles,
  sweepDocuments,
  checkAudit,
  sealAccess,
  archiveAccess,
  countAccess,
  checkCredentials,
  checkStatus,
  enableRegistration,
  sendReviewDigest,
  sendInboxDigests,
  tickWorkflows,
  tidyExplorer,
  tellSubscribers,
  notifyOfDeprecation,
  changeSandbox,
  tickSandboxChanges,
  reindex,
] as readonly JobTask[]
