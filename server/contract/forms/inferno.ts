/** The form that registers the apps of an Inferno test kit. */
import { z } from 'zod'
import { isInfernoKit, publicInferno } from '../lab/inferno-kits.ts'

const message = 'Enter an https URL, or http://localhost for a copy that you run.'

export const infernoForm = z.object({
  kit: z.string({ error: 'Choose a test kit.' }).refine(isInfernoKit, { error: 'Choose a test kit.' }),
  inferno: z
    .string({ error: 'Enter the URL of Inferno.' })
    .trim()
    .max(200, 'The URL has at most 200 characters.')
    .default(publicInferno)
    .refine(isInfernoAddress, { error: message })
    .transform((value) => value.replace(/(?<!\/)\/+$/, '')),
})

/** The redirect and launch addresses of the apps begin with it. */
function isInfernoAddress(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, hostname, username, password, search, hash } = new URL(value)
  if (username || password || search || hash || /[\s<>"\\^`{|}*]/.test(value)) return false
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1'].includes(hostname))
}
