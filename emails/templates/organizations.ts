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
    happened: `${invitedBy} invites you to join the organization ${organizationName} on Sandpiper, as ${role}.`,
    means:
      'Members see the organization’s API keys, apps and their activity. Only this email address can accept the invitation.',
    todo: 'Open the link, sign in or create an account with this address, and accept.',
    byWhen: instant(expiresAt),
    otherwise: 'The invitation expires and nothing changes. If you don’t know the sender, ignore this email.',
    action: { label: 'View invitation', url: links.acceptUrl },
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
    means: `They are now a member of ${organizationName}, as ${role}.`,
    todo: 'Nothing. You can change the role or remove the member at any time.',
    byWhen: null,
    otherwise: 'They stay a member.',
    action: {
      label: 'View members',
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
  subject: ({ invitedEmail }) => `Your invitation to ${invitedEmail} has expired`,
  letter: ({ name, invitedEmail, organizationName, organizationSlug, expiredAt }, { page, instant }) => ({
    preview: 'It wasn’t accepted within seven days.',
    heading: 'An invitation has expired',
    happened: `Hello ${name}. ${invitedEmail} did not accept your invitation to ${organizationName} within seven days.`,
    means: `Its link stopped working on ${instant(expiredAt)}.`,
    todo: 'To invite them again, choose “Renew” on the members page. They get a new email.',
    byWhen: null,
    otherwise: 'The invitation stays expired.',
    action: {
      label: 'View members',
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
    preview: 'The link in the earlier email no longer works.',
    heading: 'An invitation was withdrawn',
    happened: `The invitation to the organization ${organizationName} on Sandpiper was withdrawn.`,
    means: 'The link in the earlier email no longer works. If you have an account, it is not affected.',
    todo: 'Nothing. If you expected to join, contact the person who invited you.',
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
  subject: ({ organizationName }) => `You were removed from ${organizationName}`,
  letter: ({ name, organizationName, by }, { page }) => ({
    preview: 'Your account stays open.',
    heading: `You were removed from ${organizationName}`,
    happened: `Hello ${name}. ${by} removed you from the organization ${organizationName}.`,
    means:
      'You no longer see its keys and apps. Keys you created there keep working for the organization. Your account stays open.',
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
    means: `It has or requests access to records of ${practiceName}. Its keys, apps and agreements stay the same.`,
    todo: 'If you didn’t expect the new name, ask your contacts there before you approve anything.',
    byWhen: null,
    otherwise: 'Nothing else changes. Access continues under the new name.',
    action: { label: 'View access', url: page('/practice') },
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
  subject: ({ domain }) => `Confirm that ${domain.slice(0, 40)} is yours`,
  letter: (props, { links, instant: when }) => ({
    preview: 'Confirm with one click.',
    heading: 'Confirm your domain',
    happened: `${props.byName} of ${props.organizationName} claims the domain ${props.domain}.`,
    means: 'Confirming from a mailbox at the domain proves ownership.',
    todo: 'If the domain belongs to them, open the link and confirm. If not, ignore this email.',
    byWhen: when(props.expiresAt),
    otherwise: 'The domain stays unconfirmed.',
    action: { label: 'Confirm domain', url: links.verifyUrl },
    facts: [['Request ID', props.requestId]],
  }),
  example: {
    organizationName: 'Samplewood Health Apps',
    domain: 'samplewood.example',
    byName: 'Robin Testwell',
    expiresAt: '2026-11-23T17:00:00.000Z',
    requestId: '01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01',
  },
})
