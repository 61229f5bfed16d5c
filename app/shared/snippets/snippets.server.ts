/**
 * Writes code for a call in every language, with a library. This file adds what the library lacks: credentials as
 * environment variables, and escapes of characters that a shell, Ruby or PHP would read as variables.
 */
import { HTTPSnippet } from '@readme/httpsnippet'
import type { Snippet, SnippetCall, SnippetLanguage } from './snippet.ts'

type Written = Exclude<SnippetLanguage, 'fhirclient'>
type Target = Parameters<HTTPSnippet['convert']>[0]
type Har = ConstructorParameters<typeof HTTPSnippet>[0]

interface Row {
  readonly label: string
  readonly target: Target
  readonly client: string
  /** Changes the library's code before variables are put in. */
  readonly finish?: (code: string) => string
  /** The language needs JSON's escapes in a string; the library writes the characters without them. */
  readonly wantsEscapes?: true
}

const rows: Readonly<Record<Written, Row>> = {
  curl: { label: 'curl', target: 'shell', client: 'curl', finish: literalDocument },
  typescript: {
    label: 'TypeScript',
    target: 'javascript',
    client: 'fetch',
    finish: awaited,
    wantsEscapes: true,
  },
  python: { label: 'Python', target: 'python', client: 'requests', wantsEscapes: true },
  csharp: { label: 'C#', target: 'csharp', client: 'httpclient', finish: withoutThrow },
  java: { label: 'Java', target: 'java', client: 'nethttp', finish: withImports },
  go: { label: 'Go', target: 'go', client: 'native' },
  ruby: { label: 'Ruby', target: 'ruby', client: 'native', finish: withoutRubyVariables },
  php: { label: 'PHP', target: 'php', client: 'curl', finish: withoutPhpVariables },
}

/** @throws when a header has a credential instead of the name of a variable */
export function snippetsFor(call: SnippetCall): readonly Snippet[] {
  const written = Object.entries(rows).map(([language, row]): Snippet => {
    const { label, target, client, finish, wantsEscapes } = row
    const [code] = new HTTPSnippet(toHar(call, wantsEscapes)).convert(target, client) || []
    if (!code) throw new Error(`no code for ${label}`)
    const read = readVariables[language as Written]
    return { language: language as Written, label, code: read(finish ? finish(code) : code).trimEnd() }
  })
  const fhirCode = fhirClientCode(call)
  if (fhirCode === null) return written
  const [curl, typescript, ...rest] = written
  const library: Snippet = { language: 'fhirclient', label: 'fhirclient', code: fhirCode }
  return [curl, typescript, library, ...rest].filter((snippet) => snippet !== undefined)
}

/** The part of http://www.softwareishard.com/blog/har-12-spec/#request that the library needs. */
function toHar({ method, url, headers, body }: SnippetCall, escaped = false): Har {
  const type = headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? 'text/plain'
  const isForm = type.startsWith('application/x-www-form-urlencoded')
  // Both languages use JSON's escapes. The library itself escapes quotes.
  const text = escaped && !isForm ? body?.replace(/\\([^"])/g, (pair) => pair.replaceAll('\\', '\\\\')) : body
  const request = {
    method,
    url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    queryString: [],
    headers: headers.map(({ name, value }) => ({ name, value: markVariables({ name, value }) })),
    headersSize: -1,
    bodySize: -1,
    ...(text !== undefined && {
      postData: isForm ? { mimeType: type, params: pairsOf(text) } : { mimeType: type, text },
    }),
  }
  // The library's types require a body even where the library takes none.
  return request as Har
}

function pairsOf(body: string): { name: string; value: string }[] {
  return [...new URLSearchParams(body)].map(([name, value]) => ({ name, value }))
}

/** Quotes the here-document's mark, so that the shell doesn't expand `$` and backticks in the body. */
function literalDocument(code: string): string {
  return code.replace(/<<EOF$/m, "<<'EOF'")
}

/** Prints the status and the text, because a response need not be JSON. */
function awaited(code: string): string {
  return code.replace(
    /^fetch\((.*), options\)\n[\s\S]*$/m,
    'const response = await fetch($1, options)\nconsole.log(response.status, await response.text())',
  )
}

/** Keeps the program from throwing on an error status, because the body gives the reason. */
function withoutThrow(code: string): string {
  return code.replace(/^ *response\.EnsureSuccessStatusCode\(\);\n/m, '')
}

function withImports(code: string): string {
  const imports = ['java.net.URI', 'java.net.http.HttpClient', 'java.net.http.HttpRequest']
  return [...imports, 'java.net.http.HttpResponse']
    .map((name) => `import ${name};\n`)
    .join('')
    .concat('\n', code)
}

/** Escapes `#{…}`, `#$…` and `#@…`, which Ruby reads as code in double quotes. */
function withoutRubyVariables(code: string): string {
  return code.replace(/#(?=[{$@])/g, '\\#')
}

/** Escapes `$name`, which PHP reads as a variable in double quotes. */
function withoutPhpVariables(code: string): string {
  return code.replace(/"(?:[^"\\\n]|\\.)*"/g, (text) => text.replace(/(?<!\\)\$/g, '\\$'))
}

/** Stands for a variable while the library writes code. The library neither quotes nor escapes it. */
const markOf = (variable: string) => `ENV_${variable}_VNE`

/**
 * Marks the variables of a credential's header. In any other header, `$NAME` is what a person typed.
 * @throws when a header would hold the credential itself
 */
function markVariables({ name, value }: { name: string; value: string }): string {
  if (!/^(authorization|cookie|x-api-key)$/i.test(name)) return value
  const marked = value.replace(/\$([A-Z][A-Z_]*)/g, (_match, variable: string) => markOf(variable))
  if (marked === value)
    throw new Error(`the header ${name} has to name its credential as an environment variable`)
  return marked
}

type Rewrite = (code: string) => string

/**
 * A string literal that ends in a mark: the words before it, and the variable's name. It matches only words of a header,
 * because a text that a person typed may look like a mark and must not become code.
 */
const doubleQuoted = /"([\w: -]*)ENV_([A-Z_]+)_VNE"/g
const singleQuoted = /'([\w: -]*)ENV_([A-Z_]+)_VNE'/g

/** Replaces every mark by the language's code that reads the environment variable. */
const readVariables: Readonly<Record<Written, Rewrite>> = {
  curl: (code) => code.replace(singleQuoted, '"$1$$$2"'),
  typescript: (code) => code.replace(singleQuoted, '`$1$${process.env.$2}`'),
  python: (code) => withLine('import os', code.replace(doubleQuoted, `f"$1{os.environ['$2']}"`)),
  csharp: (code) => code.replace(doubleQuoted, '"$1" + Environment.GetEnvironmentVariable("$2")'),
  java: (code) => code.replace(doubleQuoted, '"$1" + System.getenv("$2")'),
  go: (code) => code.replace(doubleQuoted, '"$1"+os.Getenv("$2")').replace(/^\t"net\/http"\n/m, '$&\t"os"\n'),
  ruby: (code) => code.replace(singleQuoted, '"$1#{ENV.fetch(\'$2\')}"'),
  php: (code) => code.replace(doubleQuoted, '"$1" . getenv("$2")'),
}

function withLine(line: string, code: string): string {
  return code.includes('os.environ') ? `${line}\n${code}` : code
}

/** Null for a call that the library can't send. */
function fhirClientCode({ method, url, headers, fhirBase }: SnippetCall): string | null {
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
