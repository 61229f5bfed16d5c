/** Emails about an account: signing up, signing in, changing the address or password. */
import { z } from 'zod'
import { emailsAbout } from '../emails-about.ts'
import { instant, instantOrNull, line, typedReason } from '../letter.ts'

const { email, emailWithLink } = emailsAbout({ name: [line, 'Robin Testwell'] }, { page: () => '/sign-in' })

const at = [instant, '2026-11-20T15:04:00.000Z'] as const
const inAnHour = [instant, '2026-11-20T16:04:00.000Z'] as const
const inADay = [instant, '2026-11-21T15:04:00.000Z'] as const
const ip = [line, '203.0.113.7'] as const
const newAddress = [line, 'r…@s….example'] as const

const signInPages = { developer: '/sign-in', staff: '/staff/sign-in', practice: '/practice/sign-in' } as const
const staffRoles = { reviewer: 'a reviewer', ops: 'an operator' } as const

export const accountEmails = {
  'verify-email': emailWithLink('verifyUrl', { expiresAt: inADay }, ({ expiresAt }) => ({
    subject: 'Confirm your email address',
    happened: 'Someone, probably you, created a Sandpiper account with this email address.',
    means: 'The account opens as soon as you confirm that this address is yours.',
    todo: 'Open the link and enter the password you chose when you signed up.',
    byWhen: `${expiresAt}. You can request a new link on the sign-in page.`,
    otherwise:
      'The account stays closed and is deleted seven days after sign-up. If this wasn’t you, ignore this email.',
    button: 'Confirm my address',
  })),
  'account-exists': emailWithLink(
    'resetUrl',
    { at, expiresAt: [instantOrNull, '2026-11-20T16:04:00.000Z'] },
    ({ at: when, expiresAt }) => ({
      subject: 'You already have an account',
      happened: `On ${when}, someone tried to sign up for Sandpiper with this email address. It may have been you.`,
      means:
        'You already have an account. It hasn’t changed, and the sign-up page didn’t reveal that it exists.',
      byWhen: expiresAt,
      ...(expiresAt === null
        ? { todo: 'Sign in with your password.', button: 'Sign in', page: '/sign-in' }
        : {
            todo: 'Sign in with your password. If you forgot it, use the link below to choose a new one. The link works once.',
            button: 'Choose a new password',
          }),
      otherwise: 'Your account and password stay the same. If this wasn’t you, ignore this email.',
    }),
  ),
  welcome: email({}, () => ({
    subject: 'Your Sandpiper account is open',
    happened: 'You confirmed your email address.',
    means: 'Your account is open. With a sandbox key you can read synthetic patients within minutes.',
    todo: 'Sign in, create or join an organization, and request a sandbox key.',
    otherwise: 'Your account stays open. Start whenever you like.',
    button: 'Go to the developer pages',
    page: '/developers',
  })),
  'new-device': email({ at, ip, device: [line, 'Firefox on Linux'] }, (props) => ({
    subject: 'New sign-in to your account',
    happened: 'Someone signed in to your account from a browser we haven’t seen before.',
    means: 'If this was you, no action is needed. If not, someone knows your password.',
    todo: 'If this wasn’t you, end that session on the sessions page and change your password.',
    otherwise: 'The session stays signed in until it expires.',
    button: 'See my sessions',
    page: '/account/sessions',
    facts: [
      ['When', props.at],
      ['Browser', props.device],
      ['From', props.ip],
    ],
  })),
  'password-reset': emailWithLink('resetUrl', { expiresAt: inAnHour }, ({ expiresAt }) => ({
    subject: 'Choose a new password',
    happened: 'Someone, probably you, requested a new password for this account.',
    means:
      'Use the link below to choose one. It works once. Every browser that is signed in will then be signed out.',
    todo: 'Open the link and choose a new password.',
    byWhen: expiresAt,
    otherwise: 'Your password stays the same. If this wasn’t you, ignore this email.',
    button: 'Choose a new password',
  })),
  'password-changed': email({ at, ip }, (props) => ({
    subject: 'Your password was changed',
    happened: 'The password of your account was changed.',
    means: 'All other browsers have been signed out. Your API keys still work.',
    todo: 'If this wasn’t you, choose “Forgot password” on the sign-in page now, and revoke any keys you don’t recognize.',
    otherwise: 'The new password stays in place.',
    button: 'Go to the sign-in page',
    facts: [
      ['When', props.at],
      ['From', props.ip],
    ],
  })),
  'second-factor-reset': email(
    {
      name: [line, 'Odell Placeholder'],
      /** At whose sign-in page they sign in. */
      realm: [z.enum(['developer', 'staff', 'practice']), 'staff'],
      at,
      by: [line, 'Kim Placeholder'],
      /** As the person who did it wrote it. */
      reason: [typedReason, 'The phone was lost, and the recovery codes with it. Spoke in person.'],
    },
    (props) => ({
      subject: 'Your two-step sign-in was reset',
      happened: `${props.by} removed your authenticator app and recovery codes from your account.`,
      means:
        'You are signed out everywhere. Your password is unchanged. Your old recovery codes no longer work.',
      preview: 'If you didn’t request this, contact security@sandpiper.example now.',
      todo: 'Sign in and set up two-step sign-in again with your own app.',
      otherwise:
        'Anyone who has your password can set it up in your place. If you didn’t request this, write to security@sandpiper.example first.',
      button: 'Go to the sign-in page',
      page: signInPages[props.realm],
      facts: [
        ['When', props.at],
        ['By', props.by],
        ['Reason', props.reason],
      ],
    }),
  ),
  'email-change': emailWithLink('confirmUrl', { expiresAt: inADay }, ({ expiresAt }) => ({
    subject: 'Confirm your new email address',
    happened: 'Someone, probably you, requested this email address for a Sandpiper account.',
    means: 'Once you confirm it, you sign in with this address and receive our emails here.',
    todo: 'Open the link and enter your account’s password.',
    byWhen: `${expiresAt}. You can request a new link on the account page.`,
    otherwise: 'The account keeps its current address. If this wasn’t you, ignore this email.',
    button: 'Confirm my new address',
  })),
  'email-change-notice': email({ newAddress, at, ip }, (props) => ({
    subject: 'Email address change requested',
    happened: 'Someone who knows your password requested a new email address for your account.',
    means: 'Nothing has changed yet. The address changes when the link we sent to the new address is used.',
    todo: 'If this wasn’t you, cancel the change on the account page, then change your password.',
    otherwise: 'The new address replaces this one as soon as it is confirmed.',
    button: 'Go to the account page',
    page: '/account/email',
    facts: [
      ['New address', props.newAddress],
      ['When', props.at],
      ['From', props.ip],
    ],
  })),
  'email-changed': email({ newAddress, at, ip }, (props) => ({
    subject: 'Your email address was changed',
    happened: 'Your account now has a different email address. It was confirmed with your password.',
    means: 'You sign in with the new address. This is the last email we send to this one.',
    todo: 'If this wasn’t you, write to security@sandpiper.example at once, and ask an owner of your organization to remove the account.',
    otherwise: 'The new address stays in place.',
    button: 'Go to the sign-in page',
    facts: [
      ['New address', props.newAddress],
      ['When', props.at],
      ['From', props.ip],
    ],
  })),
  /** The only way into a staff account that another person created. */
  'staff-invitation': emailWithLink(
    'passwordUrl',
    { role: [z.enum(['reviewer', 'ops']), 'reviewer'], expiresAt: [instant, '2026-11-23T15:04:00.000Z'] },
    ({ role, expiresAt }) => ({
      subject: 'Your Sandpiper staff account',
      heading: 'You have a staff account',
      happened: `You are now ${staffRoles[role]} on this Sandpiper installation.`,
      means: 'You sign in with this email address, a password and an authenticator app.',
      todo: 'Open the link and choose a password. You set up the authenticator app when you first sign in.',
      byWhen: expiresAt,
      otherwise: 'The link stops working. Ask the person who created your account for a new one.',
      button: 'Choose a password',
    }),
  ),
}
