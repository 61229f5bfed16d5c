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
    name: z.string().meta({ description: 'Its name for people.', examples: ['FHIR API'] }),
    href: z.string().meta({ description: 'Where it is.', format: 'uri' }),
    status: state.meta({
      description:
        'Its state. `disabled` is off on purpose and no outage; `not_available` was not checked and says nothing; `partial_outage`, `major_outage` and `under_maintenance` are set by hand.',
    }),
    summary: z.string().meta({ description: 'The state in a sentence.' }),
    overridden: z.literal(true).optional().meta({ description: 'Present when the state was set by hand.' }),
    automaticStatus: state
      .optional()
      .meta({ description: 'Present with `overridden`: what the automatic check found.' }),
  })
  .meta({
    description: 'One component. The rows of FHIR and SMART tell of availability and certify nothing.',
  })
  .register(statusComponents, { id: 'ServiceStatus' })

export const platformStatusSchema = z
  .object({
    checkedAt,
    overall: z.enum(overallStates).meta({
      description: 'The platform as a whole, made from the rows that are neither disabled nor unchecked.',
    }),
    overallSummary: z.string().meta({ description: 'The whole in a sentence.' }),
    services: z
      .array(serviceStatusSchema)
      .meta({ description: 'Every component, always in the same order.' }),
  })
  .meta({ description: 'Whether the platform is up. For information; no service-level agreement.' })
  .register(statusComponents, { id: 'PlatformStatus' })

export const practiceStatusSchema = z
  .object({
    checkedAt,
    queried: z.string().meta({ description: 'The id that was asked for, as it came.' }),
    found: z.boolean().meta({ description: 'Whether a practice has this id.' }),
    practiceId: z.string().meta({
      description: 'Login slug of the practice; empty when none was found.',
      examples: ['harbor-family'],
    }),
    name: z.string().meta({ description: 'Its name; empty when none was found.' }),
    status: z.enum(practiceStatuses).meta({
      description:
        '`suspended` is the office’s own state and no outage; `unknown` says that no practice has this id.',
    }),
    summary: z.string().meta({ description: 'The state in a sentence.' }),
  })
  .meta({ description: 'Whether one practice can sign in and save.' })
  .register(statusComponents, { id: 'PracticeStatus' })
export type PlatformStatusObject = z.output<typeof platformStatusSchema>
export type PracticeStatusObject = z.output<typeof practiceStatusSchema>
