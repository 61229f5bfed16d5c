/** Mails about a backend system that wants, or has, the data of a practice. */
import { z } from 'zod'
import { instant, line } from '../fields.ts'
import { defineMail } from '../letter.ts'
import { exampleAbout, flat, words } from './registration-fields.ts'

const pair = { name: line, appName: line, organizationName: line, practiceName: line, requestId: line }
const examplePair = {
  name: 'Avery Sample',
  appName: exampleAbout.appName,
  organizationName: 'Samplewood Health Apps',
  practiceName: 'Old Quay Family Practice',
  requestId: exampleAbout.requestId,
}

export const systemRequested = defineMail({
  props: z.object({ ...pair, purpose: words }),
  links: [],
  subject: ({ appName }) => `A system asks for your records: ${appName}`,
  letter: (props, { page }) => ({
    preview: 'Your decision.',
    heading: 'A system asks for your records',
    happened: `Hello ${props.name}. ${props.organizationName} asks that ${props.appName} may read records of ${props.practiceName}.`,
    means: `Without your word it reads nothing. What it is for: ${flat(props.purpose)}`,
    todo: 'Look at what it asks for, and allow or decline it.',
    byWhen: null,
    otherwise: 'It gets nothing.',
    action: { label: 'Decide', url: page('/practice/systems') },
    facts: [['Request id', props.requestId]],
  }),
  example: { ...examplePair, purpose: 'Reports on the whole practice, every night.' },
})

export const systemDecided = defineMail({
  props: z.object({ ...pair, granted: z.boolean(), reason: words.nullable() }),
  links: [],
  subject: ({ appName, granted }) => `${granted ? 'Allowed' : 'Declined'} by a practice: ${appName}`,
  letter: (props, { page }) => ({
    preview: props.granted ? 'It may read from now on.' : 'It may not read.',
    heading: props.granted ? 'A practice allowed your system' : 'A practice declined your system',
    happened: `Hello ${props.name}. ${props.practiceName} ${props.granted ? 'allowed' : 'declined'} ${props.appName}.`,
    means: props.granted
      ? 'It can ask for a token at that practice from now on.'
      : `It gets no token there.${props.reason ? ` They say: ${flat(props.reason)}` : ''}`,
    todo: props.granted ? 'Nothing.' : 'You may ask again when the reason no longer holds.',
    byWhen: null,
    otherwise: 'It stays as it is.',
    action: { label: 'See my apps', url: page('/developers') },
    facts: [['Request id', props.requestId]],
  }),
  example: { ...examplePair, granted: true, reason: null },
})

export const systemRevoked = defineMail({
  props: z.object({ ...pair, reason: words, at: instant }),
  links: [],
  subject: ({ appName }) => `A practice ended access: ${appName}`,
  letter: (props, { page, instant: when }) => ({
    preview: 'Its tokens ended with it.',
    heading: 'A practice ended the access of your system',
    happened: `Hello ${props.name}. ${props.practiceName} ended the access of ${props.appName} on ${when(props.at)}.`,
    means: `Its tokens for that practice ended at once. They say: ${flat(props.reason)}`,
    todo: 'Stop asking there. You may ask again when the reason no longer holds.',
    byWhen: null,
    otherwise: 'Its requests there are refused.',
    action: { label: 'See my apps', url: page('/developers') },
    facts: [['Request id', props.requestId]],
  }),
  example: { ...examplePair, reason: 'The project is over.', at: '2026-11-20T17:00:00.000Z' },
})
