/**
 * Sample responses of the documentation, held against what the server says now. What differs from run to run (ids that
 * are made, times, signatures) gets a fixed value first, so that only a change of shape or content is a difference.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { formatResponses, parseResponses, type SampleResponse } from '../../app/docs/guides/response-file.ts'
import { parseCurl } from '../../app/shared/snippets/parse-curl.ts'
import type { createApp } from '../../server/app.ts'
import { rootDir } from '../../server/root-dir.ts'
import { readableText } from './readable-text.ts'

export type Answer = { status: number; headers: Headers; text: string }

type Sample = {
  /** File of docs/responses/, without its ending: the slug of the guide. */
  file: string
  /** As the page writes it, with words for addresses. */
  command: string
  /** In the order of the page: the others stay in the file, and what is not among them goes. */
  commands: readonly string[]
  /** What is a word on the page, by the address that stands for it here; the longest first. */
  words: readonly (readonly [address: string, word: string])[]
  linesMax?: number
}

/** What curl says when it runs the command of a page. */
export async function runCommand(
  app: Pick<ReturnType<typeof createApp>, 'fetch'>,
  command: string,
  variables: Record<string, string>,
): Promise<Answer> {
  const { method, url, headers, body } = parseCurl(command, variables)
  const request = new Request(url, { method, headers, ...(body !== undefined && { body }) })
  return readAnswer(await app.fetch(request, { incoming: { socket: { remoteAddress: '192.0.2.1' } } }))
}

async function readAnswer(response: Response): Promise<Answer> {
  const bytes = Buffer.from(await response.arrayBuffer())
  const isZipped = response.headers.get('content-encoding') === 'gzip'
  const text = (isZipped ? gunzipSync(bytes) : bytes).toString('utf8')
  return { status: response.status, headers: response.headers, text }
}

/** Tokens are new each time, and so is when they end. */
export function withoutTokens(text: string): string {
  return text
    .replace(/"(access_token|refresh_token|id_token)":"[^"]+"/g, '"$1":"…"')
    .replace(/"exp":\d+/, '"exp":1795197600')
    .replace(/"iat":\d+/, '"iat":1795194000')
}

const howTo =
  'The server says something else than docs/responses shows. If it is meant to, record it again: UPDATE_RESPONSES=1 npx vitest run --no-file-parallelism tests/promises/guide-snippets'

/** @throws when the response is not the one that the page shows, or the page shows none */
export function expectSample(sample: Sample, answer: Answer): void {
  const found = sampleOf(answer, sample)
  const { file, command } = sample
  if (process.env.UPDATE_RESPONSES) record(sample, found)
  expect(readSamples(file).get(command), `${file}: ${command}\n${howTo}`).toEqual(found)
}

const pathOf = (file: string) => join(rootDir, `docs/responses/${file}.txt`)

function readSamples(file: string): Map<string, SampleResponse> {
  const path = pathOf(file)
  return existsSync(path) ? parseResponses(readFileSync(path, 'utf8')) : new Map()
}

function record({ file, command, commands }: Sample, found: SampleResponse): void {
  const known = readSamples(file).set(command, found)
  const inOrder = commands.flatMap((each) => {
    const response = known.get(each)
    return response ? [[each, response] as const] : []
  })
  mkdirSync(dirname(pathOf(file)), { recursive: true })
  writeFileSync(pathOf(file), formatResponses(new Map(inOrder)))
}

/** Headers that a reader does something with. */
const shownHeaders = [
  'content-type',
  'location',
  'content-location',
  'etag',
  'last-modified',
  'link',
  'allow',
  'www-authenticate',
  'retry-after',
  'x-progress',
  'x-correlation-id',
  'content-disposition',
  'deprecation',
  'sunset',
  'x-sandbox-fault-injected',
  // Of a preflight.
  'access-control-allow-methods',
  'access-control-allow-headers',
]

function sampleOf({ status, headers, text }: Answer, { words, linesMax = 40 }: Sample): SampleResponse {
  const steady = steadyWith(words)
  const isLines = headers.get('content-type')?.includes('ndjson') ?? false
  return {
    status,
    headers: shownHeaders.flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [`${name}: ${steady(value)}`]
    }),
    body: readableText(steady(isLines ? inOrder(text) : text), linesMax),
  }
}

/** An export has no order of its own. */
const inOrder = (lines: string) => lines.trimEnd().split('\n').sort().join('\n')

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g
const moment = /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g
const dayMs = 86_400_000

/** What is random each time, and the value that stands for it. */
const fixed: readonly (readonly [volatile: RegExp, value: string])[] = [
  [/\bsvc_[A-Za-z0-9]{8}\b/g, 'svc_t3kQ9xZa'],
  [/\bSYN-[0-9A-Z]{8}\b/g, 'SYN-K7QM2R4T'],
  [/(?<=W\/\\?")[\w-]{16}(?=\\?")/g, 'RKYi64a1qcnu0ej0'],
  [/(?<=[?&]expires=)\d+/g, '1795280400'],
  [/(?<=[?&]signature=)[\w-]+/g, 'AQR0ZXN0mIfjyy4NZigHbuj'],
  [/(?<=[?&]_cursor=)[\w-]+/g, 'AQR0ZXN0mIfjyy4NZigHbuj'],
]

function steadyWith(words: Sample['words']): (text: string) => string {
  const ids = new Map<string, string>()
  return (text) => {
    let steady = text
    for (const [address, word] of words) steady = steady.replaceAll(address, word)
    for (const [volatile, value] of fixed) steady = steady.replace(volatile, value)
    // The database has the time of this machine, and not that of the test.
    steady = steady.replace(moment, (time) =>
      Math.abs(Date.parse(time) - Date.now()) < dayMs ? '2026-11-20T17:00:01.000Z' : time,
    )
    return steady.replace(uuid, (id) => {
      const known = ids.get(id) ?? `01a1f986-a162-7802-87aa-6b98ac27${(0x223e + ids.size).toString(16)}`
      ids.set(id, known)
      return known
    })
  }
}
