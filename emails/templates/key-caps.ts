import { z } from 'zod'
import { instant, line, reasonLine } from '../fields.ts'
import { defineMail } from '../letter.ts'

export const keyCaps = defineMail({
  props: z.object({
    name: line,
    side: z.enum(['developer', 'practice']),
    keyName: line,
    practiceName: line,
    organizationName: line,
    /** One sentence each; none: they were removed. */
    caps: z.array(line),
    reason: reasonLine,
    at: instant,
  }),
  links: [],
  subject: ({ keyName, caps, practiceName }) =>
    caps.length === 0
      ? `${practiceName} removed the caps of ${keyName}`
      : `${practiceName} capped how much ${keyName} can be used`,
  letter: (props, { page, instant: when }) => {
    const { name, side, keyName, practiceName, organizationName, caps, reason, at } = props
    const isRemoved = caps.length === 0
    const ofKey = side === 'practice' ? `the key ${keyName} of ${organizationName}` : `your key ${keyName}`
    return {
      preview: reason,
      heading: isRemoved ? 'A practice removed the caps of a key' : 'A practice capped a key',
      happened: `Hello ${name}. ${practiceName} changed how much ${ofKey} can be used.`,
      means: isRemoved
        ? 'From the next request on, only the published limits apply.'
        : 'From the next request on, calls over a cap of a day get a 429 response until the day ends, and calls outside the hours get 403. The response and the activity of the key name the cap.',
      todo:
        side === 'practice' || isRemoved
          ? 'Nothing.'
          : 'Check that your software works with this. If it needs more, ask the practice.',
      byWhen: null,
      otherwise: isRemoved ? 'Nothing changes.' : 'The caps stay.',
      action: {
        label: 'Go to the portal',
        url: page(side === 'practice' ? '/practice' : '/developers'),
      },
      facts: [
        ['Changed', when(at)],
        ['Caps', isRemoved ? 'None' : caps.join('; ')],
        ['Reason', reason],
      ],
    }
  },
  example: {
    name: 'Odell Placeholder',
    side: 'developer',
    keyName: 'Intake',
    practiceName: 'Old Quay Family Practice',
    organizationName: 'Samplewood Health Apps',
    caps: [
      '2,000 calls a day (America/New_York)',
      '300 patients a day (America/New_York)',
      'From 07:00 to 19:00 (America/New_York)',
    ],
    reason: 'The intake form is used while the practice is open.',
    at: '2026-11-20T15:04:00.000Z',
  },
})
