/** The forms with which operations set the state of a component by hand, and end it. */
import { z } from 'zod'
import {
  componentIds,
  overrideHours,
  overrideReasonMax,
  overrideSummaryMax,
  settableStates,
} from '../status/components.ts'

const oneLine = (text: string) => !/\p{Cc}/u.test(text)
const sentence = (most: number, wanted: string) =>
  z
    .string({ error: wanted })
    .trim()
    .refine((text) => [...text].length <= most, `Use at most ${most} characters.`)
    .refine(oneLine, 'Use a single line.')

const reason = sentence(overrideReasonMax, 'Enter a reason.').refine(
  (text) => [...text].length >= 10,
  'Use at least 10 characters.',
)

export const overrideForm = z.object({
  component: z.enum(componentIds as [string, ...string[]], { error: 'Choose a component.' }),
  state: z.enum(settableStates as [string, ...string[]], { error: 'Choose a state.' }),
  summary: sentence(overrideSummaryMax, 'Enter the public message.'),
  reason,
  hours: z.coerce
    .number({ error: 'Choose a duration.' })
    .refine((hours) => overrideHours.some((each) => each === hours), 'Choose a duration.'),
  /** What was set when the page was opened: of two people at once the second is asked to look again. */
  seen: z.string().max(1_000).optional(),
})

export const endOverrideForm = z.object({ reason })
