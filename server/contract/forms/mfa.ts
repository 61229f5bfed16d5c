/** The second step of signing in, for people whose sign-in page asks for one. */
import { z } from 'zod'
import { normalize } from '../text/normalize.ts'
import { lineText, noControl } from '../text/typed-text.ts'

/** Digits of a code of an authenticator app, https://www.rfc-editor.org/rfc/rfc6238 */
export const totpDigits = 6
export const recoveryCodesMade = 10

/** No letters that look like another; 31 of them, 16 long: about 79 bits. */
export const recoveryCodeAlphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const recoveryCode = /^([a-hj-km-np-z2-9]{4}-?){4}$/

export type MfaCode = Readonly<{ kind: 'totp' | 'recovery'; code: string }>

const typedCode = z
  .string({ error: 'Enter the code.' })
  .max(100, 'This code is too long.')
  .transform((value) => normalize(value, 'NFKC').replace(/\s+/gu, '').toLowerCase())

/** Six digits of the app, or one of the recovery codes; spaces and case do not matter. */
export const mfaForm = z.object({
  code: typedCode.transform((code, context): MfaCode => {
    if (/^\d{6}$/.test(code)) return { kind: 'totp', code }
    if (recoveryCode.test(code)) return { kind: 'recovery', code: code.replaceAll('-', '') }
    context.addIssue({
      code: 'custom',
      message:
        code === '' ? 'Enter the code.' : 'Enter six digits, or a recovery code of 16 letters and digits.',
    })
    return z.NEVER
  }),
})

/** The first code of a new app. */
export const enrolmentForm = z.object({
  code: typedCode.pipe(z.string().regex(/^\d{6}$/, 'Enter the six digits from your authenticator app.')),
})

/** Operations remove the authenticator app of a person's account. */
export const factorResetForm = z.object({
  reason: lineText({
    missing: 'Enter a reason.',
    ...{ min: 10, short: 'Enter a reason of 10 to 500 characters.' },
    ...{ max: 500, long: 'Enter a reason of 10 to 500 characters.' },
    only: noControl,
  }),
})
