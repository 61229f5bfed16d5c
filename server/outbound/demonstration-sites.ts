/**
 * Answers for the websites of a demonstration's organizations (contract/lab/demonstration-sites.ts). The answers are
 * constants, made in this process: no name is resolved, nothing is connected to and nothing listens.
 */
import {
  demonstrationDomains,
  demonstrationJwksText,
  demonstrationPaths,
} from '../contract/lab/demonstration-sites.ts'
import type { Fetched } from './outbound.ts'

/** Only where development pages are on: with the embedded database on a local origin. */
export const demonstrationAnswers = ({ developmentPages }: Readonly<{ developmentPages: boolean }>) =>
  developmentPages ? answerForDemonstration : undefined

/** @returns null for every other host */
export function answerForDemonstration({ hostname, pathname }: URL): Fetched | null {
  if (!demonstrationDomains.some((domain) => hostname === domain)) return null
  if (!demonstrationPaths.some((path) => pathname === path)) return answer(404, 'text/plain', 'Not found')
  if (pathname === '/jwks.json') return answer(200, 'application/json', demonstrationJwksText)
  return answer(200, 'text/html', `<!doctype html><title>${hostname}</title><p>A page of the demonstration.`)
}

function answer(status: number, contentType: string, body: string): Fetched {
  return { status, contentType, headers: { 'content-type': contentType }, body: Buffer.from(body) }
}
