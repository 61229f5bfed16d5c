/**
 * Where a launch without an account may lead. Names are judged as they are written: nothing is looked up or fetched
 * here, the browser of whoever clicks goes there itself.
 */
import { isIP } from 'node:net'
import { isLoopback } from '../../contract/smart/redirect-uris.ts'
import { isPublicAddress } from '../../outbound/address-guard.ts'

/** Ends of names that only a private network resolves. https://www.iana.org/assignments/special-use-domain-names */
const privateNames =
  /\.(?:internal|local|localhost|localdomain|lan|home|corp|private|intranet|home\.arpa|arpa)$/

const ownOrigins = ['PUBLIC_ORIGIN', 'FHIR_ORIGIN', 'REST_ORIGIN', 'STATUS_ORIGIN'] as const

type OwnOrigins = Readonly<Record<(typeof ownOrigins)[number], string>>

/** @returns what is wrong with a launch URL or redirect URI, as a sentence; null when it may be used */
export function faultOfOpenAddress(text: string, own: OwnOrigins): string | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || /[\s<>"\\^`{|}]/.test(text) || url.host.includes('*'))
    return 'Enter a complete URL, without spaces or wildcards.'
  const atHome = isLoopback(url)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && atHome))
    return 'Use https. Plain http is for localhost, 127.0.0.1 and [::1] only.'
  if (url.username !== '' || url.password !== '') return 'Remove the user name and password from the URL.'
  if (text.includes('#')) return 'Remove the fragment (everything from # on).'
  if (ownOrigins.some((name) => isSameServer(url, new URL(own[name]))))
    return 'Enter your own app’s URL. This portal can’t be launched.'
  return atHome || isPublicHost(url.hostname)
    ? null
    : 'The host is on a private network. Use a public https host or localhost.'
}

/** By any name of this machine, with or without the dot that ends a full name, by https or not. */
function isSameServer(url: URL, own: URL): boolean {
  if (isLoopback(url) && isLoopback(own)) return url.port === own.port
  return (
    url.hostname.replace(/\.$/, '') === own.hostname &&
    (url.port === own.port || url.protocol !== own.protocol)
  )
}

/** @param hostname as URL writes it: lower case, addresses in their one spelling, IPv6 in brackets */
function isPublicHost(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  if (isIP(address) !== 0) return isPublicAddress(address)
  const name = hostname.replace(/\.$/, '')
  return name.includes('.') && !privateNames.test(name)
}
