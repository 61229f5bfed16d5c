/** What may be asked for beyond what is published: higher limits of a key or an app, a longer term of a key. Free. */
import { z } from 'zod'
import { windowTable } from '../http/limits.ts'
import { grantedLimitsMax } from '../keys/key-life.ts'
import { normalize } from '../text/normalize.ts'
import { reviewTextLength } from '../workflows/registration-checks.ts'

/** The longest term of a key, in days from the request's grant. */
export const keyTermDaysMax = 365

const [fhirBurst, fhirSustained] = windowTable.fhirPractice.windows
/** Never more than the practice has over all callers. */
export const requestedLimitsMax = {
  key: grantedLimitsMax,
  app: { burst: fhirBurst.requests, sustained: fhirSustained.requests },
} as const

/** What everybody has without asking. */
export const publishedLimits = {
  key: ofWindows(windowTable.restKey.windows),
  app: ofWindows(windowTable.fhirPrincipal.windows),
} as const

function ofWindows([burst, sustained]: readonly [{ requests: number }, { requests: number }]) {
  return { burst: burst.requests, sustained: sustained.requests }
}

const reason = z
  .string({ error: 'Describe why you need it.' })
  .transform((text) => normalize(text, 'NFC').replace(/\r\n?/g, '\n').trim())
  .pipe(
    z
      .string()
      .min(
        reviewTextLength.min,
        `Use at least ${reviewTextLength.min} characters. Explain what it is for and why you need this much.`,
      )
      .max(reviewTextLength.max, `Use at most ${reviewTextLength.max.toLocaleString('en-US')} characters.`)
      .regex(/^(?:[^\p{Cc}\p{Cn}\p{Co}]|[\n\t])*$/u, 'Remove control characters.'),
  )

const whole = (most: number) => {
  const error = `Enter a whole number from 1 to ${most.toLocaleString('en-US')}.`
  return z
    .string({ error })
    .transform((text) => text.trim())
    .pipe(
      z
        .string()
        .regex(/^\d{1,6}$/, error)
        .transform(Number)
        .pipe(z.number().min(1, error).max(most, error)),
    )
}

/** Made with the page: the same form sent twice is one request. */
const idempotencyKey = z.string().regex(/^[\w-]{16,64}$/)

const limitsForm = ({ burst, sustained }: { burst: number; sustained: number }) =>
  z.object({ burst: whole(burst), sustained: whole(sustained), reason, idempotencyKey })

export const keyLimitsForm = limitsForm(requestedLimitsMax.key)
export const appLimitsForm = limitsForm(requestedLimitsMax.app)
export const keyTermForm = z.object({ days: whole(keyTermDaysMax), reason, idempotencyKey })
