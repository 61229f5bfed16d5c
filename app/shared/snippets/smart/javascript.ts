import type { SnippetValue } from '../../../../server/contract/lab/smart-snippets.ts'
import type { SnippetWriter } from './writer.ts'

/** A module for Node 20 and later. The authorize step and the requests also run in a browser, without `process.env`. */
export const javascript: SnippetWriter = {
  label: 'JavaScript',
  platform: 'JavaScript module, Node 20',
  comment: '//',
  library: ({ kind }) => (kind === 'assertion' ? 'npm install jose' : null),
  authorize: ({ url, parameters }) =>
    [
      'const base64url = (bytes) =>',
      "  btoa(String.fromCharCode(...bytes)).replace(/\\+/g, '-').replace(/\\//g, '_').replace(/=/g, '')",
      '',
      'const codeVerifier = base64url(crypto.getRandomValues(new Uint8Array(32)))',
      "const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier))",
      'const state = crypto.randomUUID()',
      '',
      `const url = new URL(${quote(url)})`,
      'url.search = new URLSearchParams({',
      ...parameters.map(([name, value]) => `  ${name}: ${quote(value)},`),
      '  code_challenge: base64url(new Uint8Array(digest)),',
      '  state,',
      '})',
      '',
      'console.log(url.href)',
      // biome-ignore-start lint/suspicious/noTemplateCurlyInString: code of another program
      'console.log(`CODE_VERIFIER=${codeVerifier}`)',
      'console.log(`STATE=${state}`)',
      // biome-ignore-end lint/suspicious/noTemplateCurlyInString: code of another program
    ].join('\n'),
  assertion: ({ algorithm, issuer, audience }) =>
    [
      "import { readFile } from 'node:fs/promises'",
      "import { importPKCS8, SignJWT } from 'jose'",
      '',
      "const pem = await readFile(process.env.PRIVATE_KEY_FILE, 'utf8')",
      'const assertion = await new SignJWT()',
      `  .setProtectedHeader({ alg: ${quote(algorithm)}, typ: 'JWT', kid: process.env.KEY_ID })`,
      `  .setIssuer(${quote(issuer)})`,
      `  .setSubject(${quote(issuer)})`,
      `  .setAudience(${quote(audience)})`,
      '  .setJti(crypto.randomUUID())',
      "  .setExpirationTime('4 minutes')",
      `  .sign(await importPKCS8(pem, ${quote(algorithm)}))`,
      '',
      'console.log(assertion)',
    ].join('\n'),
  request: ({ method, url, accept, bearer, basic, form }) => {
    const headers = [
      ...(accept ? [`Accept: ${quote(accept)}`] : []),
      ...(bearer ? [`Authorization: \`Bearer \${process.env.${bearer}}\``] : []),
      ...(basic
        ? [`Authorization: 'Basic ' + btoa(${quote(`${basic.user}:`)} + process.env.${basic.password})`]
        : []),
    ]
    return [
      `const response = await fetch(${quote(url)}, {`,
      ...(method === 'POST' ? ["  method: 'POST',"] : []),
      ...(headers.length > 0 ? ['  headers: {', ...headers.map((line) => `    ${line},`), '  },'] : []),
      ...(form
        ? [
            '  body: new URLSearchParams({',
            ...form.map(([name, value]) => `    ${name}: ${coded(value)},`),
            '  }),',
          ]
        : []),
      '})',
      '',
      'console.log(response.status, await response.text())',
    ].join('\n')
  },
}

const coded = (value: SnippetValue) =>
  typeof value === 'string' ? quote(value) : `process.env.${value.variable}`

const quote = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`
