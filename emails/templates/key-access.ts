import { z } from 'zod'
import { instant, line, reasonLine } from '../fields.ts'
import { defineMail } from '../letter.ts'

export const keyAccess = defineMail({
  props: z.object({
    name: line,
    side: z.enum(['developer', 'practice']),
    keyName: line,
    practiceName: line,
    organizationName: line,
    /** Their labels. */
    dataClasses: z.array(line),
    purposes: z.array(line),
    /** As the practice wrote it; null when nobody decided, and the agreement is enforced from `at` on. */
    reason: reasonLine.nullable(),
    at: instant,
  }),
  links: [],
  subject: ({ keyName, reason, practiceName }) =>
    reason === null
      ? `From next week, ${keyName} can read only the agreed data`
      : `${practiceName} changed what ${keyName} can read`,
  letter: (props, { page, instant: when }) => {
    const { name, side, keyName, practiceName, organizationName, reason, at } = props
    const isPlanned = reason === null
    const classes = props.dataClasses.join('; ')
    const purposes = props.purposes.join(', ')
    const ofKey = side === 'practice' ? `the key ${keyName} of ${organizationName}` : `your key ${keyName}`
    return {
      preview: reason ?? `It can read: ${classes}`,
      heading: isPlanned
        ? 'A key will be limited to its agreement'
        : 'A practice changed what a key can read',
      happened: isPlanned
        ? `Hello ${name}. The agreement for ${ofKey} names data classes and purposes of ${practiceName}. Until now the API did not enforce them.`
        : `Hello ${name}. ${practiceName} changed what ${ofKey} can read.`,
      means: `${isPlanned ? 'From then on' : 'From the next request on'}, other data is absent from responses, and requests for it or for another purpose get a 403 response.`,
      todo:
        side === 'practice'
          ? isPlanned
            ? 'Nothing. You can allow less on the page of the key.'
            : 'Nothing.'
          : 'Check that your software works with this. If it needs more, ask the practice.',
      byWhen: isPlanned ? when(at) : null,
      otherwise: isPlanned ? 'The limits apply all the same.' : 'The limits stay.',
      action: {
        label: 'Go to the portal',
        url: page(side === 'practice' ? '/practice' : '/developers'),
      },
      facts: [
        [isPlanned ? 'Enforced from' : 'Changed', when(at)],
        ['Data classes', classes],
        ['Purposes', purposes],
        ...(reason === null ? [] : ([['Reason', reason]] as [string, string][])),
      ],
    }
  },
  example: {
    name: 'Odell Placeholder',
    side: 'developer',
    keyName: 'Intake',
    practiceName: 'Old Quay Family Practice',
    organizationName: 'Samplewood Health Apps',
    dataClasses: ['Names, addresses, contact details, birth dates, sex', 'Allergies and intolerances'],
    purposes: ['operations'],
    reason: 'The intake form needs names and allergies only.',
    at: '2026-11-20T15:04:00.000Z',
  },
})
