/** Emails to the members of an organization. */
import { z } from 'zod'
import { emailsAbout } from '../emails-about.ts'
import { exampleId, instant, line, role } from '../letter.ts'

const organizationName = [line, 'Samplewood Health Apps'] as const
const expiresAt = [instant, '2026-11-27T15:04:00.000Z'] as const
const { email } = emailsAbout({ name: [line, 'Robin Testwell'], organizationName })
/** To people who may have no account. */
const { email: emailToAddress, emailWithLink } = emailsAbout({ organizationName })

const invited = {
  invitedEmail: [line, 'kim@samplewood.example'],
  organizationSlug: [line, 'samplewood-health-apps'],
} as const
const membersPage = (slug: string) => `/organizations/${encodeURIComponent(slug)}/members`

export const organizationEmails = {
  invitation: emailWithLink(
    'acceptUrl',
    {
      invitedBy: [line, 'Robin Testwell'],
      role: [role, 'developer'],
      expiresAt,
      again: [z.boolean(), false],
    },
    (props) => ({
      subject: `${props.again ? 'Reminder: ' : ''}Join ${props.organizationName} on Sandpiper`,
      heading: `Join ${props.organizationName}`,
      happened: `${props.invitedBy} invites you to join the organization ${props.organizationName} on Sandpiper, as ${props.role}.`,
      means:
        'Members see the organization’s API keys, apps and their activity. Only this email address can accept the invitation.',
      preview: `${props.invitedBy} invites you to ${props.organizationName}.`,
      todo: 'Open the link, sign in or create an account with this address, and accept.',
      byWhen: props.expiresAt,
      otherwise:
        'The invitation expires and nothing changes. If you don’t know the sender, ignore this email.',
      button: 'View invitation',
    }),
  ),
  'invitation-accepted': email(
    {
      memberName: [line, 'Kim Placeholder'],
      memberEmail: invited.invitedEmail,
      organizationSlug: invited.organizationSlug,
      role: [role, 'developer'],
    },
    (props) => ({
      subject: `${props.memberName} joined ${props.organizationName}`,
      happened: `${props.memberName} (${props.memberEmail}) accepted your invitation.`,
      means: `They are now a member of ${props.organizationName}, as ${props.role}.`,
      todo: 'Nothing. You can change the role or remove the member at any time.',
      otherwise: 'They stay a member.',
      button: 'View members',
      page: membersPage(props.organizationSlug),
    }),
  ),
  'invitation-expired': email({ ...invited, expiredAt: expiresAt }, (props) => ({
    subject: `Your invitation to ${props.invitedEmail} has expired`,
    heading: 'An invitation has expired',
    happened: `${props.invitedEmail} did not accept your invitation to ${props.organizationName} within seven days.`,
    means: `Its link stopped working on ${props.expiredAt}.`,
    todo: 'To invite them again, choose “Renew” on the members page. They get a new email.',
    otherwise: 'The invitation stays expired.',
    button: 'View members',
    page: membersPage(props.organizationSlug),
  })),
  'invitation-cancelled': emailToAddress({}, (props) => ({
    subject: `Your invitation to ${props.organizationName} was withdrawn`,
    heading: 'An invitation was withdrawn',
    happened: `The invitation to the organization ${props.organizationName} on Sandpiper was withdrawn.`,
    means: 'The link in the earlier email no longer works. If you have an account, it is not affected.',
    todo: 'Nothing. If you expected to join, contact the person who invited you.',
    otherwise: 'Nothing changes.',
    button: 'Go to Sandpiper',
  })),
  'member-removed': email(
    { name: [line, 'Kim Placeholder'], by: [line, 'Robin Testwell'] },
    ({ organizationName: from, by }) => ({
      subject: `You were removed from ${from}`,
      happened: `${by} removed you from the organization ${from}.`,
      means:
        'You no longer see its keys and apps. Keys you created there keep working for the organization. Your account stays open.',
      todo: 'If this is a mistake, ask an owner of the organization to invite you again.',
      otherwise: 'Nothing else changes.',
      button: 'Go to the developer pages',
      page: '/developers',
    }),
  ),
  /** To the admins of every practice that an organization reaches, or asks to reach. */
  'organization-renamed': email(
    {
      name: [line, 'Theo Placeholder'],
      formerName: organizationName,
      organizationName: [line, 'Samplewood Care'],
      by: [line, 'Robin Testwell'],
      practiceName: [line, 'Fennmoor Family Practice'],
    },
    (props) => ({
      subject: `New name for ${props.formerName}`,
      heading: 'A developer organization has a new name',
      happened: `${props.by} renamed the organization ${props.formerName} to ${props.organizationName}.`,
      means: `It has or requests access to records of ${props.practiceName}. Its keys, apps and agreements stay the same.`,
      todo: 'If you didn’t expect the new name, ask your contacts there before you approve anything.',
      otherwise: 'Nothing else changes. Access continues under the new name.',
      button: 'View access',
      page: '/practice',
      facts: [
        ['Former name', props.formerName],
        ['New name', props.organizationName],
      ],
    }),
  ),
  'verify-domain': emailWithLink(
    'verifyUrl',
    {
      domain: [line, 'samplewood.example'],
      byName: [line, 'Robin Testwell'],
      expiresAt: [instant, '2026-11-23T17:00:00.000Z'],
      requestId: [line, exampleId],
    },
    (props) => ({
      subject: `Confirm that ${props.domain.slice(0, 40)} is yours`,
      heading: 'Confirm your domain',
      happened: `${props.byName} of ${props.organizationName} claims the domain ${props.domain}.`,
      means: 'Confirming from a mailbox at the domain proves ownership.',
      todo: 'If the domain belongs to them, open the link and confirm. If not, ignore this email.',
      byWhen: props.expiresAt,
      otherwise: 'The domain stays unconfirmed.',
      button: 'Confirm domain',
      facts: [['Request ID', props.requestId]],
    }),
  ),
}
