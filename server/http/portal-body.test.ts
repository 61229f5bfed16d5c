/** How much a form of the portal may send, and where more. */
import { expect, test } from 'vitest'
import { limits } from '../contract/http/limits.ts'
import { readPortalBody } from './portal-body.ts'

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
