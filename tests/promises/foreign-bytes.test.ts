/** The worst input of every parser of foreign bytes holds up no other request (contract/http/parsers.ts). */
import { randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { markdownToHtml } from '../../app/lib/markdown.server.ts'
import { readQuestion } from '../../app/shared/search/question.ts'
import { runApart } from '../../server/apart.ts'
import { parseBoundedJson } from '../../server/contract/http/json-bounds.ts'
import { limits } from '../../server/contract/http/limits.ts'
import { emailBounds, type ParserName, parsers, turnMsMax } from '../../server/contract/http/parsers.ts'
import { newDocumentSchema, newPatientSchema } from '../../server/contract/rest/bodies.ts'
import { parseScopes } from '../../server/contract/smart/scopes.ts'
import { emailAddress } from '../../server/contract/text/email-address.ts'
import { fold } from '../../server/contract/text/fold.ts'
import { publicName } from '../../server/contract/text/public-name.ts'
import { keptTextForm } from '../../server/contract/text/text-warnings.ts'
import { rebuildPdf } from '../../server/domain/agreements/pdf/rebuild-pdf.ts'
import { mergeText } from '../../server/domain/agreements/render-agreement.ts'
import { claimedClientOf } from '../../server/domain/clients/assertions.ts'
import { findJwksFault, usableKeys } from '../../server/domain/clients/jwks-source.ts'
import { readStatements } from '../../server/domain/keys/mail-drafts.ts'
import { drawAnew } from '../../server/domain/registrations/logos.ts'
import { isCleanText } from '../../server/domain/text-scan/check-text.ts'
import { handlingOf } from '../../server/fhir/page.ts'
import { prefersMarkdown, prefersPage } from '../../server/http/accept.ts'
import { parseStrictJson } from '../../server/http/body.ts'
import { clientIp, noProxies } from '../../server/http/client-ip.ts'
import { takesGzip } from '../../server/http/compression.ts'
import { isUnchanged, parseRange } from '../../server/http/conditions.ts'
import { toLoggedError } from '../../server/http/log.ts'
import { readPortalBody } from '../../server/http/portal-body.ts'
import { portalWorkClass } from '../../server/portal/work-class.ts'
import { toCleanText } from '../../server/rest/mcp/document-text.ts'
import { parseParameters as parseSearch } from '../../server/search/query-string.ts'
import { parseParameters as parseOauth } from '../../server/smart/call.ts'
import { slice } from '../support/slice.ts'

type Parse = () => unknown

/** As often as it fits into the bytes that the parser takes. */
const full = (parser: ParserName, piece: string, { before = '', after = '' } = {}) => {
  const room = parsers[parser].bytesMax - Buffer.byteLength(before) - Buffer.byteLength(after)
  return before + piece.repeat(Math.floor(room / Buffer.byteLength(piece))) + after
}
const each = (parser: ParserName, pieces: readonly string[], parse: (text: string) => unknown): Parse[] =>
  pieces.map((piece) => () => parse(full(parser, piece)))

const json = (text: string) => () => parseStrictJson(text)
const assertion = (part: string) => `${Buffer.from(part).toString('base64url')}.e30.x`
const portalForm = (type: string, body: Buffer) => async () => {
  const headers = { 'content-type': type, cookie: '__Host-session=x' }
  const url = 'https://portal.example/practice/agreements/0190a0a0-0000-7000-8000-000000000001/change'
  const read = await readPortalBody(new Request(url, { method: 'POST', headers, body: new Uint8Array(body) }))
  return new Request(url, { method: 'POST', headers, body: read }).formData()
}
/** Marks that have to be put in order. */
const marks = '\u0301\u0316'
const secretPieces = ['eyJ', 'eyJ-', 'eyJaaaaaaaa.', 'svc_t', '-----BEGIN A', 'SSN ', '123-45-', '0', '.']

const worst: Record<ParserName, () => Parse[] | Promise<Parse[]>> = {
  url: () =>
    each('url', ['/', '%2e/', 'a/../', 'ü.', '%'], (text) => {
      for (const address of [`https://a.example/docs/${text}x`, `https://${text}`])
        if (URL.canParse(address)) new URL(address).pathname.replace(/(?<!\/)\/+$/, '')
    }),
  headers: () =>
    each('headers', [',', ', ', 'a;q=1,', ';', ' ', '"', '1', 'handling ', 'W/'], (text) => {
      const headers = new Headers({
        ...{ accept: text, 'accept-encoding': text, prefer: `,${text}`, range: `bytes=${text}` },
        ...{ 'if-none-match': text, 'x-forwarded-for': text },
      })
      prefersPage(text)
      prefersMarkdown(text)
      takesGzip(headers)
      handlingOf(headers.get('prefer'))
      parseRange(headers.get('range'), 100)
      isUnchanged(headers, { etag: 'W/"1"', lastModified: null })
      clientIp({ remoteAddress: '127.0.0.1', headers, proxies: { ...noProxies, isTrusted: () => true } })
    }),
  cookies: () =>
    each('cookies', [';', '; ', ' ', 'a=b; ', '__Host-'], (text) => portalWorkClass('/practice', text)),
  search: () => [
    ...each('search', ['a=%41&', '%41', 'a=1,', '&', '%'], parseSearch),
    ...each('search', [marks, 'ﷺ', 'a'], fold),
  ],
  oauth: () => each('oauth', ['a=b&', '%41', '&', 'a&', '+'], parseOauth),
  scopes: () =>
    each(
      'scopes',
      ['a ', 'patient/*.rs?category=a|b ', 'patient/Observation.rs?a=b&', '?', '/'],
      parseScopes,
    ),
  assertion: () =>
    ['['.repeat(6_000), `{"a":${'['.repeat(6_000)}`, '{"a":1,'.repeat(800)].map(
      (part) => () => claimedClientOf(assertion(part)),
    ),
  keySet: () => {
    const key = (at: number) => ({ kty: 'RSA', kid: `k${at}`, e: 'AQAB', n: 'A'.repeat(343) })
    const many = JSON.stringify({ keys: Array.from({ length: 620 }, (_, at) => key(at)) })
    const large = JSON.stringify({ keys: [{ ...key(0), n: 'A'.repeat(260_000) }] })
    return [many, large, full('keySet', '['), full('keySet', '{"keys":')].flatMap((text) => [
      () => usableKeys(parseBoundedJson(text)),
      () => findJwksFault(parseBoundedJson(text)),
    ])
  },
  json: () => [
    json(full('json', '\\"', { before: '"', after: '"' })),
    json(full('json', '\\\\', { before: '"', after: '"' })),
    json(full('json', '1', { before: '[', after: ']' })),
    json(full('json', '1', { before: '[1e', after: ']' })),
    json(full('json', ' ', { after: '1' })),
    ...['[', '{"a":', '"', ',', '[],'].map((piece) => json(full('json', piece))),
    json(JSON.stringify(Object.fromEntries(names(limits.jsonValuesMax - 2, 200)))),
    json(JSON.stringify(Array.from({ length: limits.jsonValuesMax - 2 }, () => 1e100))),
    ...each('json', [marks, 'a', '\u200d', ' ', '='], (text) => {
      newPatientSchema.safeParse({ mrn: text, name: { family: text }, telecom: [{ value: text }] })
      newDocumentSchema.safeParse({ title: text, content: text })
    }),
  ],
  form: () => [
    ...['a=%41&', '&', '%41', '+'].map((piece) =>
      portalForm('application/x-www-form-urlencoded', Buffer.from(full('form', piece))),
    ),
    ...each('form', [marks, ' ', '\n'], (text) => keptTextForm.shape.keepReason.safeParse(text)),
  ],
  multipart: () => {
    const part = (name: string, length: number) =>
      Buffer.concat([
        Buffer.from(`--b\r\nContent-Disposition: form-data; name="${name}"; filename="a"\r\n\r\n`),
        Buffer.alloc(length, '\r'),
        Buffer.from('\r\n'),
      ])
    const end = Buffer.from('--b--\r\n')
    const type = 'multipart/form-data; boundary=b'
    const bytes = Math.floor(parsers.multipart.bytesMax / 395)
    return [
      portalForm(type, Buffer.concat([part('file', parsers.multipart.bytesMax - 200), end])),
      portalForm(type, Buffer.concat([...Array.from({ length: 390 }, () => part('a', bytes - 100)), end])),
      portalForm(type, Buffer.from(full('multipart', '--b\r\n'))),
      portalForm(type, Buffer.concat([part('a'.repeat(10_000_000), 10), end])),
      portalForm(type, Buffer.from(full('multipart', 'a: b\r\n', { before: '--b\r\n' }))),
    ]
  },
  emailAddress: () =>
    each('emailAddress', [...secretPieces, 'a.', 'a@', '@', 'ﷺ', marks], (text) =>
      emailAddress.safeParse(text),
    ),
  statements: () =>
    each(
      'statements',
      ['\n', '* ', 'a@', '\ntechnical contact: a', '\ni accept the sandbox terms '],
      readStatements,
    ),
  name: () =>
    each('name', [...secretPieces, 'a.', marks, 'ﷺ', '0'], (text) =>
      publicName({ missing: 'Enter a name.', max: 100 }).safeParse(text),
    ),
  text: () =>
    each(
      'text',
      [
        ...secretPieces,
        'token ',
        'token***',
        'client_',
        'secret__',
        'mrn###',
        'dob 1-1-1 ',
        'name: a',
        '\u00a0',
        'ﷺ',
        marks,
      ],
      isCleanText,
    ),
  markdown: () => {
    const text = { markdown: '# Agreement\n\n{{services}}' } as Parameters<typeof mergeText>[0]
    return each('markdown', ['> ', '1. ', '[', '*a ', '_', '`', '<', '\n', '- \n'], (services) =>
      markdownToHtml(mergeText(text, { services: services.slice(0, 4_000) })),
    )
  },
  question: () => each('question', ['-', 'a-', '_', 'a ', 'sandbox '], (text) => readQuestion(text)),
  chartText: () => each('chartText', ['\u200d', '\u{e0041}', 'a', '\u0000'], (text) => toCleanText({ text })),
  log: () =>
    each('log', [...secretPieces, 'a@', '-', ' (', ': "', 'Bearer '], (text) =>
      toLoggedError(Object.assign(new Error(`${text}@ `), { code: '23505' })),
    ),
  email: () => {
    const head = 'From: a@samplewood.example\r\nSubject: A key\r\n'
    const mail = (text: string) => () =>
      runApart('server/mail/read-mail-apart.ts', Buffer.from(text), emailBounds)
    const parts = 'Content-Type: multipart/mixed; boundary=b\r\n\r\n'
    return [
      mail(full('email', 'X: y\r\n', { before: head })),
      mail(full('email', `--b\r\n${parts}`, { before: head + parts })),
      mail(full('email', '=?utf-8?q?=41?= ', { before: 'Subject: ', after: '\r\n\r\n' })),
      mail(full('email', 'a@b.example, ', { before: 'To: ', after: '\r\n\r\n' })),
    ]
  },
  image: async () => {
    const side = 4_096
    const plain = { create: { width: side, height: side, channels: 3 as const, background: 'red' } }
    const most = await sharp(plain).png({ compressionLevel: 9 }).toBuffer()
    const webp = await sharp(plain).webp({ lossless: true }).toBuffer()
    const over = await sharp({ create: { ...plain.create, width: side * 3 } })
      .png()
      .toBuffer()
    const noise = await sharp(randomBytes(400 * 400 * 3), { raw: { width: 400, height: 400, channels: 3 } })
      .jpeg({ quality: 95, progressive: true })
      .toBuffer()
    return [most, webp, over, noise, noise.subarray(0, 5_000)].map((bytes) => () => drawAnew(bytes))
  },
  pdf: () =>
    [
      `%PDF-1.7\n${'4 0 obj <</N 1/First 1>> stream\n'.repeat(6_000)}${' '.repeat(300_000)}`,
      full('pdf', '/a', { before: '%PDF-1.7\n' }),
      full('pdf', 'trailer <</Root 1 0 R ', { before: '%PDF-1.7\n' }),
    ].map((text, at) => () => rebuildPdf(Buffer.from(text), `account-${at}`)),
}

function names(count: number, length: number): [string, number][] {
  return Array.from({ length: count }, (_, at) => [`${'k'.repeat(length - 5)}${at}`, at])
}

/** The longest that other work waited, in milliseconds. */
async function longestTurn(parse: Parse): Promise<number> {
  let longest = 0
  let last = performance.now()
  let isDone = false
  const turn = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  await new Promise((resolve) => setImmediate(resolve))
  longest = 0
  try {
    await parse()
  } catch {
    // Refused, which is as good.
  }
  isDone = true
  turn()
  return longest
}

/** Of several tries the best: what else runs on the machine makes some of them slow. */
async function bestOf(tries: number, measure: () => Promise<number>, enough = 1): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let at = 0; at < tries && best > enough; at++) best = Math.min(best, await measure())
  return best
}

/** How much slower this machine is at the moment than one on which the same work takes twelve milliseconds. */
async function slowness(): Promise<number> {
  const bytes = Buffer.alloc(1_000_000, 'a')
  const work = () => {
    for (let at = 0; at < 4; at++) JSON.parse(JSON.stringify({ text: bytes.toString('latin1') }))
    deflateSync(bytes.subarray(0, 100_000))
  }
  return Math.max(1, (await bestOf(2, () => longestTurn(work))) / 12)
}

test.each((Object.keys(parsers) as ParserName[]).map((name) => [parsers[name].title, name] as const))(
  '%s: the worst input holds up nobody',
  async (_title, name) => {
    const isElsewhere = 'elsewhereMsMax' in parsers[name]
    const parses = slice(await worst[name](), isElsewhere ? 1 : 3)

    // Elsewhere, what is measured is the rest of the machine, and the beginning of a thread.
    const most = turnMsMax * (isElsewhere ? 10 : 2)
    const turns: number[] = []
    for (const parse of parses) {
      // Divided by the pace right after it: another process may have come in between.
      const measure = async () => (await longestTurn(parse)) / (await slowness())
      turns.push(await bestOf(isElsewhere ? 3 : 20, measure, most))
    }

    expect(turns.filter((turn) => turn > most)).toEqual([])
  },
  60_000,
)
