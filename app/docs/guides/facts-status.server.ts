/** Tables about the Status API. */
import {
  type ComponentState,
  componentStates,
  components,
  overallTable,
  type PracticeStatus,
  practiceStatuses,
} from '../../../server/contract/status/components.ts'
import type { Facts } from './facts.ts'

export const statusComponentsTable = (): Facts => ({
  label: 'Components',
  heads: ['ID', 'Name', 'Value of overall when it is down'],
  rows: Object.entries(components).map(([id, { name, tier }]) => [
    `\`${id}\``,
    name,
    `\`${overallTable[tier].down}\``,
  ]),
})

const states: Record<ComponentState, string> = {
  operational: 'The check passed.',
  degraded: 'Partly working; the summary says what.',
  down: 'The check failed.',
  disabled: 'Off on purpose. Not an outage, and not counted in `overall`.',
  not_available: 'Not checked. Never shown as operational, and not counted in `overall`.',
  partial_outage: 'Set by hand during an incident.',
  major_outage: 'Set by hand during an incident.',
  under_maintenance: 'Set by hand during maintenance.',
}

export const componentStatesTable = (): Facts => ({
  label: 'States of a component',
  heads: ['status', 'What it means'],
  rows: componentStates.map((state) => [`\`${state}\``, states[state]]),
})

const practices: Record<PracticeStatus, string> = {
  operational: 'The practice is active, and sign-in and the API work.',
  degraded: 'Active, and sign-in or the API is degraded.',
  down: 'Active, and sign-in or the API did not answer.',
  suspended: 'The practice is suspended. This is not an outage.',
  unknown: 'No practice has this id; `found` is false. A typo is not an outage.',
}

export const practiceStatusesTable = (): Facts => ({
  label: 'States of a practice',
  heads: ['status', 'What it means'],
  rows: practiceStatuses.map((state) => [`\`${state}\``, practices[state]]),
})
