/** Against real local servers on https; only names and the port are not what they are elsewhere. */
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { makeCertificate } from '../../tests/support/certificate.ts'
import { demonstrationDomains, demonstrationPaths } from '../contract/lab/demonstration-sites.ts'
import { parseEnv } from '../env.ts'
import { isPublicAddress } from './address-guard.ts'
import { answerForDemonstration, demonstrationAnswers } from './demonstration-sites.ts'
import { createOutbound, readLocalHosts } from './outbound.ts'

const asked: string[] = []
const { key, cert } = makeCertificate(['app.example', 'other.example'])

const server: Server = createServer({ key, cert }, (request, response) => {
  asked.push(`${request.headers.host}${request.url}`)
  const url = new URL(request.url ?? '', 'https://app.example')
  const to = url.searchParams.get('to')
  if (url.pathname === '/redirect' && to) response.writeHead(302, { location: to }).end()
  else if (url.pathname === '/large') response.end('x'.repeat(262_145))
  else if (url.pathname === '/never') response.flushHeaders()
  else response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'max-age=5' }).end('{}')
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const port: number = (server.address() as AddressInfo).port

afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const here = async () => ['127.0.0.1']

function outbound(options: Parameters<typeof createOutbound>[0] = {}) {
  return createOutbound({ resolve: here, isAllowed: () => true, connection: { ca: cert, port }, ...options })
}

async function failureOf(work: Promise<unknown>): Promise<{ message: string; detail: string }> {
  try {
    await work
  } catch (error) {
    return error as { message: string; detail: string }
  }
  throw new Error('it was fetched')
}

test('what is public is fetched, with its headers', async () => {
  const answer = await outbound().get('https://app.example/jwks.json')

  expect(answer).toMatchObject({ status: 200, contentType: 'application/json' })
  expect(answer.headers['cache-control']).toBe('max-age=5')
  expect(Buffer.from(answer.body).toString()).toBe('{}')
  expect(asked.at(-1)).toBe('app.example/jwks.json')
})

describe('the websites of a demonstration', () => {
  const nobody = async () => {
    throw new Error('a name was resolved')
  }
  const fetcher = outbound({ answerFor: answerForDemonstration, resolve: nobody })

  test('answer for each of its organizations without a connection', async () => {
    for (const domain of demonstrationDomains)
      for (const path of demonstrationPaths)
        expect((await fetcher.get(`https://${domain}${path}`)).status, path).toBe(200)
    const keys = await fetcher.get('https://quillhaven.example/jwks.json')
    expect(JSON.parse(Buffer.from(keys.body).toString()).keys[0]).not.toHaveProperty('d')
    expect((await fetcher.get('https://larkfield.example/elsewhere')).status).toBe(404)
  })

  test.each([
    'https://other.example/privacy',
    'https://sub.larkfield.example/privacy',
    'https://larkfield.example.evil.test/privacy',
    'https://larkfield.example./privacy',
  ])('answer for no other host: %s', async (address) => {
    expect((await failureOf(fetcher.get(address))).message).toBe('The URL could not be fetched.')
  })

  test.each([
    'http://larkfield.example/',
    'https://larkfield.example:8443/',
    'https://a:b@larkfield.example/',
  ])('are held to the rules of every address: %s', async (address) => {
    await failureOf(fetcher.get(address))
  })

  test('are there for the embedded database on an origin of this machine alone', () => {
    const embedded = {
      DATABASE_URL: 'postgresql://embedded/sandpiper',
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
      SANDPIPER_EMBEDDED: '1',
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'no-reply@portal.example',
    }
    const answers = (environment: Record<string, string>) =>
      demonstrationAnswers(parseEnv({ ...embedded, ...environment })) !== undefined

    expect(answers({})).toBe(true)
    expect(answers({ PUBLIC_ORIGIN: 'https://portal.example' })).toBe(false)
    expect(answers({ TRUSTED_PROXY_CIDRS: '127.0.0.1/32' })).toBe(false)
    expect(answers({ SANDPIPER_EMBEDDED: '0', PUBLIC_ORIGIN: 'http://localhost:3000' })).toBe(false)
  })
})

test('a name is asked once, and the connection goes to that very address', async () => {
  let times = 0
  const resolve = async () => [++times === 1 ? '127.0.0.1' : '10.0.0.1']

  expect((await outbound({ resolve }).get('https://app.example/x')).status).toBe(200)
  expect(times).toBe(1)
})

describe('refused is, with one vague reason,', () => {
  const urls: [string, string][] = [
    ['http://app.example/', 'not https'],
    ['https://app.example:8443/', 'not on port 443'],
    ['https://user:secret@app.example/', 'holds credentials'],
    ['file:///etc/passwd', 'not https'],
    ['not a url', 'not a URL'],
  ]

  test.each(urls)('%s', async (url, reason) => {
    expect(await failureOf(outbound().get(url))).toMatchObject({
      message: 'The URL could not be fetched.',
      detail: `outbound: ${reason}`,
    })
  })

  test('a name that leads to an address of our own, alone or among others', async () => {
    const before = asked.length
    for (const addresses of [['127.0.0.1'], ['93.184.216.34', '10.0.0.1'], []]) {
      const guarded = outbound({ resolve: async () => addresses, isAllowed: isPublicAddress })
      expect((await failureOf(guarded.get('https://app.example/'))).detail).toContain('not allowed')
    }
    expect(asked.length).toBe(before)
  })

  test('a redirect to such a name, to http, or without end', async () => {
    const to = (url: string) => `https://app.example/redirect?to=${encodeURIComponent(url)}`
    const resolve = async (name: string) => [name === 'app.example' ? '127.0.0.1' : '169.254.169.254']
    const guarded = outbound({ resolve, isAllowed: (address) => address === '127.0.0.1' })

    expect((await failureOf(guarded.get(to('https://metadata.example/')))).detail).toContain('not allowed')
    expect((await failureOf(guarded.get(to('http://app.example/')))).detail).toContain('not https')
    expect((await failureOf(guarded.get(to(to(to(to(to('https://app.example/')))))))).detail).toContain(
      'too many',
    )
    expect((await guarded.get(to('https://app.example/jwks.json'))).status).toBe(200)
  })

  test('an answer that is too large, or does not come', async () => {
    expect((await failureOf(outbound().get('https://app.example/large'))).detail).toContain('too large')
    expect((await failureOf(outbound({ withinMs: 50 }).get('https://app.example/never'))).detail).toContain(
      'too long',
    )
    const resolve = () => new Promise<never>(() => {})
    expect(
      (await failureOf(outbound({ resolve, withinMs: 50 }).get('https://app.example/'))).detail,
    ).toContain('too long')
  })

  test('a server that cannot prove to be the one of the name', async () => {
    expect((await failureOf(outbound().get('https://evil.example/'))).detail).toContain('ERR_TLS')
    expect(
      (await failureOf(outbound({ connection: { port } }).get('https://app.example/'))).detail,
    ).toContain('CERT')
  })
})

test('addresses of this machine, of private networks and of no network are told from public ones', () => {
  const ours =
    '127.0.0.1 0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 198.18.0.1 192.0.2.1 224.0.0.1 255.255.255.255 ::1 :: fe80::1 fc00::1 fd12::1 ff02::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::127.0.0.1 64:ff9b::7f00:1 2002:7f00:1::1 2001:db8::1 2001::1 127.1 localhost'
  const theirs = '93.184.216.34 1.1.1.1 172.32.0.1 2606:4700:4700::1111 2a00:1450:4001::1'

  expect(ours.split(' ').filter(isPublicAddress)).toEqual([])
  expect(theirs.split(' ').filter((address) => !isPublicAddress(address))).toEqual([])
})

test('a name of this machine leads to its port, with its certificate looked at, and no other name does', async () => {
  const localHosts = readLocalHosts(`app.example=${port}`)
  const resolve = async () => ['127.0.0.1']
  const guarded = outbound({ resolve, isAllowed: isPublicAddress, localHosts, connection: { ca: cert } })

  expect((await guarded.get('https://app.example/x', { readsBody: false })).status).toBe(200)
  expect((await failureOf(guarded.get('https://other.example/'))).detail).toContain('not allowed')
  const strict = outbound({ localHosts, connection: {} })
  expect((await failureOf(strict.get('https://app.example/'))).detail).toContain('CERT')
  expect(readLocalHosts(undefined).size).toBe(0)
})
