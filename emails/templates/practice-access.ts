import { z } from 'zod'
import { instant, line, reasonLine } from '../fields.ts'
import { defineMail } from '../letter.ts'

type Props = Readonly<{ scope: 'app' | 'key' | 'organization' | 'everything'; about: string }>

const subjectOf = ({ scope, about }: Props) =>
  scope === 'app' || scope === 'key' ? `the ${scope} “${about}”` : `all keys and apps of ${about}`

export const practiceAccess = defineMail({
  props: z.object({
    name: line,
    what: z.enum(['stopped', 'resumed']),
    scope: z.enum(['app', 'key', 'organization', 'everything']),
    /** Name of the app or key; of a wider stop the organization. */
    about: line,
    practiceName: line,
    /** As the practice wrote it. */
    reason: reasonLine,
    at: instant,
  }),
  links: [],
  subject: ({ what, practiceName }) =>
    what === 'stopped' ? `Access stopped by ${practiceName}` : `Access resumed by ${practiceName}`,
  letter: (props, { page, instant: when }) => {
    const { name, what, practiceName, reason, at } = props
    const isStop = what === 'stopped'
    return {
      preview: isStop ? reason : 'Calls work again.',
      heading: isStop ? 'A practice stopped your access' : 'A practice resumed your access',
      happened: `Hello ${name}. ${practiceName} ${what} ${subjectOf(props)}.`,
      means: isStop
        ? 'Calls to this practice get a 401 response, and no tokens are issued, until the practice resumes access. Your code is not the cause.'
        : 'Calls to this practice work again, unless another restriction applies. Refresh tokens are still valid.',
      todo: isStop ? 'Read the reason, then contact the practice.' : 'Nothing.',
      byWhen: null,
      otherwise: isStop ? 'Access stays stopped.' : 'Access stays as it is.',
      action: { label: 'Go to the portal', url: page('/developers') },
      facts: [
        [isStop ? 'Stopped' : 'Resumed', when(at)],
        [isStop ? 'Reason' : 'Reason for the stop', reason],
      ],
    }
  },
  example: {
    name: 'Odell Placeholder',
    what: 'stopped',
    scope: 'organization',
    about: 'Samplewood Health Apps',
    practiceName: 'Old Quay Family Practice',
    reason: 'We saw far more requests at night than we agreed on.',
    at: '2026-11-20T15:04:00.000Z',
  },
})
