/** The form with which operations set the state of a component by hand. */
import { z } from 'zod'
import {
  componentIds,
  overrideHours,
  overrideReasonMax,
  overrideSummaryMax,
  settableStates,
} from './components.ts'

const oneLine = (text: string) => !/\p{Cc}/u.test(text)
const sentence = (most: number, wanted: string) =>
  z
    .string({ error: wanted })
    .trim()
    .refine((text) => [...text].length <= most, `Use at most ${most} characters.`)
    .refine(oneLine, 'Write it in one line.')

export const overrideForm = z.object({
  component: z.enum(componentIds as [string, ...string[]], { error: 'Choose a component.' }),
  state: z.enum(settableStates as [string, ...string[]], { error: 'Choose a state.' }),
  summary: sentence(overrideSummaryMax, 'Say what everybody should know.'),
  reason: sentence(overrideReasonMax, 'Say why.').refine(
    (text) => [...text].length >= 10,
    'Use at least 10 characters.',
  ),
  hours: z.coerce
    .number({ error: 'Choose how long it holds.' })
    .refine((hours) => overrideHours.some((each) => each === hours), 'Choose how long it holds.'),
})
