/** Emails about an account: signing up, signing in, changing the address or password. */

import { z } from 'zod'
import { instant, line } from '../fields.ts'
import { defineMail } from '../letter.ts'

export const verifyEmail = defineMail({
  props: z.object({ name: line, expiresAt: instant }),
  links: ['verifyUrl'],
  subject: () => 'Confirm your mail address',
  letter: ({ name, expiresAt }, { links, instant }) => ({
    preview: 'One step, and your Sandpiper account is ready.',
    heading: `Hello ${name}, confirm your address`,
    happened: 'Somebody, probably you, made a Sandpiper account with this mail address.',
    means: 'The account opens as soon as you confirm that the address is yours.',
    todo: 'Open the link and give the password you chose when you signed up.',
    byWhen: `${instant(expiresAt)}. You can ask for a new link on the sign-in page.`,
    otherwise:
      'The account stays closed and is deleted seven days after it was made. If it was not you, ignore this mail.',
    action: { label: 'Confirm my address', url: links.verifyUrl },
    facts: [],
  }),
  example: { name: 'Robin Testwell', expiresAt: '2026-11-21T15:04:00.000Z' },
})

export const accountExists = defineMail({
  props: z.object({ name: line, at: instant, expiresAt: instant.nullable() }),
  links: ['resetUrl'],
  subject: () => 'You already have an account',
  letter: ({ name, at, expiresAt }, { links, page, instant }) => ({
    preview: 'Someone tried to sign up with your address.',
    heading: 'You already have an account',
    happened: `Hello ${name}. On ${instant(at)}, someone tried to sign up for Sandpiper with this email address. It may have been you.`,
    means: 'You already have an account. It has not changed, and we did not say that it exists.',
    todo:
      expiresAt === null
        ? 'Sign in with your password.'
        : 'Sign in with your password. If you forgot it, use the link below to choose a new one. The link works once.',
    byWhen: expiresAt === null ? null : instant(expiresAt),
    otherwise: 'Your account and password stay as they are. If it was not you, ignore this email.',
    action:
      expiresAt === null
        ? { label: 'Sign in', url: page('/sign-in') }
        : { label: 'Choose a new password', url: links.resetUrl },
    facts: [],
  }),
  example: { name: 'Robin Testwell', at: '2026-11-20T15:04:00.000Z', expiresAt: '2026-11-20T16:04:00.000Z' },
})

export const welcome = defineMail({
  props: z.object({ name: line }),
  links: [],
  subject: () => 'Your Sandpiper account is open',
  letter: ({ name }, { page }) => ({
    preview: 'Next: an organization and a sandbox key.',
    heading: `Welcome, ${name}`,
    happened: 'You confirmed your mail address.',
    means: 'Your account is open. A sandbox key lets you read synthetic patients within a few minutes.',
    todo: 'Sign in, name your organization and ask for a sandbox key.',
    byWhen: null,
    otherwise: 'Your account stays open; you can start whenever you like.',
    action: { label: 'Go to the developer pages', url: page('/developers') },
    facts: [],
  }),
  example: { name: 'Robin Testwell' },
})

export const newDevice = defineMail({
  props: z.object({ name: line, at: instant, ip: line, device: line }),
  links: [],
  subject: () => 'New sign-in to your account',
  letter: ({ name, at, ip, device }, { page, instant }) => ({
    preview: 'If this was you, there is nothing to do.',
    heading: 'Somebody signed in on a new device',
    happened: `Hello ${name}. Your account was signed in to from a browser we have not seen with it before.`,
    means: 'If this was you, all is well. If not, somebody knows your password.',
    todo: 'If it was not you: end that session on the sessions page and change your password.',
    byWhen: null,
    otherwise: 'The session stays signed in until it ends by itself.',
    action: { label: 'See my sessions', url: page('/account/sessions') },
    facts: [
      ['When', instant(at)],
      ['Browser', device],
      ['From', ip],
    ],
  }),
  example: {
    name: 'Robin Testwell',
    at: '2026-11-20T15:04:00.000Z',
    ip: '203.0.113.7',
    device: 'Firefox on Linux',
  },
})

export const passwordReset = defineMail({
  props: z.object({ name: line, expiresAt: instant }),
  links: ['resetUrl'],
  subject: () => 'Choose a new password',
  letter: ({ name, expiresAt }, { links, instant }) => ({
    preview: 'The link works once and for one hour.',
    heading: 'Choose a new password',
    happened: `Hello ${name}. Somebody, probably you, asked for a new password for this account.`,
    means:
      'The link below lets you choose one. It works once. Afterwards every browser that is signed in is signed out.',
    todo: 'Open the link and choose a new password.',
    byWhen: instant(expiresAt),
    otherwise: 'Your password stays as it is. If it was not you, ignore this mail.',
    action: { label: 'Choose a new password', url: links.resetUrl },
    facts: [],
  }),
  example: { name: 'Robin Testwell', expiresAt: '2026-11-20T16:04:00.000Z' },
})

export const passwordChanged = defineMail({
  props: z.object({ name: line, at: instant, ip: line }),
  links: [],
  subject: () => 'Your password was changed',
  letter: ({ name, at, ip }, { page, instant }) => ({
    preview: 'If this was you, there is nothing to do.',
    heading: 'Your password was changed',
    happened: `Hello ${name}. The password of your account was changed.`,
    means: 'Other browsers that were signed in have been signed out. Your API keys go on working.',
    todo: 'If it was not you: choose “Forgotten password” on the sign-in page now, and revoke keys you do not know.',
    byWhen: null,
    otherwise: 'The new password stays.',
    action: { label: 'Go to the sign-in page', url: page('/sign-in') },
    facts: [
      ['When', instant(at)],
      ['From', ip],
    ],
  }),
  example: { name: 'Robin Testwell', at: '2026-11-20T15:04:00.000Z', ip: '203.0.113.7' },
})

const signInPages = { developer: '/sign-in', staff: '/staff/sign-in', practice: '/practice/sign-in' } as const

export const mfaReset = defineMail({
  props: z.object({
    name: line,
    /** At whose sign-in page they sign in. */
    realm: z.enum(['developer', 'staff', 'practice']),
    at: instant,
    by: line,
    /** In the words of whoever did it; several lines are joined. */
    reason: z
      .string()
      .max(500)
      .transform((text) => text.replace(/\s+/gu, ' ').trim()),
  }),
  links: [],
  subject: () => 'Your second step was reset',
  letter: ({ name, realm, at, by, reason }, { page, instant }) => ({
    preview: 'If you did not ask for it, tell the security contact now.',
    heading: 'Your second step was reset',
    happened: `Hello ${name}. ${by} took your authenticator app and your recovery codes off your account.`,
    means: 'You are signed out everywhere. Your password is the same, and your old codes are worth nothing.',
    todo: 'Sign in and set the second step up again, with your own app.',
    byWhen: null,
    otherwise:
      'Whoever has your password can set it up in your place. If you did not ask for this, write to the security contact before anything else.',
    action: { label: 'Go to the sign-in', url: page(signInPages[realm]) },
    facts: [
      ['When', instant(at)],
      ['By', by],
      ['Reason', reason],
    ],
  }),
  example: {
    name: 'Odell Placeholder',
    realm: 'staff',
    at: '2026-11-20T15:04:00.000Z',
    by: 'Kim Placeholder',
    reason: 'The phone was lost, and the recovery codes with it. Spoke in person.',
  },
})

export const emailChange = defineMail({
  props: z.object({ name: line, expiresAt: instant }),
  links: ['confirmUrl'],
  subject: () => 'Confirm your new mail address',
  letter: ({ name, expiresAt }, { links, instant }) => ({
    preview: 'One step, and your account has this address.',
    heading: 'Confirm your new mail address',
    happened: `Hello ${name}. Somebody, probably you, asked to use this mail address for a Sandpiper account.`,
    means: 'From the moment you confirm it you sign in with this address, and our mails come here.',
    todo: 'Open the link and give the password of your account.',
    byWhen: `${instant(expiresAt)}. You can ask again on the account page.`,
    otherwise: 'The account keeps the address it has. If it was not you, ignore this mail.',
    action: { label: 'Confirm my new address', url: links.confirmUrl },
    facts: [],
  }),
  example: { name: 'Robin Testwell', expiresAt: '2026-11-21T15:04:00.000Z' },
})

export const emailChangeNotice = defineMail({
  props: z.object({ name: line, newAddress: line, at: instant, ip: line }),
  links: [],
  subject: () => 'A new mail address was asked for',
  letter: ({ name, newAddress, at, ip }, { page, instant }) => ({
    preview: 'If this was you, there is nothing to do here.',
    heading: 'A new mail address was asked for',
    happened: `Hello ${name}. Somebody who knows your password asked to use another mail address for your account.`,
    means: 'Nothing has changed yet. It changes when the link that we mailed to the new address is used.',
    todo: 'If it was not you: cancel the change on the account page, then change your password.',
    byWhen: null,
    otherwise: 'The new address takes the place of this one as soon as it is confirmed.',
    action: { label: 'Go to the account page', url: page('/account/email') },
    facts: [
      ['New address', newAddress],
      ['When', instant(at)],
      ['From', ip],
    ],
  }),
  example: {
    name: 'Robin Testwell',
    newAddress: 'r…@s….example',
    at: '2026-11-20T15:04:00.000Z',
    ip: '203.0.113.7',
  },
})

export const emailChanged = defineMail({
  props: z.object({ name: line, newAddress: line, at: instant, ip: line }),
  links: [],
  subject: () => 'Your mail address was changed',
  letter: ({ name, newAddress, at, ip }, { page, instant }) => ({
    preview: 'If this was you, there is nothing to do.',
    heading: 'Your mail address was changed',
    happened: `Hello ${name}. Your account has another mail address now; it was confirmed there with your password.`,
    means: 'You sign in with the new address, and this is the last mail that comes here.',
    todo: 'If it was not you: write to security@sandpiper.example at once, and let an owner of your organization remove the account.',
    byWhen: null,
    otherwise: 'The new address stays.',
    action: { label: 'Go to the sign-in page', url: page('/sign-in') },
    facts: [
      ['New address', newAddress],
      ['When', instant(at)],
      ['From', ip],
    ],
  }),
  example: {
    name: 'Robin Testwell',
    newAddress: 'r…@s….example',
    at: '2026-11-20T15:04:00.000Z',
    ip: '203.0.113.7',
  },
})

const words = { reviewer: 'a reviewer', ops: 'a member of operations' } as const

/** The only way into a staff account that somebody else created. */
export const staffInvitation = defineMail({
  props: z.object({ name: line, role: z.enum(['reviewer', 'ops']), expiresAt: instant }),
  links: ['passwordUrl'],
  subject: () => 'Your Sandpiper staff account',
  letter: ({ name, role, expiresAt }, { links, instant: at }) => ({
    preview: 'Choose a password to sign in.',
    heading: 'You have a staff account',
    happened: `Hello ${name}. You were made ${words[role]} of this Sandpiper installation.`,
    means: 'You sign in with this email address, a password and an authenticator app.',
    todo: 'Open the link and choose a password. At your first sign-in you set up the authenticator app.',
    byWhen: at(expiresAt),
    otherwise: 'The link stops working. Ask the person who created your account for a new one.',
    action: { label: 'Choose a password', url: links.passwordUrl },
    facts: [],
  }),
  example: { name: 'Robin Testwell', role: 'reviewer', expiresAt: '2026-11-23T15:04:00.000Z' },
})
