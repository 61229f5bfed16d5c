/** Text as people type it into a form: in one spelling, then within its bounds. */
import { z } from 'zod'
import { normalize } from './normalize.ts'

type TextRule = Readonly<{
  /** The error of a field that was not sent. */
  missing?: string
  min?: number
  /** The error of a text that is too short. */
  short?: string
  max: number
  /** The error of a text that is too long. */
  long?: string
  /** What it may hold, and the error of anything else. */
  only?: readonly [characters: RegExp, error: string]
}>

const bounded =
  (tidy: (text: string) => string) =>
  ({ missing, min = 0, short, max, long, only }: TextRule) => {
    const text = z
      .string()
      .min(min, short ?? `Use at least ${min} characters.`)
      .max(max, long ?? `Use at most ${max.toLocaleString('en-US')} characters.`)
    return z
      .string(missing)
      .transform(tidy)
      .pipe(only ? text.regex(...only) : text)
  }

export const tidyParagraphs = (text: string): string => normalize(text, 'NFC').replace(/\r\n?/g, '\n').trim()

export const lineText: (rule: TextRule) => z.ZodType<string, string> = bounded((text) =>
  normalize(text, 'NFC').replace(/\s+/gu, ' ').trim(),
)

/** Of several lines. */
export const paragraphText: (rule: TextRule) => z.ZodType<string, string> = bounded(tidyParagraphs)

export const noControl = [/^[^\p{Cc}\p{Cn}\p{Co}]*$/u, 'Remove control characters.'] as const
/** But for line breaks and tabs. */
export const noControlInLines = [
  /^(?:[^\p{Cc}\p{Cn}\p{Co}]|[\n\t])*$/u,
  'Remove control characters.',
] as const
