/**
 * Apps that nobody registered: a launch without an account creates them, for the demonstration practice only. Their
 * client ID has a prefix, by which every part of the server recognizes them.
 */

const prefix = 'open-'

export const unregisteredApps = {
  prefix,
  name: 'Unregistered app',
  /** Counted from the person's consent; a grant can't be refreshed after that. */
  grantMinutes: 60,
} as const

export const isUnregisteredApp = (clientId: string): boolean => clientId.startsWith(prefix)
