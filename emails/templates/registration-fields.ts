/** What every mail about a registration knows of it. */
import { z } from 'zod'
import { instant, line } from '../fields.ts'
import type { LetterContext } from '../letter.ts'

/** Words that people typed; in a mail they are one paragraph. */
export const words = z.string().min(1).max(2_000)

export const about = {
  name: line,
  appName: line,
  /** What is asked for: registration of an app, a change, higher limits, a longer term. */
  kindName: line,
  organizationSlug: z.string().regex(/^[a-z0-9-]{1,120}$/),
  requestId: line,
}

export const dueDate = instant.nullable()

export const items = z
  .array(z.object({ sentence: line, text: words }))
  .min(1)
  .max(40)

export const exampleAbout = {
  name: 'Robin Testwell',
  appName: 'Tidepath Health',
  kindName: 'App registration',
  organizationSlug: 'samplewood-health-apps',
  requestId: '01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01',
}

type About = { appName: string; kindName: string; organizationSlug: string; requestId: string }

export function openPage(
  { organizationSlug, requestId }: About,
  label: string,
  { page }: LetterContext<never>,
) {
  return { label, url: page(`/organizations/${organizationSlug}/registrations/${requestId}`) }
}

export function factsOf({ appName, kindName, requestId }: About): [string, string][] {
  return [
    ['App', appName],
    ['Request', kindName],
    ['Request ID', requestId],
  ]
}

export function flat(text: string): string {
  return text.replace(/\s+/gu, ' ').trim()
}

export function listItems(given: z.output<typeof items>): [string, string][] {
  return given.map(({ sentence, text }, place) => [
    `${place + 1}. ${sentence.replace(/\.$/, '')}`,
    flat(text),
  ])
}
