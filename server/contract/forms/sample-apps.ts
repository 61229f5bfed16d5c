/** The form that registers the sample apps. */
import { z } from 'zod'

const message = 'Paste the public key set that the sample app prints: {"keys":[…]}.'

export const sampleAppsForm = z.object({
  jwks: z
    .string()
    .trim()
    .max(20_000, 'The key set has at most 20,000 characters.')
    .optional()
    .transform((text, context) => {
      if (!text) return null
      const keys = readKeys(text)
      if (keys !== null) return { keys }
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    }),
})

function readKeys(text: string): readonly Readonly<Record<string, unknown>>[] | null {
  try {
    const value = JSON.parse(text)
    return Array.isArray(value?.keys) ? value.keys : null
  } catch {
    return null
  }
}
