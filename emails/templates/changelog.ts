/** Of the changelog: the link that asks whether an address wants its emails, and one day’s entries. */
import { z } from 'zod'
import { count, instant, line } from '../fields.ts'
import { defineMail } from '../letter.ts'

const change = z
  .string()
  .min(1)
  .max(600)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u)

const inWords = (day: string) =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'long' })

export const changelogConfirm = defineMail({
  props: z.object({ expiresAt: instant }),
  links: ['confirmUrl'],
  subject: () => 'Confirm your changelog emails',
  letter: ({ expiresAt }, { links, instant: at }) => ({
    preview: 'We send nothing until you confirm.',
    heading: 'Confirm your subscription',
    happened: 'Someone requested an email for this address whenever our APIs change.',
    means: 'We send no changelog emails until you confirm.',
    todo: 'If this was you, open the link and confirm. If not, ignore this email.',
    byWhen: at(expiresAt),
    otherwise: 'We forget the request.',
    action: { label: 'Confirm subscription', url: links.confirmUrl },
    facts: [],
  }),
  example: { expiresAt: '2026-11-23T15:04:00.000Z' },
})

export const changelogDay = defineMail({
  props: z.object({
    day: z.iso.date(),
    changes: z
      .array(z.object({ subject: line, change }))
      .min(1)
      .max(30),
    /** Changes of the day that are not listed. */
    more: count,
  }),
  links: ['manageUrl'],
  subject: ({ day }) => `API changes of ${inWords(day)}`,
  letter: ({ day, changes, more }, { links, page }) => ({
    preview: changes[0]?.change.slice(0, 120) ?? '',
    heading: `What changed on ${inWords(day)}`,
    happened: `The changelog lists ${changes.length + more === 1 ? 'a change' : `${changes.length + more} changes`}.${more > 0 ? ` The first ${changes.length} are below.` : ''}`,
    means: 'New things need nothing from you. Read the lines that say “Changed”.',
    todo: 'Check whether a change affects your client.',
    byWhen: null,
    otherwise: 'You get the next changelog email.',
    action: { label: 'Read the changelog', url: page(`/docs/changelog#day-${day}`) },
    facts: [
      ...changes.map(({ subject, change: text }) => [subject, text] as const),
      ['Manage emails', links.manageUrl],
    ],
  }),
  example: {
    day: '2026-11-23',
    changes: [
      { subject: 'Documentation', change: 'New: each page asks whether it helped.' },
      { subject: 'Compression', change: 'Changed: responses above 1 kB are sent with gzip.' },
    ],
    more: 3,
  },
})
