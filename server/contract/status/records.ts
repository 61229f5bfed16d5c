/** The objects of the Status API, field by field. */
import { z } from 'zod'
import {
  type ComponentId,
  componentIds,
  componentStates,
  overallStates,
  practiceStatuses,
} from './components.ts'

/** Schemas that are components of the OpenAPI document of the production base, under these names. */
export const statusComponents = z.registry<{ id: string }>()

const checkedAt = z.string().meta({
  description: 'When this was last checked.',
  format: 'date-time',
  examples: ['2026-11-20T17:00:00.000Z'],
})

const state = z.enum(componentStates)

const serviceStatusSchema = z
  .object({
    id: z.enum(componentIds as [ComponentId, ...ComponentId[]]).meta({ description: 'The component.' }),
    name: z.string().meta({ description: 'Display name.', examples: ['FHIR API'] }),
    href: z.string().meta({ description: 'Its address.', format: 'uri' }),
    status: state.meta({
      description:
        'Its state. `disabled` is off on purpose and not an outage; `not_available` was not checked; `partial_outage`, `major_outage` and `under_maintenance` are set manually.',
    }),
    summary: z.string().meta({ description: 'The state in one sentence.' }),
    overridden: z.literal(true).optional().meta({ description: 'Present if the state was set manually.' }),
    automaticStatus: state
      .optional()
      .meta({ description: 'Present with `overridden`: the result of the automatic check.' }),
  })
  .meta({
    description: 'One component. The FHIR and SMART rows report availability and certify nothing.',
  })
  .register(statusComponents, { id: 'ServiceStatus' })

export const platformStatusSchema = z
  .object({
    checkedAt,
    overall: z.enum(overallStates).meta({
      description: 'The platform as a whole, from all rows that are neither disabled nor unchecked.',
    }),
    overallSummary: z.string().meta({ description: 'The overall state in one sentence.' }),
    services: z
      .array(serviceStatusSchema)
      .meta({ description: 'Every component, always in the same order.' }),
  })
  .meta({ description: 'Whether the platform is up. For information only; not a service-level agreement.' })
  .register(statusComponents, { id: 'PlatformStatus' })

export const practiceStatusSchema = z
  .object({
    checkedAt,
    queried: z.string().meta({ description: 'The requested ID, unchanged.' }),
    found: z.boolean().meta({ description: 'Whether a practice has this id.' }),
    practiceId: z.string().meta({
      description: 'The practice’s login slug; empty if not found.',
      examples: ['harbor-family'],
    }),
    name: z.string().meta({ description: 'Its name; empty if not found.' }),
    status: z.enum(practiceStatuses).meta({
      description:
        '`suspended` is the practice’s own state and not an outage; `unknown` means that no practice has this ID.',
    }),
    summary: z.string().meta({ description: 'The state in one sentence.' }),
  })
  .meta({ description: 'Whether one practice can sign in and save records.' })
  .register(statusComponents, { id: 'PracticeStatus' })
export type PlatformStatusObject = z.output<typeof platformStatusSchema>
export type PracticeStatusObject = z.output<typeof practiceStatusSchema>
