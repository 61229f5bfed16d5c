/**
 * Apps that no one registered: made by a launch without an account, for the demonstration practice alone. Their client
 * id says what they are, so that every part of the server knows one when it sees it.
 */

const prefix = 'open-'

export const unregisteredApps = {
  prefix,
  name: 'Unregistered app',
  /** From the person's consent on: no refresh after that. */
  grantMinutes: 60,
} as const

export const isUnregisteredApp = (clientId: string): boolean => clientId.startsWith(prefix)
