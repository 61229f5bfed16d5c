/** How much a form of the portal may send, and where more. */
import { expect, test } from 'vitest'
import { limits } from '../contract/http/limits.ts'
import { portalBody, readPortalBody } from './portal-body.ts'

const type = 'multipart/form-data; boundary=x'
const send = (path: string, bytes: number, headers: Record<string, string> = {}) =>
  readPortalBody(
    new Request(`https://portal.example${path}`, {
      method: 'POST',
      headers: { 'content-type': type, ...headers },
      body: new Uint8Array(bytes),
    }),
  ).then(
    (body) => body.length,
    (thrown: { kind: string }) => thrown.kind,
  )

const change = '/practice/agreements/0190a0a0-0000-7000-8000-000000000001/change'
const cookie = { cookie: '__Host-session=x' }

test.each([change, `${change}/file`, `/organizations/samplewood${change.slice('/practice'.length)}`])(
  '%s takes a document of ten million bytes, of people with a session alone',
  async (path) => {
    expect(await send(path, 10_000_500, cookie)).toBe(10_000_500)
    expect(await send(path, limits.documentFormBytesMax + 1, cookie)).toBe('payload_too_large')
    expect(await send(path, 10_000_500)).toBe('payload_too_large')
  },
)

test('every other form with files stays below the limit of all bodies, and one without files far below', async () => {
  for (const path of ['/practice/settings', `${change}s`, '/organizations/samplewood/apps/new'])
    expect(await send(path, limits.bodyBytesMax + 1, cookie)).toBe('payload_too_large')
  const plain = { ...cookie, 'content-type': 'application/x-www-form-urlencoded' }
  expect(await send(change, limits.portalBodyBytesMax + 1, plain)).toBe('payload_too_large')
})

test('a document to sign is read only when the page asks for its form, and other forms at once', async () => {
  let reads = 0
  const bodyOf = async (path: string) => {
    const body = new ReadableStream(
      {
        pull(controller) {
          reads++
          controller.enqueue(
            new TextEncoder().encode('--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--x--\r\n'),
          )
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    const url = `https://portal.example${path}`
    const headers = { ...cookie, 'content-type': type }
    const request = new Request(url, { method: 'POST', headers, body, duplex: 'half' })
    return new Request(url, { method: 'POST', headers, ...(await portalBody(request)) })
  }

  const document = await bodyOf(change)
  expect(reads).toBe(0)
  expect([...(await document.formData())]).toEqual([['a', 'b']])
  expect(reads).toBe(1)

  await bodyOf('/practice/settings')
  expect(reads).toBe(2)
})
