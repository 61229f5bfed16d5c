import { z } from 'zod'
import { instant, keyIdPart, line } from '../fields.ts'
import { defineMail } from '../letter.ts'

export const keyRevealed = defineMail({
  props: z.object({
    name: line,
    keyName: line,
    prefixStart: keyIdPart,
    at: instant,
    ip: line,
    expiresAt: instant,
    requestId: line,
  }),
  links: [],
  subject: ({ keyName }) => `Your key was revealed: ${keyName}`,
  letter: ({ name, keyName, prefixStart, at, ip, expiresAt, requestId }, { page, instant }) => ({
    preview: 'If this was you, there is nothing to do.',
    heading: 'Your key was revealed',
    happened: `Hello ${name}. The sandbox key ${keyName} was made and shown, once.`,
    means: `It works from now until ${instant(expiresAt)}. Nobody can show it again, we neither.`,
    todo: 'If it was not you or a colleague: revoke the key now.',
    byWhen: null,
    otherwise: 'The key works until it expires.',
    action: { label: 'See my keys', url: page('/developers/keys') },
    facts: [
      ['When', instant(at)],
      ['From', ip],
      ['Key id', prefixStart],
      ['Key request', requestId],
    ],
  }),
  example: {
    name: 'Robin Testwell',
    keyName: 'Nightly import',
    prefixStart: 't4Kx9Qa2',
    at: '2026-11-20T15:04:00.000Z',
    ip: '203.0.113.7',
    expiresAt: '2027-02-18T15:04:00.000Z',
    requestId: '01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01',
  },
})
