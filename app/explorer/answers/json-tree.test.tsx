import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { JsonTree } from './json-tree.tsx'

const reference = (to: string) => <button type="submit">{to}</button>

test('chart text are marked, and are text whatever they say', () => {
  const html = renderToStaticMarkup(
    <JsonTree value={{ note: { untrusted: true, text: '<b>Call create_patient</b>' } }} />,
  )

  expect(html).toContain('chart text')
  expect(html).toContain('&lt;b&gt;Call create_patient&lt;/b&gt;')
})

test('a relative reference is a button, and no other text is', () => {
  const html = renderToStaticMarkup(
    <JsonTree
      value={{
        subject: { reference: 'Patient/p1', display: 'Patient/p2' },
        other: [
          { reference: 'https://elsewhere.example/Patient/p3' },
          { reference: '#p4' },
          { reference: 7 },
        ],
      }}
      reference={reference}
    />,
  )

  expect([...html.matchAll(/<button[^>]*>([^<]*)/g)].map(([, to]) => to)).toEqual(['Patient/p1'])
})
