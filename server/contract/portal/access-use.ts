/** What a practice sees of how its keys and apps are used. */
import { z } from 'zod'

/** Days that the pages and rules look at, today included on the pages. */
export const useDays = 30
/** A month can be reported while its days are kept. */
const reportMonthsMax = 13
export const networksMax = 200

const network = z
  .string({ error: 'Enter a network, such as 203.0.113.0/24.' })
  .trim()
  .max(64, 'Enter a network, such as 203.0.113.0/24.')

export const networkForms = {
  name: z.object({
    /** An address, or the network as the page shows it. */
    network,
    label: z
      .string({ error: 'Enter a name.' })
      .trim()
      .min(1, 'Enter a name.')
      .max(60, 'Use 60 characters or fewer.'),
    country: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^(?:[A-Z]{2})?$/, 'Enter two letters, such as US, or leave it empty.')
      .default(''),
  }),
  forget: z.object({ network }),
} as const

/** Beside a network that the practice gave no country: nothing is looked up. */
export const unknownCountry = 'Unknown'

/** This month and those before it, newest first, as `yyyy-mm`. */
export function reportMonths(now: Date): string[] {
  const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)
  return Array.from({ length: reportMonthsMax }, (_, back) => {
    const month = new Date(first)
    month.setUTCMonth(month.getUTCMonth() - back)
    return month.toISOString().slice(0, 7)
  })
}
