import { defineMail } from '../letter.ts'
import { keyExpiring } from './key-expiring.ts'

export const keyExpired = defineMail({
  props: keyExpiring.props,
  links: [],
  subject: ({ keyName }) => `Your key has ended: ${keyName}`,
  letter: (props, { page, instant }) => ({
    preview: 'It no longer works.',
    heading: 'Your key has ended',
    happened: `Hello ${props.name}. The key ${props.keyName} for ${props.practiceName} ended on ${instant(props.expiresAt)}.`,
    means: 'Requests made with it are refused from then on. An ended key cannot be brought back.',
    todo: 'If something still uses it, ask for a new key and put it in its place.',
    byWhen: null,
    otherwise: 'What used the key gets the answer 401.',
    action: { label: 'See my keys', url: page('/developers/keys') },
    facts: [
      ['Key id', props.prefixStart],
      ['Key request', props.requestId],
    ],
  }),
  example: { ...keyExpiring.example, expiresAt: '2026-11-20T15:04:00.000Z' },
})
