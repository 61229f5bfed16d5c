/** Incidents and maintenance as they are told: their stages, and what they say of a component. */
import { z } from 'zod'
import { publicName } from '../text/public-name.ts'
import { type ComponentId, type ComponentState, componentIds, isComponentId } from './components.ts'

export const incidentKinds = ['incident', 'maintenance'] as const
export type IncidentKind = (typeof incidentKinds)[number]

/** In the order in which they usually follow; the last one ends it. */
export const stagesOf = {
  incident: ['investigating', 'identified', 'monitoring', 'resolved'],
  maintenance: ['scheduled', 'in_progress', 'completed'],
} as const satisfies Record<IncidentKind, readonly string[]>

export type IncidentStage = (typeof stagesOf)[IncidentKind][number]

export const stageWords: Record<IncidentStage, string> = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
  scheduled: 'Scheduled',
  in_progress: 'In progress',
  completed: 'Completed',
}

export const isLastStage = (stage: string): boolean => stage === 'resolved' || stage === 'completed'

/**
 * What it says of a component; `as_checked`: it is affected, and the checks say how; `operational`: it works, although a
 * check fails.
 */
export const affectedStates = [
  'as_checked',
  'operational',
  'degraded',
  'partial_outage',
  'major_outage',
  'under_maintenance',
] as const satisfies readonly (ComponentState | 'as_checked')[]
export type AffectedState = (typeof affectedStates)[number]

export type Affected = Readonly<Partial<Record<ComponentId, AffectedState>>>

export const incidentTitleMax = 120
export const incidentTextMax = 1_000
export const postMortemMax = 20_000
export const incidentReasonMax = 500
/** Maintenance is announced at most so long before. */
export const maintenanceDaysMax = 90

const oneLine = (text: string) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)
const line = (least: number, most: number, wanted: string) =>
  z
    .string({ error: wanted })
    .trim()
    .refine((text) => [...text].length >= least, least === 1 ? wanted : `Use at least ${least} characters.`)
    .refine((text) => [...text].length <= most, `Use at most ${most} characters.`)
    .refine(oneLine, 'Use a single line.')

const reason = line(10, incidentReasonMax, 'Enter a reason for the internal record.')
const text = line(1, incidentTextMax, 'Enter the public message.')
const version = z.coerce
  .number({ error: 'The form was incomplete. Reload the page and try again.' })
  .int()
  .min(1)

/** `yyyy-mm-dd hh:mm`, read as UTC; the form moves it to the zone of its reader. */
const moment = z
  .string()
  .trim()
  .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/, 'Enter a time such as 2026-11-30 14:00.')
  .transform((value) => new Date(`${value.replace(' ', 'T')}:00.000Z`))
  .refine((value) => !Number.isNaN(value.getTime()), 'This date doesn’t exist.')

/** Field of a form for one component. */
export const affectedField = (id: ComponentId) => `state-${id.replaceAll('_', '-')}`

const affectedFields = Object.fromEntries(
  componentIds.map((id) => [
    affectedField(id),
    z.enum(affectedStates, { error: 'Choose a state.' }).optional(),
  ]),
)

/** The components of a form, by their fields. */
export function affectedOf(form: Readonly<Record<string, unknown>>): Affected {
  const states = componentIds.map((id) => [id, form[affectedField(id)]] as const)
  return Object.fromEntries(states.filter(([, state]) => state !== undefined)) as Affected
}

const somethingIsAffected = (form: object) =>
  Object.keys(affectedOf(form as Record<string, unknown>)).length > 0
/** Said with the faults of the other fields, not after them. */
const nothingAffected = {
  error: 'Choose the affected components.',
  path: [affectedField('academy')],
  when: () => true,
}

export const openIncidentForm = z
  .object({
    /** Made with the page: the same form sent twice opens one incident. */
    id: z.uuid({ error: 'The form was incomplete. Reload the page and try again.' }),
    kind: z.enum(incidentKinds, { error: 'Choose incident or maintenance.' }),
    title: publicName({ missing: 'Enter a title.', max: incidentTitleMax, official: true }),
    text,
    startsAt: moment.optional(),
    endsAt: moment.optional(),
    components: z
      .union([z.string(), z.array(z.string())])
      .default([])
      .transform((ids) => [ids].flat().filter(isComponentId)),
    state: z.enum(affectedStates).default('under_maintenance'),
    /** Minutes until the next update. */
    nextUpdate: z.coerce.number().int().min(1).max(1_440).optional(),
    reason: reason.optional(),
  })
  .refine(({ components }) => components.length > 0, { ...nothingAffected, path: ['components'] })

/** Texts to begin with. */
export const incidentTemplates = {
  slow: {
    kind: 'incident',
    title: 'Slow responses',
    text: 'Requests take longer than usual. We are looking for the cause.',
    state: 'degraded',
    components: ['api', 'fhir'],
  },
  'sign-in': {
    kind: 'incident',
    title: 'Sign-in fails for some people',
    text: 'Some people cannot sign in to apps. Tokens that were issued before keep working.',
    state: 'partial_outage',
    components: ['smart'],
  },
  database: {
    kind: 'maintenance',
    title: 'Database maintenance',
    text: 'Requests can fail for a few minutes during this time. Clients should try again after the Retry-After time.',
    state: 'under_maintenance',
    components: ['api', 'mcp', 'fhir', 'smart'],
  },
} as const

export const updateIncidentForm = z
  .object({
    version,
    stage: z.enum([...stagesOf.incident, ...stagesOf.maintenance], { error: 'Choose a stage.' }),
    text,
    reason,
    ...affectedFields,
  })
  .refine(somethingIsAffected, nothingAffected)

export const editUpdateForm = z.object({
  version,
  update: z.uuid({ error: 'The form was incomplete. Reload the page and try again.' }),
  text,
  reason,
})

export const postMortemForm = z.object({
  version,
  text: z
    .string({ error: 'Describe what happened.' })
    .trim()
    .min(1, 'Describe what happened.')
    .refine((value) => [...value].length <= postMortemMax, `Use at most ${postMortemMax} characters.`),
  reason,
})
