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

test('without a script everything is there, and long lists are folded', () => {
  const list = Array.from({ length: 30 }, (_, place) => ({ id: `r${place}` }))

  const html = renderToStaticMarkup(<JsonTree value={{ entry: list, none: [], nothing: {}, empty: null }} />)

  for (const { id } of list) expect(html).toContain(`&quot;${id}&quot;`)
  expect(html.match(/<details open=""/g)).toHaveLength(1)
  expect(html).toContain('[]')
  expect(html).toContain('{}')
})

test('what is folded shows its first plain value beside it', () => {
  const html = renderToStaticMarkup(
    <JsonTree value={{ data: { problems: [{ code: 7, text: 'Asthma', status: 'active' }] } }} />,
  )

  expect(html).toMatch(/<summary>.{0,80}\{3\}<\/span> <span class="s">&quot;Asthma&quot;<\/span><\/summary>/)
})
