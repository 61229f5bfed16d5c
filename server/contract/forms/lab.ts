/** Forms of the sandbox laboratory: one schema for the page and for the server. */
import { z } from 'zod'
import { isProblem } from '../http/problems.ts'
import { parseFaultScript } from '../lab/fault-script.ts'
import { launchFaultNames } from '../lab/launch-faults.ts'
import { launchKindNames, launchSignInNames } from '../lab/launch-lab.ts'

/** A checkbox sends `on`, or nothing. */
const ticked = z
  .literal('on')
  .optional()
  .transform((value) => value === 'on')

/** How long a switch lasts. */
export const faultSpans = [
  { minutes: 15, label: '15 minutes' },
  { minutes: 60, label: 'One hour' },
  { minutes: 240, label: 'Four hours' },
  { minutes: 1_440, label: '24 hours' },
] as const

const target = z.string({ error: 'Choose a key or an app.' }).max(200)

const minutes = z.coerce
  .number()
  .refine((value) => faultSpans.some((span) => span.minutes === value), { error: 'Choose a duration.' })

export const faultSwitchForm = z.object({
  target,
  script: z
    .string({ error: 'Enter the responses in order, such as 429*2, ok, 503.' })
    .trim()
    .superRefine((value, context) => {
      try {
        parseFaultScript(value)
      } catch (thrown) {
        if (!isProblem(thrown)) throw thrown
        context.addIssue({ code: 'custom', message: thrown.message })
      }
    }),
  minutes,
  repeats: ticked,
})

/** Empty is nothing. */
const optionalText = (most: number) =>
  z
    .string()
    .trim()
    .max(most, `Use at most ${most} characters.`)
    .optional()
    .transform((value) => (value === undefined || value === '' ? null : value))

export const launchForm = z.object({
  kind: z.enum(launchKindNames as [string, ...string[]], { error: 'Choose a launch.' }),
  app: z.string({ error: 'Choose an app.' }).max(200),
  signIn: z.enum(launchSignInNames, { error: 'Choose a person to sign in.' }).default('at_once'),
  patient: optionalText(64),
  clinician: optionalText(64),
  encounter: optionalText(64),
  intent: optionalText(200),
  banner: ticked,
  fault: z.enum(['none', ...launchFaultNames], { error: 'Choose a fault, or none.' }).default('none'),
})
