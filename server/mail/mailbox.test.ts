import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type TestServices, testServices } from '../../tests/support/services.ts'

async function write({ prisma, mail }: TestServices): Promise<string> {
  const id = randomUUID()
  await prisma.$transaction((tx) =>
    mail.enqueue(tx, {
      template: 'password-reset',
      to: 'robin@samplewood.example',
      props: { name: 'Robin Testwell', expiresAt: '2026-11-20T18:00:00.000Z' },
      links: { resetUrl: '/reset-password#token=abc' },
      id,
    }),
  )
  return id
}

test('without a mail server a newcomer finds the mail in the local mailbox, once, with a link that works', async () => {
  const environment = { SMTP_URL: '', PUBLIC_ORIGIN: 'http://localhost:3000' }
  const services = await testServices({ template: 'schema', environment })
  const id = await write(services)

  expect(await services.mail.deliver(id, { workerId: 'pool-a' })).toBe('sent')

  const [listed, ...more] = (await services.mail.mailbox?.list({ limit: 10 })) ?? []
  expect(more).toEqual([])
  expect(listed).toMatchObject({
    to: 'robin@samplewood.example',
    subject: 'Choose a new password',
    template: 'password-reset',
  })
  const mail = await services.mail.mailbox?.get(listed?.id ?? '')
  expect(mail?.text).toContain('http://localhost:3000/reset-password#token=abc')
  expect(mail?.html).toContain('http://localhost:3000/reset-password#token=abc')
  expect(mail?.headers['Message-ID']).toBe(`<${id}@localhost>`)
  expect(await services.mail.mailbox?.get('nonsense')).toBeNull()
  expect(await services.mail.mailbox?.get(randomUUID())).toBeNull()
})

test('with a mail server there is no mailbox to read', async () => {
  const services = await testServices({ template: 'schema' })

  expect(services.mail.mailbox).toBeUndefined()
})
