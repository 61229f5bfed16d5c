import { expect, test } from 'vitest'
import { readMail } from './read-mail.ts'

const read = (...lines: string[]) => readMail(Buffer.from(lines.join('\r\n')))
const from = 'From: Kim Testwell <kim@clinic.example>'

test('the sender, the subject and the text are read', async () => {
  const mail = await read(
    from,
    'Message-ID: <1@clinic.example>',
    'Subject: =?utf-8?q?A_k=C3=A9y?=',
    '',
    'Hello',
  )

  expect(mail).toMatchObject({
    from: 'kim@clinic.example',
    messageId: '<1@clinic.example>',
    subject: 'A kéy',
  })
  expect(mail?.text.trim()).toBe('Hello')
})

test('an email in HTML only has no text', async () => {
  const mail = await read(from, 'Content-Type: text/html', '', '<p>Project: <b>Tidepath</b></p>')

  expect(mail?.text).toBe('')
})

test.each([
  ['two senders', 'From: a@clinic.example, b@clinic.example'],
  ['two From headers', `${from}\r\nFrom: b@clinic.example`],
  ['a sender without an address', 'From: Kim'],
  ['an answer of a machine', `${from}\r\nAuto-Submitted: auto-replied`],
  ['a mailing list', `${from}\r\nList-Id: <news.clinic.example>`],
  ['bulk mail', `${from}\r\nPrecedence: Bulk`],
])('%s: not read', async (_case, headers) => {
  expect(await read(headers, 'Subject: A key', '', 'Hello')).toBeNull()
})
