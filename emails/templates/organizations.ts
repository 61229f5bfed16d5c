/** Emails to the members of an organization. */

import { z } from 'zod'
import { instant, line, role } from '../fields.ts'
import { defineMail } from '../letter.ts'

export const invitation = defineMail({
  props: z.object({ organizationName: line, invitedBy: line, role, expiresAt: instant, again: z.boolean() }),
  links: ['acceptUrl'],
  subject: ({ organizationName, again }) =>
    `${again ? 'Reminder: ' : ''}Join ${organizationName} on Sandpiper`,
  letter: ({ organizationName, invitedBy, role, expiresAt }, { links, instant }) => ({
    preview: `${invitedBy} invites you to ${organizationName}.`,
    heading: `Join ${organizationName}`,
    happened: `${invitedBy} invites you to the organization ${organizationName} on Sandpiper, as ${role}.`,
    means: 'As a member you see its API keys and apps and what they do. Only this mail address can accept.',
    todo: 'Open the link, sign in or make an account with this address, and accept.',
    byWhen: instant(expiresAt),
    otherwise: 'The invitation lapses and nothing changes. If you do not know who this is, ignore this mail.',
    action: { label: 'See the invitation', url: links.acceptUrl },
    facts: [],
  }),
  example: {
    organizationName: 'Samplewood Health Apps',
    invitedBy: 'Robin Testwell',
    role: 'developer',
    expiresAt: '2026-11-27T15:04:00.000Z',
    again: false,
  },
})

export const invitationAccepted = defineMail({
  props: z.object({
    name: line,
    memberName: line,
    memberEmail: line,
    organizationName: line,
    organizationSlug: line,
    role,
  }),
  links: [],
  subject: ({ memberName, organizationName }) => `${memberName} joined ${organizationName}`,
  letter: ({ name, memberName, memberEmail, organizationName, organizationSlug, role }, { page }) => ({
    preview: `Your invitation was accepted.`,
    heading: `${memberName} joined ${organizationName}`,
    happened: `Hello ${name}. ${memberName} (${memberEmail}) accepted your invitation.`,
    means: `They belong to ${organizationName} now, as ${role}.`,
    todo: 'Nothing. You can change the role or remove the member at any time.',
    byWhen: null,
    otherwise: 'Everything stays as it is.',
    action: {
      label: 'See the members',
      url: page(`/organizations/${encodeURIComponent(organizationSlug)}/members`),
    },
    facts: [],
  }),
  example: {
    name: 'Robin Testwell',
    memberName: 'Kim Placeholder',
    memberEmail: 'kim@samplewood.example',
    organizationName: 'Samplewood Health Apps',
    organizationSlug: 'samplewood-health-apps',
    role: 'developer',
  },
})

export const invitationExpired = defineMail({
  props: z.object({
    name: line,
    invitedEmail: line,
    organizationName: line,
    organizationSlug: line,
    expiredAt: instant,
  }),
  links: [],
  subject: ({ invitedEmail }) => `Your invitation to ${invitedEmail} has lapsed`,
  letter: ({ name, invitedEmail, organizationName, organizationSlug, expiredAt }, { page, instant }) => ({
    preview: 'Nobody accepted it within seven days.',
    heading: 'An invitation has lapsed',
    happened: `Hello ${name}. ${invitedEmail} did not accept your invitation to ${organizationName} within seven days.`,
    means: `Its link stopped working on ${instant(expiredAt)}.`,
    todo: 'If they are still welcome, press “Renew” on the members page. They get a new mail.',
    byWhen: null,
    otherwise: 'The invitation stays lapsed.',
    action: {
      label: 'See the members',
      url: page(`/organizations/${encodeURIComponent(organizationSlug)}/members`),
    },
    facts: [],
  }),
  example: {
    name: 'Robin Testwell',
    invitedEmail: 'kim@samplewood.example',
    organizationName: 'Samplewood Health Apps',
    organizationSlug: 'samplewood-health-apps',
    expiredAt: '2026-11-27T15:04:00.000Z',
  },
})

export const invitationCancelled = defineMail({
  props: z.object({ organizationName: line }),
  links: [],
  subject: ({ organizationName }) => `Your invitation to ${organizationName} was withdrawn`,
  letter: ({ organizationName }, { page }) => ({
    preview: 'The link in the earlier mail no longer works.',
    heading: 'An invitation was withdrawn',
    happened: `The invitation to the organization ${organizationName} on Sandpiper was withdrawn.`,
    means: 'The link in the earlier mail no longer works. Your own account, if you have one, is not touched.',
    todo: 'Nothing. If you expected to join, ask the person who invited you.',
    byWhen: null,
    otherwise: 'Nothing changes.',
    action: { label: 'Go to Sandpiper', url: page('/') },
    facts: [],
  }),
  example: { organizationName: 'Samplewood Health Apps' },
})

export const memberRemoved = defineMail({
  props: z.object({ name: line, organizationName: line, by: line }),
  links: [],
  subject: ({ organizationName }) => `You no longer belong to ${organizationName}`,
  letter: ({ name, organizationName, by }, { page }) => ({
    preview: 'Your account stays open.',
    heading: `You no longer belong to ${organizationName}`,
    happened: `Hello ${name}. ${by} removed you from the organization ${organizationName}.`,
    means:
      'You no longer see its keys and apps. Keys you made there go on working for the organization. Your account stays open.',
    todo: 'If this is a mistake, ask an owner of the organization to invite you again.',
    byWhen: null,
    otherwise: 'Nothing else changes.',
    action: { label: 'Go to the developer pages', url: page('/developers') },
    facts: [],
  }),
  example: { name: 'Kim Placeholder', organizationName: 'Samplewood Health Apps', by: 'Robin Testwell' },
})

/** To the admins of every practice that an organization reaches, or asks to reach. */
export const organizationRenamed = defineMail({
  props: z.object({
    name: line,
    formerName: line,
    organizationName: line,
    by: line,
    practiceName: line,
  }),
  links: [],
  subject: ({ formerName }) => `New name for ${formerName}`,
  letter: ({ name, formerName, organizationName, by, practiceName }, { page }) => ({
    preview: 'Its keys, apps and agreements with your practice stay the same.',
    heading: 'A developer organization has a new name',
    happened: `Hello ${name}. ${by} renamed the organization ${formerName} to ${organizationName}.`,
    means: `It has, or requests, access to records of ${practiceName}. Its keys, apps and agreements stay the same.`,
    todo: 'If the new name surprises you, ask the people you know there before you approve anything for it.',
    byWhen: null,
    otherwise: 'Nothing else changes. Access continues under the new name.',
    action: { label: 'See who has access', url: page('/practice') },
    facts: [
      ['Former name', formerName],
      ['New name', organizationName],
    ],
  }),
  example: {
    name: 'Theo Placeholder',
    formerName: 'Samplewood Health Apps',
    organizationName: 'Samplewood Care',
    by: 'Robin Testwell',
    practiceName: 'Fennmoor Family Practice',
  },
})

export const verifyDomain = defineMail({
  props: z.object({
    organizationName: line,
    domain: line,
    byName: line,
    expiresAt: instant,
    requestId: line,
  }),
  links: ['verifyUrl'],
  subject: ({ domain }) => `Is ${domain.slice(0, 40)} yours?`,
  letter: (props, { links, instant: when }) => ({
    preview: 'One click confirms it.',
    heading: 'Is this your domain?',
    happened: `${props.byName} of ${props.organizationName} says that ${props.domain} is theirs.`,
    means: 'Whoever confirms this from a mailbox of the domain shows that it is.',
    todo: 'If it is true, open the link and confirm. If not, do nothing.',
    byWhen: when(props.expiresAt),
    otherwise: 'The domain is not confirmed.',
    action: { label: 'Confirm the domain', url: links.verifyUrl },
    facts: [['Request id', props.requestId]],
  }),
  example: {
    organizationName: 'Samplewood Health Apps',
    domain: 'samplewood.example',
    byName: 'Robin Testwell',
    expiresAt: '2026-11-23T17:00:00.000Z',
    requestId: '01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01',
  },
})
