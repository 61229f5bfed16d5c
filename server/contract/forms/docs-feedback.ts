/** “Was this page helpful?”: one click below each page of the documentation, then a text for those who want to. */
import { z } from 'zod'

export const feedbackTextMax = 1_000

const fields = {
  /** Which page: the portal checks that it exists. */
  page: z
    .string()
    .max(120)
    .regex(/^\/docs(\/[\w$.-]{1,60}){0,3}$/),
  answer: z.enum(['yes', 'no']),
  /** Day of the last change of the page that was read, where it shows one. */
  edited: z.iso.date().optional(),
}

export const feedbackForm = z.object(fields)

const textError = 'Enter your comment.'

export const feedbackTextForm = z.object({
  ...fields,
  /** Made with the form: sent twice, the text is kept once. */
  id: z.uuid(),
  text: z
    .string({ error: textError })
    .trim()
    .min(1, textError)
    .refine((text) => [...text].length <= feedbackTextMax, `Use at most ${feedbackTextMax} characters.`),
})
