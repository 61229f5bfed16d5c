/** Two addresses that somebody reads: for the request, and for what cannot wait. */
import { emailAddress } from '../../../contract/text/email-address.ts'
import type { Fault, LintRule } from './lint-rule.ts'

const wanted = [
  ['technicalContact', 'technical', 'who answers questions about this request'],
  ['securityContact', 'security', 'who responds when an incident involves the app'],
] as const

export const contacts: LintRule = {
  id: 'contacts',
  check: 'contact',
  passed: () => 'Both contacts are email addresses. We did not send email to them.',
  find: (form) =>
    wanted.flatMap(([field, kind, who]): Fault[] =>
      emailAddress.safeParse(form[field]).success
        ? []
        : [
            {
              field,
              reason:
                form[field] === '' ? `Add a ${kind} contact.` : `The ${kind} contact isn’t an email address.`,
              fix: `Enter the email address of ${who}.`,
            },
          ],
    ),
}
