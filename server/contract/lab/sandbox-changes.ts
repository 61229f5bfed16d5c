/** What a developer may do with the data of the organization's sandbox as a whole, and the bounds of it. */
import type { OrganizationRole } from '../portal/organization-roles.ts'

export const sandboxChanges = {
  reset: {
    title: 'Reset to the seed',
    does: 'The people of the seed come back under the same ids. What was written since is gone.',
    running: 'Resetting',
    done: 'Reset to the seed',
  },
  save: {
    title: 'Save a snapshot',
    does: 'Keeps the data as it is now, in place of an earlier snapshot. The sandbox goes on as it is.',
    running: 'Saving',
    done: 'Snapshot saved',
  },
  restore: {
    title: 'Restore the snapshot',
    does: 'The data of the snapshot comes back under the same ids. What was written since is gone; the snapshot stays.',
    running: 'Restoring',
    done: 'Snapshot restored',
  },
} as const

export type SandboxChangeKind = keyof typeof sandboxChanges

export function isSandboxChangeKind(text: string): text is SandboxChangeKind {
  return Object.hasOwn(sandboxChanges, text)
}

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
