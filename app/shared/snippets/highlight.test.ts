/** Colors change no character of the code, and no code becomes an element. */
import { expect, test } from 'vitest'
import { highlight } from './highlight.server.ts'
import { plainCode } from './plain-code.ts'
import { snippetsFor } from './snippets.server.ts'

const call = {
  method: 'POST',
  url: 'https://rest.example/sandbox/api/v1/patients?name=O%27Neil&x=<script>',
  headers: [
    { name: 'Authorization', value: 'Bearer $SVC_KEY' },
    { name: 'Content-Type', value: 'application/json' },
  ],
  body: JSON.stringify({ name: '</span><script>alert("1")</script> & &lt; \' `x`' }),
}
const written = [
  ...snippetsFor(call).map(({ language, code }) => [language, code] as const),
  ['json', JSON.stringify({ text: '<b>&amp;</b>', number: 1, none: null }, null, 2)] as const,
  ['xml', '<?xml version="1.0"?><a b="c">d &amp; e<!-- f --></a>'] as const,
  ['unknown', '<script>"&\'</script>'] as const,
]

test.each(written)('%s is the same text again once the colors are taken off', (language, code) => {
  const html = highlight(code, language)

  expect(plainCode(html)).toBe(code)
  expect(html.replace(/<span class="[ksnc]">|<\/span>/g, '')).not.toMatch(/[<>]/)
  const opened = html.match(/<span/g)?.length ?? 0
  expect(html.match(/<\/span>/g)?.length ?? 0).toBe(opened)
  expect(opened > 0).toBe(language !== 'unknown')
})
