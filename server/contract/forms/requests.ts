/** Forms to request more than the published limits: higher limits for a key or an app, a longer term for a key. */
import { z } from 'zod'
import { windowTable } from '../http/limits.ts'
import { grantedLimitsMax } from '../keys/key-life.ts'
import { noControlInLines, paragraphText } from '../text/typed-text.ts'
import { reviewTextLength } from '../workflows/registration-checks.ts'
import { stepTarget } from './step-forms.ts'

const { idempotencyKey } = stepTarget

/** The longest term of a key, in days from the approval of the request. */
export const keyTermDaysMax = 365

const [fhirBurst, fhirSustained] = windowTable.fhirPractice.windows
/** A caller never gets more than a practice's limit over all callers. */
export const requestedLimitsMax = {
  key: grantedLimitsMax,
  app: { burst: fhirBurst.requests, sustained: fhirSustained.requests },
} as const

/** The limits of every key and app that has not requested more. */
export const publishedLimits = {
  key: toLimits(windowTable.restKey.windows),
  app: toLimits(windowTable.fhirPrincipal.windows),
} as const

function toLimits([burst, sustained]: readonly [{ requests: number }, { requests: number }]) {
  return { burst: burst.requests, sustained: sustained.requests }
}

const reason = paragraphText({
  missing: 'Describe why you need it.',
  ...reviewTextLength,
  short: `Use at least ${reviewTextLength.min} characters. Explain what it is for and why you need this much.`,
  only: noControlInLines,
})

const wholeNumber = (max: number) => {
  const error = `Enter a whole number from 1 to ${max.toLocaleString('en-US')}.`
  return z
    .string({ error })
    .trim()
    .regex(/^\d{1,6}$/, error)
    .transform(Number)
    .pipe(z.number().min(1, error).max(max, error))
}

const limitsForm = ({ burst, sustained }: { burst: number; sustained: number }) =>
  z.object({ burst: wholeNumber(burst), sustained: wholeNumber(sustained), reason, idempotencyKey })

export const keyLimitsForm = limitsForm(requestedLimitsMax.key)
export const appLimitsForm = limitsForm(requestedLimitsMax.app)
export const keyTermForm = z.object({ days: wholeNumber(keyTermDaysMax), reason, idempotencyKey })
