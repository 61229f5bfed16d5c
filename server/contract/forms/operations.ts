/** Staff and practices, as operations and `npm run admin` enter them. */
import { z } from 'zod'
import { emailAddress } from '../text/email-address.ts'
import { displayName } from './account.ts'

export const staffRoles = ['reviewer', 'ops'] as const
export type StaffRole = (typeof staffRoles)[number]

export const staffForm = z.object({
  email: emailAddress,
  name: displayName('a name'),
  role: z.enum(staffRoles, { error: `Choose a role: ${staffRoles.join(' or ')}.` }),
})

export const staffRoleForm = staffForm.pick({ role: true })

/** Days that a role request stays open. */
export const roleRequestDays = 7

/** Part of the practice's addresses, so it never changes. */
const slug = z
  .string({ error: 'Enter a slug.' })
  .regex(
    /^[a-z](?:[a-z0-9-]{0,58}[a-z0-9])?$/,
    'A slug has 1 to 60 lowercase letters, digits and hyphens, and starts with a letter.',
  )

export const practiceNameForm = z.object({ name: displayName('a name for the practice') })

export const practiceForm = practiceNameForm.extend({
  slug,
  environment: z
    .enum(['production', 'sandbox'], { error: 'Choose an environment: production or sandbox.' })
    .default('production'),
})

export const practiceAdminForm = z.object({ email: emailAddress })
