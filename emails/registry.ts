/** Every mail that can leave: name → subject, props, words and an example. The workflows name these. */
import type { z } from 'zod'
import { accountEmails } from './templates/accounts.ts'
import { agreementEmails } from './templates/agreements.ts'
import { keyRequestEmails } from './templates/key-requests.ts'
import { keyEmails } from './templates/keys.ts'
import { operationsEmails } from './templates/operations.ts'
import { organizationEmails } from './templates/organizations.ts'
import { practiceEmails } from './templates/practices.ts'
import { productionKeyLifeEmails } from './templates/production-key-life.ts'
import { productionKeyEmails } from './templates/production-keys.ts'
import { registrationStaffEmails } from './templates/registration-staff.ts'
import { registrationEmails } from './templates/registrations.ts'
import { statusEmails } from './templates/status.ts'
import { systemAuthorizationEmails } from './templates/system-authorization.ts'

export const registry = {
  ...accountEmails,
  ...agreementEmails,
  ...keyRequestEmails,
  ...keyEmails,
  ...operationsEmails,
  ...organizationEmails,
  ...practiceEmails,
  ...productionKeyEmails,
  ...productionKeyLifeEmails,
  ...registrationStaffEmails,
  ...registrationEmails,
  ...statusEmails,
  ...systemAuthorizationEmails,
} as const

export type MailName = keyof typeof registry
export type MailProps<Name extends MailName> = z.input<(typeof registry)[Name]['props']>
export type MailLink<Name extends MailName> = (typeof registry)[Name]['links'][number]

export const mailNames = Object.keys(registry) as readonly MailName[]

export const isMailName = (name: string): name is MailName => Object.hasOwn(registry, name)
