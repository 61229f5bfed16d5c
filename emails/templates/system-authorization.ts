/** Emails about a backend system that wants, or has, the data of a practice. */
import { z } from 'zod'
import { emailsAbout } from '../emails-about.ts'
import { exampleId, instant, line, typedText } from '../letter.ts'

const { email } = emailsAbout(
  {
    name: [line, 'Avery Sample'],
    appName: [line, 'Tidepath Health'],
    organizationName: [line, 'Samplewood Health Apps'],
    practiceName: [line, 'Old Quay Family Practice'],
    requestId: [line, exampleId],
  },
  { page: () => '/developers', facts: ({ requestId }) => [['Request ID', requestId]] },
)

export const systemAuthorizationEmails = {
  'system-requested': email(
    { purpose: [typedText, 'Reports on the whole practice, every night.'] },
    ({ appName, organizationName, practiceName, purpose }) => ({
      subject: `Access request for your records: ${appName}`,
      heading: 'A system requests access to your records',
      happened: `${organizationName} requests read access to records of ${practiceName} for ${appName}.`,
      means: `It has no access unless you allow it. Purpose: ${purpose}`,
      todo: 'Review the request, then allow or decline it.',
      otherwise: 'It gets no access.',
      button: 'Review request',
      page: '/practice/systems',
    }),
  ),
  'system-decided': email(
    { granted: [z.boolean(), true], reason: [typedText.nullable(), null] },
    ({ appName, practiceName, granted, reason }) => ({
      ...(granted
        ? {
            subject: `Allowed by a practice: ${appName}`,
            heading: 'A practice allowed your system',
            happened: `${practiceName} allowed ${appName}.`,
            means: 'It can now request tokens for that practice.',
            todo: 'Nothing.',
          }
        : {
            subject: `Declined by a practice: ${appName}`,
            heading: 'A practice declined your system',
            happened: `${practiceName} declined ${appName}.`,
            means: `It can’t get tokens there.${reason ? ` Reason: ${reason}` : ''}`,
            todo: 'You can request access again when the reason no longer applies.',
          }),
      otherwise: 'The decision stands.',
      button: 'View apps',
    }),
  ),
  'system-revoked': email(
    { reason: [typedText, 'The project is over.'], at: [instant, '2026-11-20T17:00:00.000Z'] },
    ({ appName, practiceName, reason, at }) => ({
      subject: `A practice ended access: ${appName}`,
      heading: 'A practice ended your system’s access',
      happened: `${practiceName} ended the access of ${appName} on ${at}.`,
      means: `Its tokens for that practice were revoked immediately. Reason: ${reason}`,
      todo: 'Stop calling that practice. You can request access again when the reason no longer applies.',
      otherwise: 'Its requests there are refused.',
      button: 'View apps',
    }),
  ),
}
