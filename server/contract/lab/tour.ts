/**
 * "See Sandpiper in ten minutes": four people of a demonstration, in the order of the tour, and what each of them looks
 * at. The page is served to the machine that runs the demonstration only, and signs in without a password.
 */
import { paths } from '../portal/paths.ts'
import type { Realm } from '../portal/realms.ts'

type TourStop = Readonly<{
  realm: Realm
  email: string
  name: string
  role: string
  minutes: number
  /** Where the sign-in leads. */
  start: string
  /** What this person is here for. */
  about: string
  steps: readonly Readonly<{ to: string; label: string; text: string }>[]
}>

const larkfield = 'larkfield-labs'

export const tour = {
  developer: {
    realm: 'developer',
    email: 'dana.sandboxer@larkfield.example',
    name: 'Dana Sandboxer',
    role: 'Developer',
    minutes: 4,
    start: paths.organization(larkfield),
    about: 'She owns Larkfield Labs, which builds apps on the APIs.',
    steps: [
      {
        to: paths.organizationKeys(larkfield),
        label: 'Open a key',
        text: 'Two sandbox keys have a month of calls, including some errors to investigate.',
      },
      {
        to: `${paths.organization(larkfield)}/apps`,
        label: 'See the apps',
        text: 'One app is enabled, one is in review, and one has a question for you to answer.',
      },
      {
        to: `${paths.organizationKeys(larkfield)}?show=production`,
        label: 'Follow a production key',
        text: 'One works at a practice. The others wait for a sponsor or a signature.',
      },
      {
        to: paths.explorer,
        label: 'Call an API',
        text: 'Send a first request from the explorer, on synthetic patients.',
      },
    ],
  },
  reviewer: {
    realm: 'staff',
    email: 'rhea.fauxworth@sandpiper.example',
    name: 'Rhea Fauxworth',
    role: 'Reviewer',
    minutes: 2,
    start: paths.reviewQueue,
    about: 'She decides on apps and keys within the five business days that we promise.',
    steps: [
      {
        to: paths.staffInbox,
        label: 'Work through the queue',
        text: 'Six requests are open: two unassigned apps, an answered question, a production key.',
      },
      {
        to: paths.registrationChecks,
        label: 'Read what we check',
        text: 'The list is public. We require nothing else from developers.',
      },
    ],
  },
  practice: {
    realm: 'practice',
    email: 'theo.placeholder@harbor-family.example',
    name: 'Theo Placeholder',
    role: 'Practice manager',
    minutes: 2,
    start: paths.practice,
    about: 'He decides who has access to the records of Harborlight Family Medicine.',
    steps: [
      {
        to: paths.practiceInbox,
        label: 'Answer two developers',
        text: 'They request access. Confirm one, or report that you don’t recognize it.',
      },
      {
        to: paths.practiceAgreements,
        label: 'Read the agreements',
        text: 'One is in force, one is being negotiated, and one is waiting for a corrected address.',
      },
      {
        to: paths.practiceAudit,
        label: 'See who looked at what',
        text: 'Every access to a record is listed, with the key or app that made it.',
      },
    ],
  },
  operations: {
    realm: 'staff',
    email: 'olu.stubwell@sandpiper.example',
    name: 'Olu Stubwell',
    role: 'Operations',
    minutes: 2,
    start: paths.staffIncidents,
    about: 'He keeps the service running and posts updates when something breaks.',
    steps: [
      {
        to: paths.staffIncidents,
        label: 'Publish an incident',
        text: 'The public page shows it at once, with the states that you chose.',
      },
      {
        to: paths.status,
        label: 'Open the status page',
        text: 'It shows last week’s incident with its post-mortem, and planned maintenance.',
      },
    ],
  },
} as const satisfies Record<string, TourStop>

export type TourStopId = keyof typeof tour
export const tourStops = Object.keys(tour) as [TourStopId, ...TourStopId[]]
