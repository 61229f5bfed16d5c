/**
 * Code for a call in every language we show, written by a library; what it does not know of is put right here: the
 * credential as an environment variable, and characters that a shell, Ruby or PHP would read as variables.
 */
import { HTTPSnippet } from '@readme/httpsnippet'
import { fhirClientCode } from './fhir-client-code.ts'
import type { Snippet, SnippetCall, SnippetLanguage } from './snippet.ts'
import { markVariables, readVariables } from './variables.ts'

type Written = Exclude<SnippetLanguage, 'fhirclient'>
type Target = Parameters<HTTPSnippet['convert']>[0]
type Har = ConstructorParameters<typeof HTTPSnippet>[0]

interface Row {
  readonly label: string
  readonly target: Target
  readonly client: string
  /** After the library, before the variables. */
  readonly finish?: (code: string) => string
  /** The library writes the characters of a JSON value as they are; the language wants its escapes. */
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
  const own = fhirClientCode(call)
  if (own === null) return written
  const [curl, typescript, ...rest] = written
  const library: Snippet = { language: 'fhirclient', label: 'fhirclient', code: own }
  return [curl, typescript, library, ...rest].filter((each) => each !== undefined)
}

/** http://www.softwareishard.com/blog/har-12-spec/#request, of which the library needs this much. */
function toHar({ method, url, headers, body }: SnippetCall, escaped = false): Har {
  const type = headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? 'text/plain'
  const isForm = type.startsWith('application/x-www-form-urlencoded')
  // The escapes of JSON are those of both languages; a quote is the library's own to escape.
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
  // Its types ask for a body where it wants none.
  return request as Har
}

function pairsOf(body: string): { name: string; value: string }[] {
  return [...new URLSearchParams(body)].map(([name, value]) => ({ name, value }))
}

/** The library's document lets the shell read `$` and backticks in the body. */
function literalDocument(code: string): string {
  return code.replace(/<<EOF$/m, "<<'EOF'")
}

/** An answer need not be JSON, and its status matters. */
function awaited(code: string): string {
  return code.replace(
    /^fetch\((.*), options\)\n[\s\S]*$/m,
    'const response = await fetch($1, options)\nconsole.log(response.status, await response.text())',
  )
}

/** A refusal says why in its body. */
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

/** In double quotes `#{…}`, `#$…` and `#@…` are read as code. */
function withoutRubyVariables(code: string): string {
  return code.replace(/#(?=[{$@])/g, '\\#')
}

/** In double quotes `$name` is a variable. */
function withoutPhpVariables(code: string): string {
  return code.replace(/"(?:[^"\\\n]|\\.)*"/g, (text) => text.replace(/(?<!\\)\$/g, '\\$'))
}
