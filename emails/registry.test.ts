import { describe, expect, test } from 'vitest'
import { paths } from '../server/contract/portal/paths.ts'
import { checkNoSecret } from '../server/mail/mail.ts'
import { type MailName, mailNames, registry } from './registry.ts'
import { formatInstant, renderMail } from './render.tsx'

const origin = 'https://portal.example'
const token = 'a1b2c3d4e5'.repeat(5).slice(0, 43)

const renderExample = (name: MailName, changes: object = {}) =>
  renderMail(name, {
    props: { ...registry[name].example, ...changes },
    links: Object.fromEntries(registry[name].links.map((link) => [link, `${origin}/${link}#token=${token}`])),
    origin,
    zone: 'America/New_York',
    reference: '0f3c6a52-1f6e-4c1d-9a53-5d1d9f1f0a11',
  })

const wordsOf = (text: string) => text.split(/[\s:]+/).filter((word) => /^\p{L}+[.,]?$/u.test(word))

const textOfHtml = (html: string) =>
  html
    .replace(/<(style|title)\b.*?<\/\1>/gs, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#x27;', '’')
    .replaceAll('&amp;', '&')

describe.each(mailNames)('the mail %s', (name) => {
  test('reads as agreed', async () => {
    const { subject, text } = await renderExample(name)

    expect(`Subject: ${subject}\n\n${text}`).toMatchSnapshot()
  })

  test('says the same in both forms', async () => {
    const { html, text } = await renderExample(name)

    const shown = wordsOf(textOfHtml(html))
    const said = wordsOf(text)
    expect(said.length).toBeGreaterThan(30)
    expect(said.filter((word) => !shown.includes(word))).toEqual([])
  })

  test('says what to do, what happens otherwise, and which request it is about', async () => {
    const { text, html } = await renderExample(name)

    for (const part of ['What to do', 'If you do nothing', '0f3c6a52-1f6e-4c1d-9a53-5d1d9f1f0a11']) {
      expect(text).toContain(part)
      expect(html).toContain(part)
    }
    expect(text).toMatch(/https:\/\/portal\.example\//)
  })

  test('holds no secret, no exclamation mark, no shouting, and stays short', async () => {
    const { subject, html, text } = await renderExample(name)

    expect(() => checkNoSecret([subject, html, text])).not.toThrow()
    expect(text).not.toMatch(/!|\b[A-Z]{6,}\b/)
    expect(subject.length).toBeLessThanOrEqual(70)
    expect(html.length).toBeLessThan(30_000)
    expect(text.split('\n').filter((line) => line.length > 78 && !line.includes('https://'))).toEqual([])
  })

  test('shows the names that other people typed in quotation marks, whatever is in them', async () => {
    const typed = 'Security” Sandpiper: “confirm'
    const given = registry[name].example as Record<string, unknown>
    const typedFields =
      /^((app|key|organization|former|member|signatory|sponsor|by)Name|by|holder|(invited|requested|reported)By)$/
    const named = Object.keys(given).filter((key) => typedFields.test(key))
    const { subject, text } = await renderExample(name, Object.fromEntries(named.map((key) => [key, typed])))

    for (const shown of [subject, text.replace(/\s+/g, ' ')])
      for (const { index } of shown.matchAll(/Security’/g)) {
        expect(shown[index - 1], shown).toBe('“')
        expect(shown.slice(index), shown).toMatch(/^Security’[^“”]*”/)
      }
    expect(`${subject}${text}`).not.toMatch(/Security”|““/)
    expect(subject.length).toBeLessThanOrEqual(70)
  })

  test('loads nothing from anywhere', async () => {
    const { html } = await renderExample(name)

    expect(html).not.toMatch(/<img|<script|url\(|@import|<link|<iframe/i)
    for (const [, url] of html.matchAll(/href="([^"]+)"/g))
      expect(url).toMatch(/^https:\/\/portal\.example\//)
  })

  test('escapes what people typed', async () => {
    const nasty = '<img src=x onerror=alert(1)> & “Zoë” 試'
    const entries = Object.entries(registry[name].example).map(([key, value]) => [
      key,
      /name$/i.test(key) ? nasty : value,
    ])

    const { html, text } = await renderExample(name, Object.fromEntries(entries))

    expect(html).not.toContain('<img')
    if (text.includes('Zoë')) expect(html).toContain('Zoë')
  })
})

// One layout makes them all: with a link that works once, with a deadline, and with words that people wrote.
test.each(['key-claim', 'production-expiring', 'status-incident'] as const)(
  '%s looks as agreed',
  async (name) => {
    const { html } = await renderExample(name)

    await expect(`${html}\n`).toMatchFileSnapshot(`golden/${name}.html`)
  },
)

test.each([
  ['registration', '/staff/registrations/'],
  ['production_key', '/staff/production-keys/'],
])('a reviewer reads whose %s is due, and the link leads there', async (about, page) => {
  const { text } = await renderExample('review-escalation', { about, organizationName: 'Teal Heron Labs' })

  expect(text).toContain(`${origin}${page}`)
  expect(text).toMatch(/(?:by|developer): “Teal Heron Labs”/)
})

test('a mail without its link, or with props that do not fit, cannot be made', async () => {
  const input = { props: registry['key-claim'].example, links: {}, origin, zone: 'UTC', reference: 'r' }

  await expect(renderMail('key-claim', input)).rejects.toThrow('is missing its link claimUrl')
  await expect(renderMail('welcome', { ...input, props: { name: 'a\nb' } })).rejects.toThrow()
})

test('links to the portal lead to pages that exist', async () => {
  const known = new Set<string>(Object.values(paths).filter((path) => typeof path === 'string'))
  known.add(paths.organizationMembers('samplewood-health-apps'))
  known.add(paths.logs('samplewood-health-apps'))
  known.add(paths.registration('samplewood-health-apps', '01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01'))
  known.add(paths.reviewRegistration('01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01'))
  known.add(paths.productionKey('samplewood-health-apps', '01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01'))
  known.add(paths.practiceSponsorship('01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01'))
  known.add(paths.reviewProductionKey('01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01'))
  known.add(paths.agreement('samplewood-health-apps', '01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01'))
  known.add(paths.practiceAgreement('01937a5c-5d10-7c44-9e0a-3f1f6a0b5c01'))
  known.add('/r4/endpoints')

  for (const name of mailNames) {
    if (registry[name].links.length > 0) continue
    const { html } = await renderExample(name)
    for (const [, url] of html.matchAll(/href="([^"]+)"/g))
      expect(known, name).toContain(new URL(url ?? '').pathname)
  }
})

test('the token of a link stands in its fragment, which no server, proxy or log sees', () => {
  const made = Object.values(paths).map((path) => (typeof path === 'function' ? path(token, token) : path))
  const links = made.filter((path) => typeof path === 'string' && path.includes('token='))

  expect(links.length).toBeGreaterThanOrEqual(11)
  for (const link of links) expect(link).toMatch(/^[/a-z-]+#token=\w{43}$/)
})

test.each([
  ['2026-12-01T04:59:00.000Z', 'America/New_York', 'Mon 30 Nov 2026, 23:59 EST'],
  ['2026-07-01T04:00:00.000Z', 'America/New_York', 'Wed 1 Jul 2026, 00:00 EDT'],
  ['2026-03-08T07:00:00.000Z', 'America/New_York', 'Sun 8 Mar 2026, 03:00 EDT'],
  ['2026-11-20T17:00:00.000Z', 'UTC', 'Fri 20 Nov 2026, 17:00 UTC'],
])('%s in %s is written %s', (iso, zone, written) => {
  expect(formatInstant(iso, zone)).toBe(written)
})
