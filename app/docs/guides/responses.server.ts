/** The sample responses of docs/responses/, which a test compares with the server (tests/support/sample-responses.ts). */

import { highlight } from '../../shared/snippets/highlight.server.ts'
import { type Addresses, placeAddresses } from './addresses.ts'
import { parseResponses, type SampleResponse } from './response-file.ts'

const files = import.meta.glob<string>('../../../docs/responses/**/*.txt', {
  query: '?raw',
  import: 'default',
  eager: true,
})

const responses = new Map(
  Object.entries(files).map(([path, text]) => [
    path.replace(/^.*\/docs\/responses\/|\.txt$/g, ''),
    parseResponses(text),
  ]),
)

/** A response as a page shows it. Its type is empty if there is no body. */
export type ShownResponse = ReturnType<typeof showResponse>

/** @param command the command as its page writes it */
export const findResponse = (page: string, command: string): SampleResponse | null =>
  responses.get(page)?.get(command) ?? null

export function showResponse(
  { status, headers, body }: SampleResponse,
  command: string,
  addresses: Addresses,
) {
  const type = headers.find((line) => line.startsWith('content-type: '))?.slice(14) ?? ''
  // Headers are shown if curl prints them or if there is no body.
  const head = / -i /.test(command) || body === '' ? headers.join('\n') : ''
  const separator = '\n\0\n'
  // All parts are replaced together, because the command decides which practice they name.
  const [, shownHead = '', shownBody = ''] = placeAddresses(
    [command, head, body].join(separator),
    addresses,
  ).split(separator)
  const parts = [
    ...(shownHead === '' ? [] : [highlight(shownHead, 'text')]),
    ...(shownBody === '' ? [] : [highlight(shownBody, type.includes('xml') ? 'xml' : 'json')]),
  ]
  const html = parts.join('\n\n')
  return { status, type: type.split(';')[0] ?? '', lines: html.split('\n').length, html }
}
