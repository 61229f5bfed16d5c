/** Forms of accounts and organizations: one schema for the page and for the server. */
import { z } from 'zod'
import { organizationRoles } from '../portal/organization-roles.ts'
import { findPasswordFault } from '../portal/password-rules.ts'
import { emailAddress } from '../text/email-address.ts'
import { publicName } from '../text/public-name.ts'

/** Of people, organizations and practices. */
export const displayName = (what: string) => publicName({ missing: `Enter ${what}.`, max: 80 })

const givenPassword = z
  .string({ error: 'Enter your password.' })
  .min(1, 'Enter your password.')
  .max(1_000, 'This password is too long.')

const newPassword = z.string({ error: 'Choose a password.' }).superRefine((value, context) => {
  const fault = findPasswordFault(value)
  if (fault) context.addIssue({ code: 'custom', message: fault })
})

function refuseAddressAsPassword(
  form: { email: string; password: string },
  context: { addIssue: (issue: { code: 'custom'; path: string[]; message: string }) => void },
): void {
  const fault = findPasswordFault(form.password, form.email)
  if (fault) context.addIssue({ code: 'custom', path: ['password'], message: fault })
}

export const signUpForm = z
  .object({ name: displayName('your name'), email: emailAddress, password: newPassword })
  .superRefine(refuseAddressAsPassword)
export const signInForm = z.object({ email: emailAddress, password: givenPassword })
export const verifyEmailForm = z.object({ password: givenPassword })
export const emailForm = z.object({ email: emailAddress })
export const newPasswordForm = z.object({ password: newPassword })
export const changePasswordForm = z.object({ currentPassword: givenPassword, newPassword })
export const changeEmailForm = z.object({ email: emailAddress, currentPassword: givenPassword })
export const stepUpForm = z.object({ password: givenPassword })
export const organizationForm = z.object({ name: displayName('a name for the organization') })
export const invitationForm = z.object({ email: emailAddress, role: z.enum(organizationRoles) })
export const roleForm = z.object({ role: z.enum(organizationRoles) })

/** A person new at a practice, invited by mail. */
export const practiceJoinForm = z.object({ name: displayName('your name'), password: newPassword })
