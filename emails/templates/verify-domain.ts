import { z } from 'zod'
import { instant, line } from '../fields.ts'
import { defineMail } from '../letter.ts'

export const verifyDomain = defineMail({
  props: z.object({
    organizationName: line,
    domain: line,
    byName: line,
    expiresAt: instant,
    requestId: line,
  }),
  links: ['verifyUrl'],
  subject: ({ domain }) => `Is ${domain.slice(0, 40)} yours?`,
  letter: (props, { links, instant: when }) => ({
    preview: 'One click confirms it.',
    heading: 'Is this your domain?',
    happened: `${props.byName} of ${props.organizationName} says that ${props.domain} is theirs.`,
    means: 'Whoever confirms this from a mailbox of the domain shows that it is.',
    todo: 'If it is true, open the link and confirm. If not, do nothing.',
    byWhen: when(props.expiresAt),
    otherwise: 'The domain is not confirmed.',
    action: { label: 'Confirm the domain', url: links.verifyUrl },
    facts: [['Request id', props.requestId]],
  }),
  example: {
    organizationName: 'Samplewood Health Apps',
    domain: 'samplewood.example',
    byName: 'Robin Testwell',
    expiresAt: '2026-11-23T17:00:00.000Z',
    requestId: '01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01',
  },
})
