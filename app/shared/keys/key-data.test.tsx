import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { KeyData } from './key-data.tsx'

test('a key from before data classes reads everything in the record, for any purpose', () => {
  const shown = renderToStaticMarkup(<KeyData of={{ dataClasses: [], purposes: [] }} />)

  expect(shown).toContain('Data: Everything in the record')
  expect(shown).toContain('Purposes: any')
})
