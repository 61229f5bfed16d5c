/** The part of an organization's addresses that names it: Latin letters, digits and dashes. */
import { normalize } from '../../contract/text/normalize.ts'

/** Addresses that an organization's name must not take: of pages, and of the directory beside the FHIR bases. */
const reserved: ReadonlySet<string> = new Set(['new', 'accept', 'settings', 'endpoints'])

/**
 * @param attempt 0 gives the plain slug; others add a number, for names that are taken
 */
export function toSlug(name: string, attempt = 0): string {
  const latin = normalize(name, 'NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/ß/g, 'ss')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '')
  const base = latin === '' || reserved.has(latin) ? `organization${latin && `-${latin}`}` : latin
  return attempt === 0 ? base : `${base}-${attempt + 1}`
}
