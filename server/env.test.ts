import { expect, test } from 'vitest'
import { EnvironmentError, findFormerSettings, parseEnv } from './env.ts'

const complete = {
  DATABASE_URL: 'postgresql://app@db.example/sandpiper',
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  PUBLIC_ORIGIN: 'https://portal.example',
  SMTP_URL: 'smtp://mail.example',
  MAIL_FROM: 'no-reply@portal.example',
}

function problemsOf(source: Record<string, string | undefined>): readonly string[] {
  try {
    parseEnv(source)
  } catch (error) {
    if (error instanceof EnvironmentError) return error.problems
    throw error
  }
  return []
}

test('everything that is missing is named at once, beside what is malformed', () => {
  expect([...problemsOf({})].sort()).toEqual([
    'DATABASE_URL is missing',
    'ENCRYPTION_KEYS is missing',
    'PUBLIC_ORIGIN is missing',
    'SMTP_URL is missing',
  ])
  expect(problemsOf({ PORT: 'x', PUBLIC_ORIGIN: 'http://portal.example' })).toHaveLength(6)
  expect(problemsOf({ ...complete, PUBLIC_ORIGIN: 'portal.example', SMTP_URL: undefined })).toHaveLength(2)
})

const local = { PUBLIC_ORIGIN: 'http://localhost:3000' }
const port = 'INBOUND_SMTP_PORT must be a port, or address:port'

test.each<[changes: Record<string, string | undefined>, problem?: string]>([
  [{ DATABASE_URL: '' }, 'DATABASE_URL is missing'],
  [{ SMTP_URL: undefined }, 'SMTP_URL is missing'],
  [{ MAIL_FROM: undefined }, 'MAIL_FROM is missing'],
  [{ PUBLIC_ORIGIN: undefined }, 'PUBLIC_ORIGIN is missing'],
  [{ PUBLIC_ORIGIN: 'http://portal.example' }, 'PUBLIC_ORIGIN must'],
  [{ PUBLIC_ORIGIN: 'https://portal.example/path' }, 'PUBLIC_ORIGIN must'],
  [{ PUBLIC_ORIGIN: 'https://me@portal.example' }, 'PUBLIC_ORIGIN must'],
  [{ PUBLIC_ORIGIN: 'portal.example' }, 'PUBLIC_ORIGIN must'],
  [{ DEMO: '1' }, 'DEMO is for an origin of this machine'],
  [{ DEMO: '1', ...local }],
  [{ WATCHED_URLS: 'academy=https://academy.example/, ai=off' }],
  [{ WATCHED_URLS: 'academy' }, 'WATCHED_URLS must be academy='],
  [{ WATCHED_URLS: 'portal=https://portal.example' }, 'WATCHED_URLS must be academy='],
  [{ WATCHED_URLS: 'ai=http://ai.example' }, 'WATCHED_URLS must be academy='],
  [{ INBOUND_SMTP_PORT: '2525' }],
  [{ INBOUND_SMTP_PORT: '[::]:2525' }],
  [{ INBOUND_SMTP_PORT: 'mail.internal:2525' }],
  [{ INBOUND_SMTP_PORT: '70000' }, port],
  [{ INBOUND_SMTP_PORT: ':2525' }, port],
  [{ INBOUND_SMTP_PORT: 'x' }, port],
])('%j: %s', (changes, problem) => {
  expect(problemsOf({ ...complete, ...changes })).toEqual(
    problem === undefined ? [] : [expect.stringContaining(problem)],
  )
})

test('what is missing is said with what to set', () => {
  const { message } = new EnvironmentError(problemsOf({}))

  for (const name of ['DATABASE_URL', 'ENCRYPTION_KEYS', 'PUBLIC_ORIGIN', 'SMTP_URL'])
    expect(message).toMatch(new RegExp(`- ${name} is missing\\. (Set it to|Make a key)`))
})

test('a malformed secret is refused without being repeated', () => {
  const [problem] = problemsOf({ ...complete, ENCRYPTION_KEYS: 'hunter2' })

  expect(problem).toContain('ENCRYPTION_KEYS')
  expect(problem).not.toContain('hunter2')
})

test('development pages exist neither with a database of one’s own nor behind a proxy', () => {
  const embedded = { ...complete, PUBLIC_ORIGIN: undefined, SANDPIPER_EMBEDDED: '1' }

  expect(parseEnv(embedded).developmentPages).toBe(true)
  expect(parseEnv({ ...embedded, TRUSTED_PROXY_CIDRS: '127.0.0.1/32' }).developmentPages).toBe(false)
  expect(parseEnv({ ...complete, ...local, DEMO: '1' }).developmentPages).toBe(false)
})

test('the sibling origins follow the public one until they are set', () => {
  const env = parseEnv({ ...complete, REST_ORIGIN: 'https://api.example' })

  expect(env.REST_ORIGIN).toBe('https://api.example')
  expect(env.FHIR_ORIGIN).toBe('https://portal.example')
})

test.each([
  [undefined, true],
  ['http://localhost:3000', true],
  ['http://127.0.0.1:3000', true],
  ['http://[::1]:3000', true],
  ['https://portal.example', false],
  ['https://localhost.portal.example', false],
  ['https://127.portal.example', false],
])('with the embedded database at the origin %s, development pages exist: %s', (PUBLIC_ORIGIN, exist) => {
  expect(parseEnv({ ...complete, PUBLIC_ORIGIN, SANDPIPER_EMBEDDED: '1' }).developmentPages).toBe(exist)
})

test.each([
  [undefined, 0],
  ['http://localhost:4100', 0],
  ['https://portal.example', 1],
])('with the embedded database and no mail server the origin %s has %i faults', (PUBLIC_ORIGIN, faults) => {
  const problems = problemsOf({ ...complete, PUBLIC_ORIGIN, SMTP_URL: undefined, SANDPIPER_EMBEDDED: '1' })

  expect(problems).toHaveLength(faults)
  for (const problem of problems) expect(problem).toContain('no one could read emails')
})

test('proxies are named by their networks; a count alone is refused with what to set', () => {
  const networks = (value: string) =>
    parseEnv({ ...complete, TRUSTED_PROXY_CIDRS: value }).TRUSTED_PROXY_CIDRS

  expect(networks('127.0.0.1, 10.0.0.0/8,2001:db8::/48')).toEqual([
    '127.0.0.1/32',
    '10.0.0.0/8',
    '2001:db8::/48',
  ])
  expect(parseEnv(complete).TRUSTED_PROXY_CIDRS).toBeUndefined()
  for (const value of [
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/33',
    '10.0.0.0/x',
    'proxy.example',
    '10.0.0.0/8/8',
    ',',
  ])
    expect(problemsOf({ ...complete, TRUSTED_PROXY_CIDRS: value })).toEqual([
      'TRUSTED_PROXY_CIDRS must be networks such as 127.0.0.1/32,2001:db8::/48, and not all of the Internet',
    ])
  const [problem] = problemsOf({ ...complete, TRUSTED_PROXY_HOPS: '1' })
  expect(problem).toContain('TRUSTED_PROXY_CIDRS is missing')
  expect(problemsOf({ ...complete, TRUSTED_PROXY_HOPS: '1', TRUSTED_PROXY_CIDRS: '127.0.0.1/32' })).toEqual(
    [],
  )
  expect(problemsOf({ ...complete, TRUSTED_PROXY_HOPS: '0' })).toEqual([])
})

const bucket = {
  S3_ENDPOINT: 'https://s3.example',
  S3_BUCKET: 'clinic',
  S3_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  S3_SECRET_ACCESS_KEY: 'teal-heron',
}

test('object storage needs all of its variables, and none of them lies in a message', () => {
  expect(problemsOf({ ...complete, ...bucket })).toEqual([])
  const problems = problemsOf({ ...complete, S3_SECRET_ACCESS_KEY: 'teal-heron', S3_PREFIX: '../x' })

  expect(problems.map((each) => each.split(' ')[0]).sort()).toEqual([
    'S3_ACCESS_KEY_ID',
    'S3_BUCKET',
    'S3_ENDPOINT',
    'S3_PREFIX',
  ])
  expect(problems.join()).not.toContain('teal-heron')
})

test('documents in object storage need an address of their own, beside exports', () => {
  const all = {
    ...bucket,
    S3_PREFIX: 'exports/',
    DOCUMENT_STORAGE: 's3',
    DOCUMENT_URL: 's3://clinic/documents',
  }
  const problems = (changes: Record<string, string | undefined>) =>
    problemsOf({ ...complete, ...all, ...changes })

  expect(parseEnv(complete).DOCUMENT_STORAGE).toBe('database')
  expect(problems({})).toEqual([])
  expect(problems({ DOCUMENT_URL: 's3://clinic-documents', S3_PREFIX: undefined })).toEqual([])
  expect(problems({ DOCUMENT_URL: undefined })).toEqual([
    'DOCUMENT_URL is missing: DOCUMENT_STORAGE=s3 needs an address such as s3://clinic-documents/sandpiper. Set it, or ' +
      'DOCUMENT_STORAGE=database',
  ])
  expect(problems({ DOCUMENT_URL: '/var/documents' })).toEqual([
    'DOCUMENT_URL must be an address such as s3://bucket/prefix',
  ])
  const { DOCUMENT_STORAGE, DOCUMENT_URL } = all
  expect(problemsOf({ ...complete, DOCUMENT_STORAGE, DOCUMENT_URL })).toEqual([
    expect.stringContaining('S3_ENDPOINT is missing: DOCUMENT_URL'),
  ])
  for (const DOCUMENT_URL of ['s3://clinic/exports', 's3://clinic', 's3://clinic/exports/documents'])
    expect(problems({ DOCUMENT_URL })).toEqual([
      expect.stringContaining('DOCUMENT_URL overlaps with S3_PREFIX'),
    ])
})

test('the address for requests of keys is at the domain of the sender of emails', () => {
  const address = (MAIL_FROM?: string) =>
    parseEnv({ ...complete, PUBLIC_ORIGIN: 'http://localhost:3000', MAIL_FROM }).keysAddress

  expect(address('no-reply@portal.example')).toBe('keys@portal.example')
  expect(address('Sandpiper <no-reply@clinic.example>')).toBe('keys@clinic.example')
  expect(address()).toBe('keys@sandpiper.example')
})

test('a setting of an earlier release is ignored, and named with what holds now', () => {
  const source = { ...complete, EXPORT_GZIP: 'no', ACADEMY_URL: 'x', KEYS_ADDRESS: '' }

  expect(problemsOf(source)).toEqual([])
  expect(findFormerSettings(source).map(([name]) => name)).toEqual(['ACADEMY_URL', 'EXPORT_GZIP'])
})
