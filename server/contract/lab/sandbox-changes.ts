/** What a developer may do with the data of the organization's sandbox as a whole, and the bounds of it. */
import type { OrganizationRole } from '../portal/organization-roles.ts'

export const sandboxChanges = {
  reset: {
    title: 'Reset to sample data',
    does: 'The original people return with the same IDs. Everything written since is deleted.',
    running: 'Resetting',
    done: 'Reset to sample data',
  },
  save: {
    title: 'Save a snapshot',
    does: 'Keeps the current data and replaces an earlier snapshot. The sandbox itself doesn’t change.',
    running: 'Saving',
    done: 'Snapshot saved',
  },
  restore: {
    title: 'Restore the snapshot',
    does: 'The snapshot’s data returns with the same IDs. Everything written since is deleted. The snapshot stays.',
    running: 'Restoring',
    done: 'Snapshot restored',
  },
} as const

export type SandboxChangeKind = keyof typeof sandboxChanges

export const isSandboxChangeKind = (text: string): text is SandboxChangeKind =>
  Object.hasOwn(sandboxChanges, text)

/** Explorer, people, reset and labs: developers, admins and owners. */
export const labRoles: readonly OrganizationRole[] = ['owner', 'admin', 'developer']

export const sandboxLimits = {
  /** Resources of a sandbox that can be saved and restored. */
  resourcesMax: 250_000,
  /** One snapshot a sandbox. */
  snapshots: 1,
  /** Resets, saves and restores of one sandbox in an hour. */
  changesPerHour: 12,
  /** Runs of one change at most: a process may be killed in the middle of one. */
  runsMax: 5,
  /** A change whose run has said nothing for so long is taken up again. */
  silentMinutes: 5,
} as const
