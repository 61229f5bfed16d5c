import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { signUpForm } from '../../server/contract/forms/account.ts'
import { pdfBusy } from '../../server/contract/forms/pdf-rules.ts'
import { Problem } from '../../server/contract/http/problems.ts'
import { readFields, readForm, runForm } from './submission.server.ts'

const post = (body: string) =>
  new Request('https://portal.example/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  })

const refused = { type: 'DataWithResponseInit', init: { status: 400 } }

test('the fields of a form are read', async () => {
  expect([...(await readFields(post('email=a%40b.example&intent=leave')))]).toEqual([
    ['email', 'a@b.example'],
    ['intent', 'leave'],
  ])
})

describe('a body that none of our forms sends is refused before a schema sees it', () => {
  test.each([
    'email[100000000]=x',
    'email[4294967294]=x',
    'a.b=x',
    '__proto__[x]=1',
    '__intent__=x',
    '=x',
    `${'n'.repeat(41)}=x`,
    'email=a%00@b.example',
  ])('%s', async (body) => {
    await expect(readForm(post(body), signUpForm)).rejects.toMatchObject(refused)
  })

  test('more fields than any form has', async () => {
    const body = Array.from({ length: 41 }, (_, index) => `a${index}=`).join('&')
    await expect(readFields(post(body))).rejects.toMatchObject(refused)
  })

  test('no form at all', async () => {
    const request = new Request('https://portal.example/', { method: 'POST', body: '{}' })
    await expect(readFields(request)).rejects.toMatchObject(refused)
  })
})

test('a field that cannot be read for now is answered with 503, the reason beside it, and when to try again', async () => {
  const busy = new Problem('unavailable', { message: pdfBusy, field: 'file', retryAfterSeconds: 60 })

  const answer = await runForm(post('file=x'), z.object({ file: z.string() }), () => Promise.reject(busy))

  expect(answer).toMatchObject({
    data: { lastResult: { fields: { file: pdfBusy } } },
    init: { status: 503, headers: { 'retry-after': '60' } },
  })
})
