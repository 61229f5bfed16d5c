import fc from 'fast-check'
import { expect, test } from 'vitest'
import { el, text } from './xml.ts'

test('what would end or open an element is escaped, in text and in attributes', () => {
  expect(el('a', { b: '"<&>"' }, text(']]> <b> & "'))).toBe(
    '<a b="&quot;&lt;&amp;&gt;&quot;">]]&gt; &lt;b&gt; &amp; "</a>',
  )
})

test('white space in an attribute is kept, what XML forbids is replaced', () => {
  expect(el('a', { b: 'x\ny\tz' }, text('a\r\u0000b\ufffe'))).toBe(
    '<a b="x&#10;y&#9;z">a&#13;\ufffdb\ufffd</a>',
  )
  expect(text('\ud83d')).toBe('\ufffd')
  expect(text('🐦')).toBe('🐦')
})

test('an attribute without a value and a child that is none are left out', () => {
  expect(el('a', { b: undefined, c: null, d: false }, null, false, [undefined, text('')])).toBe(
    '<a d="false"/>',
  )
})

test('no text gets a character into a document that XML does not allow', () => {
  // https://www.w3.org/TR/xml/#charsets
  const allowed = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (given) => {
      const written = el('a', { b: given }, text(given))
      return allowed.test(written) && !/[<&](?!\/?a[ >/]|amp;|lt;|gt;|quot;|#\d+;)/.test(written)
    }),
    { seed: 10 },
  )
})
