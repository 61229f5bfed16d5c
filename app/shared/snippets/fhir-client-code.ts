/** A FHIR call with `fhirclient`, the library that apps for browsers and Node use. */
import type { SnippetCall } from './snippet.ts'

/** Null: no FHIR call, or one that the library would not send. */
export function fhirClientCode({ method, url, headers, fhirBase }: SnippetCall): string | null {
  if (fhirBase === undefined || method !== 'GET' || !url.startsWith(`${fhirBase}/`)) return null
  const authorization = headers.find(({ name }) => name.toLowerCase() === 'authorization')?.value ?? ''
  const [, variable] = /^Bearer \$([A-Z_]+)$/.exec(authorization) ?? []
  const options = [
    `  serverUrl: ${quote(fhirBase)},`,
    ...(variable ? [`  tokenResponse: { access_token: process.env.${variable} },`] : []),
  ]
  return [
    "import FHIR from 'fhirclient'",
    '',
    'const client = FHIR.client({',
    ...options,
    '})',
    `const answer = await client.request(${quote(url.slice(fhirBase.length + 1))})`,
    'console.log(JSON.stringify(answer, null, 2))',
  ].join('\n')
}

function quote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
