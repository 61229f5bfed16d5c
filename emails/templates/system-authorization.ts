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
  subject: ({ appName }) => `Access request for your records: ${appName}`,
  letter: (props, { page }) => ({
    preview: 'Your decision is needed.',
    heading: 'A system requests access to your records',
    happened: `Hello ${props.name}. ${props.organizationName} requests read access to records of ${props.practiceName} for ${props.appName}.`,
    means: `It has no access unless you allow it. Purpose: ${flat(props.purpose)}`,
    todo: 'Review the request, then allow or decline it.',
    byWhen: null,
    otherwise: 'It gets no access.',
    action: { label: 'Review request', url: page('/practice/systems') },
    facts: [['Request ID', props.requestId]],
  }),
  example: { ...examplePair, purpose: 'Reports on the whole practice, every night.' },
})

export const systemDecided = defineMail({
  props: z.object({ ...pair, granted: z.boolean(), reason: words.nullable() }),
  links: [],
  subject: ({ appName, granted }) => `${granted ? 'Allowed' : 'Declined'} by a practice: ${appName}`,
  letter: (props, { page }) => ({
    preview: props.granted ? 'It can read records now.' : 'It can’t read records.',
    heading: props.granted ? 'A practice allowed your system' : 'A practice declined your system',
    happened: `Hello ${props.name}. ${props.practiceName} ${props.granted ? 'allowed' : 'declined'} ${props.appName}.`,
    means: props.granted
      ? 'It can now request tokens for that practice.'
      : `It can’t get tokens there.${props.reason ? ` Reason: ${flat(props.reason)}` : ''}`,
    todo: props.granted ? 'Nothing.' : 'You can request access again when the reason no longer applies.',
    byWhen: null,
    otherwise: 'The decision stands.',
    action: { label: 'View apps', url: page('/developers') },
    facts: [['Request ID', props.requestId]],
  }),
  example: { ...examplePair, granted: true, reason: null },
})

export const systemRevoked = defineMail({
  props: z.object({ ...pair, reason: words, at: instant }),
  links: [],
  subject: ({ appName }) => `A practice ended access: ${appName}`,
  letter: (props, { page, instant: when }) => ({
    preview: 'Its tokens were revoked.',
    heading: 'A practice ended your system’s access',
    happened: `Hello ${props.name}. ${props.practiceName} ended the access of ${props.appName} on ${when(props.at)}.`,
    means: `Its tokens for that practice were revoked immediately. Reason: ${flat(props.reason)}`,
    todo: 'Stop calling that practice. You can request access again when the reason no longer applies.',
    byWhen: null,
    otherwise: 'Its requests there are refused.',
    action: { label: 'View apps', url: page('/developers') },
    facts: [['Request ID', props.requestId]],
  }),
  example: { ...examplePair, reason: 'The project is over.', at: '2026-11-20T17:00:00.000Z' },
})
