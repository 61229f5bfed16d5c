/** Every job. */
import { z } from 'zod'
import { archiveAccess } from './archive-access.ts'
import { changeSandbox } from './change-sandbox.ts'
import { checkAudit } from './check-audit.ts'
import { checkCredentials } from './check-credentials.ts'
import { checkStatus } from './check-status.ts'
import { countAccess } from './count-access.ts'
import { deleteDataset } from './delete-dataset.ts'
import { deleteEnded } from './delete-ended.ts'
import { deleteUnusedCopies } from './delete-unused-copies.ts'
import { enableRegistration } from './enable-registration.ts'
import { expireInvitations } from './expire-invitations.ts'
import { forgetActivity } from './forget-activity.ts'
import { notifyOfDeprecation } from './notify-of-deprecation.ts'
import { provisionSandboxKey } from './provision-sandbox-key.ts'
import { purgeUnverified } from './purge-unverified.ts'
import { reindex } from './reindex.ts'
import { remindOfExpiry } from './remind-of-expiry.ts'
import { removeExportFiles } from './remove-export-files.ts'
import { runBulkExport } from './run-bulk-export.ts'
import { sealAccess } from './seal-access.ts'
import { sendAccountLink } from './send-account-link.ts'
import { sendInboxDigests } from './send-inbox-digests.ts'
import { sendMail } from './send-mail.ts'
import { sendReviewDigest } from './send-review-digest.ts'
import { sweepDocuments } from './sweep-documents.ts'
import { sweepOutbox } from './sweep-outbox.ts'
import { defineTask, type JobTask } from './task.ts'
import { tellSubscribers } from './tell-subscribers.ts'
import { tickSandboxChanges } from './tick-sandbox-changes.ts'
import { tickWorkflows } from './tick-workflows.ts'
import { tidyExplorer } from './tidy-explorer.ts'

/** Ticks of earlier releases: a job that one of them left in the queue ends without work. */
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
