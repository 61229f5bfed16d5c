/** Code for a call says the whole call, and no credential, in every language; what can run here is run. */
import { execFile, execFileSync } from 'node:child_process'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { transform } from 'esbuild'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { longTest } from '../../../tests/support/slice.ts'
import { missingIn, unrun } from '../../../tests/support/snippet-literals.ts'
import type { SnippetCall, SnippetLanguage } from './snippet.ts'
import { snippetsFor } from './snippets.server.ts'

const run = promisify(execFile)
const secret = 'sk_test_only-and-never-in-code'

type ReceivedRequest = { method: string; url: string; headers: IncomingMessage['headers']; body: string }
let received: ReceivedRequest[] = []

const server: Server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { method = '', url = '', headers } = request
    received.push({ method, url, headers, body: Buffer.concat(chunks).toString() })
    response.setHeader('content-type', 'application/json').end('{"heard":true}')
  })
})
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

afterAll(() => new Promise((done) => server.close(done)))

beforeEach(() => {
  received = []
})

const person = {
  name: { family: 'O\'Brien "Pip" $HOME #{1} `id`', given: ['Ünal', 'back\\slash \\n', 'two\nlines'] },
  active: true,
  note: null,
}
const authorization = { name: 'Authorization', value: 'Bearer $SVC_KEY' }

const calls: Readonly<Record<string, () => SnippetCall>> = {
  'a search': () => ({
    method: 'GET',
    url: `${origin}/sandbox/api/v1/patients?q=o'b&dob=1971`,
    headers: [authorization, { name: 'X-Purpose', value: 'treatment' }],
  }),
  'an operation of FHIR': () => ({
    method: 'GET',
    url: `${origin}/r4/here/Patient/pt-1/$everything?_type=Condition,Observation`,
    headers: [authorization, { name: 'Accept', value: 'application/fhir+json' }],
    fhirBase: `${origin}/r4/here`,
  }),
  'a write': () => ({
    method: 'POST',
    url: `${origin}/sandbox/api/v1/patients`,
    headers: [authorization, { name: 'Content-Type', value: 'application/json' }],
    body: JSON.stringify(person),
  }),
  'a form': () => ({
    method: 'POST',
    url: `${origin}/r4/here/Condition/_search`,
    headers: [authorization, { name: 'Content-Type', value: 'application/x-www-form-urlencoded' }],
    body: 'patient=pt-wren-testwell&code=http%3A%2F%2Fsnomed.info%2Fsct%7C1',
  }),
}

const codeOf = (call: SnippetCall, language: SnippetLanguage) =>
  snippetsFor(call).find((each) => each.language === language)?.code ?? ''

/** How each language reads the environment. */
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: code of other languages
const environmentIn: Readonly<Record<SnippetLanguage, string>> = {
  curl: '"Authorization: Bearer $SVC_KEY"',
  typescript: '`Bearer ${process.env.SVC_KEY}`',
  fhirclient: 'process.env.SVC_KEY',
  python: "os.environ['SVC_KEY']",
  csharp: 'Environment.GetEnvironmentVariable("SVC_KEY")',
  java: 'System.getenv("SVC_KEY")',
  go: 'os.Getenv("SVC_KEY")',
  ruby: "ENV.fetch('SVC_KEY')",
  php: 'getenv("SVC_KEY")',
}
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: code of other languages

describe.each(Object.entries(calls))('code for %s', (_name, callOf) => {
  test('is there in every language, reads its key from the environment, and leaves no mark behind', () => {
    const found = snippetsFor(callOf())

    for (const { language, code } of found) {
      expect(code, language).toContain(environmentIn[language])
      expect(code, language).not.toMatch(/ENV_|_VNE|undefined/)
    }
    expect(found).toHaveLength(callOf().fhirBase ? 9 : 8)
  })

  test.each(unrun)('says method, address, headers and body in %s', (language) => {
    expect(missingIn(language, codeOf(callOf(), language), callOf())).toEqual([])
  })

  test('runs with curl', async (context) => {
    if (!isThere('curl')) context.skip()
    await run('sh', ['-c', codeOf(callOf(), 'curl')], { env: { ...process.env, SVC_KEY: secret } })

    expectHeard(callOf())
  })

  test('runs as TypeScript', async () => {
    const said: unknown[][] = []
    const { code } = await transform(codeOf(callOf(), 'typescript'), { loader: 'ts', target: 'es2023' })
    const AsyncFunction = (async () => {}).constructor as new (
      ...source: string[]
    ) => (...values: unknown[]) => Promise<void>

    await new AsyncFunction('process', 'console', code)(
      { env: { SVC_KEY: secret } },
      { log: (...words: unknown[]) => said.push(words) },
    )

    expect(said).toEqual([[200, '{"heard":true}']])
    expectHeard(callOf())
  })

  longTest('runs as Python, where it has the library', async (context) => {
    if (!isThere('python3', ['-c', 'import requests'])) context.skip()
    const { stdout } = await run('python3', ['-c', codeOf(callOf(), 'python')], {
      env: { ...process.env, SVC_KEY: secret, NO_PROXY: '*' },
    })

    expect(stdout).toContain('heard')
    expectHeard(callOf())
  })
})

test('a credential itself is refused, whatever header it is in', () => {
  const call = {
    method: 'GET',
    url: `${origin}/x`,
    headers: [{ name: 'authorization', value: `Bearer ${secret}` }],
  }

  expect(() => snippetsFor(call)).toThrow(/environment variable/)
  expect(() => snippetsFor({ ...call, headers: [{ name: 'Cookie', value: 'session=1' }] })).toThrow()
})

test('what somebody typed is never code, however much it looks like a variable', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: code of a shell
  const typed = '$(touch${IFS}x)`id`#{1}ENV_SVC_KEY_VNE'
  const headers = [
    { name: 'Idempotency-Key', value: '$(id)$SVC_KEY' },
    { name: 'X-Purpose', value: typed },
    { name: 'Content-Type', value: 'application/json' },
    authorization,
  ]
  const call = { method: 'POST', url: `${origin}/x`, headers, body: JSON.stringify({ note: typed }) }

  expect(codeOf(call, 'curl')).toContain("'Idempotency-Key: $(id)$SVC_KEY'")
  for (const { language, code } of snippetsFor(call)) {
    const read =
      code.match(
        /environ\[|process\.env\.|ENV\.fetch|[Gg]etenv|GetEnvironment|"Authorization: Bearer \$SVC_KEY"/g,
      ) ?? []
    expect([language, read.length]).toEqual([language, 1])
  }
})

test('a call elsewhere than the base, or a write, has no code for fhirclient', () => {
  const call = calls['an operation of FHIR']?.() as SnippetCall

  expect(codeOf(call, 'fhirclient')).toContain("client.request('Patient/pt-1/$everything?_type=")
  expect(codeOf({ ...call, url: `${origin}/r4/elsewhere/Patient` }, 'fhirclient')).toBe('')
  expect(codeOf({ ...call, method: 'POST' }, 'fhirclient')).toBe('')
})

function expectHeard({ method, url, headers, body }: SnippetCall): void {
  const [request, ...more] = received
  expect(more).toEqual([])
  expect(request?.method).toBe(method)
  expect(decodeURIComponent(request?.url ?? '')).toBe(decodeURIComponent(url.slice(origin.length)))
  for (const { name, value } of headers)
    expect(request?.headers[name.toLowerCase()]).toContain(value.replace('$SVC_KEY', secret))
  if (body === undefined) expect(request?.body).toBe('')
  else if (body.startsWith('{')) expect(JSON.parse(request?.body ?? '')).toEqual(JSON.parse(body))
  else expect([...new URLSearchParams(request?.body)]).toEqual([...new URLSearchParams(body)])
}

function isThere(program: string, words: string[] = ['--version']): boolean {
  try {
    execFileSync(program, words, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
