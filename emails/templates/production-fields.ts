/** What every mail about a production key knows of it. */
import { z } from 'zod'
import { describeLevel, keyLevel, line } from '../fields.ts'
import type { LetterContext } from '../letter.ts'

export const about = {
  name: line,
  /** Whom the mail is written to. */
  side: z.enum(['developer', 'practice']),
  keyName: line,
  organizationName: line,
  organizationSlug: z.string().regex(/^[a-z0-9-]{1,120}$/),
  practiceName: line,
  level: keyLevel,
  requestId: line,
}

export const reason = z.string().min(1).max(2_000)

export const exampleAbout = {
  name: 'Robin Testwell',
  side: 'developer',
  keyName: 'Nightly import',
  organizationName: 'Samplewood Health Apps',
  organizationSlug: 'samplewood-health-apps',
  practiceName: 'Fennmoor Family Practice',
  level: 'read_only',
  requestId: '01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01',
} as const

type Side = 'developer' | 'practice'

export function openRequest(
  { side, organizationSlug, requestId }: { side: Side; organizationSlug: string; requestId: string },
  label: string,
  { page }: Pick<LetterContext<never>, 'page'>,
) {
  const path =
    side === 'practice'
      ? `/practice/sponsorships/${requestId}`
      : `/organizations/${organizationSlug}/production-keys/${requestId}`
  return { label, url: page(path) }
}

type About = {
  keyName: string
  organizationName: string
  practiceName: string
  level: 'read_only' | 'full'
  requestId: string
}

export function factsOf(of: About): [string, string][] {
  return [
    ['Key', of.keyName],
    ['Developer', of.organizationName],
    ['Practice', of.practiceName],
    ['Level', describeLevel(of.level)],
    ['Request ID', of.requestId],
  ]
}

export function flat(text: string): string {
  return text.replace(/\s+/gu, ' ').trim()
}

/** One sentence for each side. */
export const bySide = (side: Side, developer: string, practice: string) =>
  side === 'developer' ? developer : practice
