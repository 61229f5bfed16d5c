import { expect, test } from 'vitest'
import { markdownToHtml } from './markdown.server.ts'

test('headings, lists and links become HTML', () => {
  expect(markdownToHtml('# Terms\n\n1. one\n2. [two](/legal/two)')).toContain('<a href="/legal/two">two</a>')
})

test('HTML in the text stays text', () => {
  const html = markdownToHtml('before <script>alert(1)</script> after\n\n<img src=x onerror=alert(1)>')

  expect(html).not.toMatch(/<script|<img/)
})

test.each(['javascript:alert(1)', 'data:text/html,x', '//elsewhere.example'])(
  'a link to %s is no link',
  (address) => {
    expect(markdownToHtml(`[words](${address})`)).not.toContain('<a')
  },
)
