/** Tables about the authorization server. */

import { smartLifetimes } from '../../../server/contract/smart/lifetimes.ts'
import { launchScopeNames } from '../../../server/contract/smart/scopes.ts'
import type { Facts } from './facts.ts'

const launchScopes: Record<(typeof launchScopeNames)[number], string> = {
  openid: 'You also get an id_token.',
  fhirUser: 'The id_token names the FHIR resource of the person who signed in.',
  launch: 'The context of a launch from the chart. Ignored without a launch.',
  'launch/patient': 'The person chooses a patient, unless the launch brings one.',
  'launch/encounter': 'The visit of a launch from the chart.',
  offline_access: 'A refresh token that works while no one is signed in, if the person chooses that.',
  online_access:
    'A refresh token that lasts as long as the sign-in it came from, if the person chooses that.',
}

export const launchScopesTable = (): Facts => ({
  label: 'Launch scopes',
  heads: ['Scope', 'What you get'],
  rows: launchScopeNames.map((name) => [`\`${name}\``, launchScopes[name]]),
})

export const lifetimes = (): Facts => ({
  label: 'Lifetimes',
  heads: ['What', 'How long'],
  rows: [
    [
      'Time to sign in and decide, from the authorize request',
      `${smartLifetimes.authorizationRequestMinutes} minutes`,
    ],
    ['A launch', `${smartLifetimes.launchMinutes} minutes`],
    ['An authorization code', `${smartLifetimes.codeMinutes} minutes, once`],
    ['An access token for a patient or clinician app', `${smartLifetimes.accessTokenSeconds / 60} minutes`],
    ['An access token for a backend system', `${smartLifetimes.systemTokenSeconds / 60} minutes`],
    ['A refresh token', `${smartLifetimes.refreshTokenDays} days from its last use; each use replaces it`],
    [
      'Sending a refresh token again after it was replaced',
      `refused; after ${smartLifetimes.refreshRepeatSeconds} seconds it also ends the grant`,
    ],
    ['`exp` of an assertion, at most', `${smartLifetimes.assertionSecondsMax} seconds from now`],
    ['Allowed clock difference', `${smartLifetimes.clockSkewSeconds} seconds`],
  ],
})
