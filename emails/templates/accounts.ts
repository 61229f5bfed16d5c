/** Emails about an account: signing up, signing in, changing the address or password. */

import { z } from 'zod'
import { instant, line, typedReason } from '../fields.ts'
import { defineMail } from '../letter.ts'

export const verifyEmail = defineMail({
  props: z.object({ name: line, expiresAt: instant }),
  links: ['verifyUrl'],
  subject: () => 'Confirm your email address',
  letter: ({ name, expiresAt }, { links, instant }) => ({
    preview: 'Confirm your address to open your Sandpiper account.',
    heading: `Hello ${name}, confirm your address`,
    happened: 'Someone, probably you, created a Sandpiper account with this email address.',
    means: 'The account opens as soon as you confirm that this address is yours.',
    todo: 'Open the link and enter the password you chose when you signed up.',
    byWhen: `${instant(expiresAt)}. You can request a new link on the sign-in page.`,
    otherwise:
      'The account stays closed and is deleted seven days after sign-up. If this wasn’t you, ignore this email.',
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
    means:
      'You already have an account. It hasn’t changed, and the sign-up page didn’t reveal that it exists.',
    todo:
      expiresAt === null
        ? 'Sign in with your password.'
        : 'Sign in with your password. If you forgot it, use the link below to choose a new one. The link works once.',
    byWhen: expiresAt === null ? null : instant(expiresAt),
    otherwise: 'Your account and password stay the same. If this wasn’t you, ignore this email.',
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
    preview: 'Next: create an organization and request a sandbox key.',
    heading: `Welcome, ${name}`,
    happened: 'You confirmed your email address.',
    means: 'Your account is open. With a sandbox key you can read synthetic patients within minutes.',
    todo: 'Sign in, create or join an organization, and request a sandbox key.',
    byWhen: null,
    otherwise: 'Your account stays open. Start whenever you like.',
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
    preview: 'If this was you, no action is needed.',
    heading: 'New sign-in to your account',
    happened: `Hello ${name}. Someone signed in to your account from a browser we haven’t seen before.`,
    means: 'If this was you, no action is needed. If not, someone knows your password.',
    todo: 'If this wasn’t you, end that session on the sessions page and change your password.',
    byWhen: null,
    otherwise: 'The session stays signed in until it expires.',
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
    preview: 'The link works once and expires in one hour.',
    heading: 'Choose a new password',
    happened: `Hello ${name}. Someone, probably you, requested a new password for this account.`,
    means:
      'Use the link below to choose one. It works once. Every browser that is signed in will then be signed out.',
    todo: 'Open the link and choose a new password.',
    byWhen: instant(expiresAt),
    otherwise: 'Your password stays the same. If this wasn’t you, ignore this email.',
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
    preview: 'If this was you, no action is needed.',
    heading: 'Your password was changed',
    happened: `Hello ${name}. The password of your account was changed.`,
    means: 'All other browsers have been signed out. Your API keys still work.',
    todo: 'If this wasn’t you, choose “Forgot password” on the sign-in page now, and revoke any keys you don’t recognize.',
    byWhen: null,
    otherwise: 'The new password stays in place.',
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
    /** As the person who did it wrote it. */
    reason: typedReason,
  }),
  links: [],
  subject: () => 'Your two-step sign-in was reset',
  letter: ({ name, realm, at, by, reason }, { page, instant }) => ({
    preview: 'If you didn’t request this, contact security@sandpiper.example now.',
    heading: 'Your two-step sign-in was reset',
    happened: `Hello ${name}. ${by} removed your authenticator app and recovery codes from your account.`,
    means:
      'You are signed out everywhere. Your password is unchanged. Your old recovery codes no longer work.',
    todo: 'Sign in and set up two-step sign-in again with your own app.',
    byWhen: null,
    otherwise:
      'Anyone who has your password can set it up in your place. If you didn’t request this, write to security@sandpiper.example first.',
    action: { label: 'Go to the sign-in page', url: page(signInPages[realm]) },
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
  subject: () => 'Confirm your new email address',
  letter: ({ name, expiresAt }, { links, instant }) => ({
    preview: 'Confirm this address to use it for your account.',
    heading: 'Confirm your new email address',
    happened: `Hello ${name}. Someone, probably you, requested this email address for a Sandpiper account.`,
    means: 'Once you confirm it, you sign in with this address and receive our emails here.',
    todo: 'Open the link and enter your account’s password.',
    byWhen: `${instant(expiresAt)}. You can request a new link on the account page.`,
    otherwise: 'The account keeps its current address. If this wasn’t you, ignore this email.',
    action: { label: 'Confirm my new address', url: links.confirmUrl },
    facts: [],
  }),
  example: { name: 'Robin Testwell', expiresAt: '2026-11-21T15:04:00.000Z' },
})

export const emailChangeNotice = defineMail({
  props: z.object({ name: line, newAddress: line, at: instant, ip: line }),
  links: [],
  subject: () => 'Email address change requested',
  letter: ({ name, newAddress, at, ip }, { page, instant }) => ({
    preview: 'If this was you, no action is needed.',
    heading: 'Email address change requested',
    happened: `Hello ${name}. Someone who knows your password requested a new email address for your account.`,
    means: 'Nothing has changed yet. The address changes when the link we sent to the new address is used.',
    todo: 'If this wasn’t you, cancel the change on the account page, then change your password.',
    byWhen: null,
    otherwise: 'The new address replaces this one as soon as it is confirmed.',
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
  subject: () => 'Your email address was changed',
  letter: ({ name, newAddress, at, ip }, { page, instant }) => ({
    preview: 'If this was you, no action is needed.',
    heading: 'Your email address was changed',
    happened: `Hello ${name}. Your account now has a different email address. It was confirmed with your password.`,
    means: 'You sign in with the new address. This is the last email we send to this one.',
    todo: 'If this wasn’t you, write to security@sandpiper.example at once, and ask an owner of your organization to remove the account.',
    byWhen: null,
    otherwise: 'The new address stays in place.',
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

const words = { reviewer: 'a reviewer', ops: 'an operator' } as const

/** The only way into a staff account that somebody else created. */
export const staffInvitation = defineMail({
  props: z.object({ name: line, role: z.enum(['reviewer', 'ops']), expiresAt: instant }),
  links: ['passwordUrl'],
  subject: () => 'Your Sandpiper staff account',
  letter: ({ name, role, expiresAt }, { links, instant: at }) => ({
    preview: 'Choose a password to sign in.',
    heading: 'You have a staff account',
    happened: `Hello ${name}. You are now ${words[role]} on this Sandpiper installation.`,
    means: 'You sign in with this email address, a password and an authenticator app.',
    todo: 'Open the link and choose a password. You set up the authenticator app when you first sign in.',
    byWhen: at(expiresAt),
    otherwise: 'The link stops working. Ask the person who created your account for a new one.',
    action: { label: 'Choose a password', url: links.passwordUrl },
    facts: [],
  }),
  example: { name: 'Robin Testwell', role: 'reviewer', expiresAt: '2026-11-23T15:04:00.000Z' },
})
