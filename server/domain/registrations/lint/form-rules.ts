/** Statements that only the requester can confirm. */

import { emailAddress } from '../../../contract/text/email-address.ts'
import {
  type Attestation,
  registrationFields,
  attestations as sentences,
  toText,
} from '../../../contract/workflows/registration-form.ts'
import { findFormSecret } from '../stored-form.ts'
import type { Fault, LintRule } from './lint-rule.ts'

export const attestations: LintRule = {
  id: 'attestations',
  check: 'attestations',
  passed: () => 'Every statement is confirmed.',
  find: (form) =>
    (Object.keys(sentences) as Attestation[])
      .filter((name) => !form[name])
      .map((name) => ({
        field: name,
        reason: `Confirm: “${sentences[name]}”`,
        fix: 'Tick it when it is true.',
      })),
}

// Client authentication. https://hl7.org/fhir/smart-app-launch/STU2.2/client-confidential-asymmetric.html

const field = 'clientType'

export const clientType: LintRule = {
  id: 'client-type',
  check: 'keys',
  passed: () => 'This kind of app supports this client authentication.',
  find: ({ audience, clientType: type }) => {
    if (audience === 'backend' && type !== 'private_key_jwt')
      return [
        {
          field,
          reason: 'A backend system must sign its requests.',
          fix: 'Choose “Signs its requests”, and add its public keys.',
        },
      ]
    return []
  },
}

// Two monitored addresses: one for the request, one for urgent security reports.

const requiredContacts = [
  ['technicalContact', 'technical', 'who answers questions about this request'],
  ['securityContact', 'security', 'who responds when an incident involves the app'],
] as const

export const contacts: LintRule = {
  id: 'contacts',
  check: 'contact',
  passed: () => 'Both contacts are email addresses. We did not send email to them.',
  find: (form) =>
    requiredContacts.flatMap(([field, kind, who]): Fault[] =>
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

// An app needs a name, and a description in the developer's own words.

const descriptionCharactersMin = 30

export const identity: LintRule = {
  id: 'identity',
  check: 'identity',
  passed: () => 'The app has a name and a description.',
  find: ({ name, description }) => [
    ...([...name].length < 2
      ? [
          {
            field: 'name',
            reason: 'Add a name.',
            fix: 'People see it on the consent page. Use 2 to 100 characters.',
          } as const,
        ]
      : []),
    ...([...description].length < descriptionCharactersMin
      ? [
          {
            field: 'description',
            reason: 'Describe what the app does.',
            fix: `Describe what it does and who uses it, in at least ${descriptionCharactersMin} characters.`,
          } as const,
        ]
      : []),
  ],
}

// Saving refuses secrets already. This rule finds one that reached the row another way.

export const noSecrets: LintRule = {
  id: 'no-secrets',
  check: 'attestations',
  passed: () => 'The form contains nothing that looks like a private key, a secret or patient data.',
  find: (form) =>
    registrationFields.flatMap((field) => {
      const message = findFormSecret(field, toText(form[field]))
      return message === null ? [] : [{ field, reason: message, fix: 'Remove it and save again.' }]
    }),
}
