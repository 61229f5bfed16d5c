import { describe, expect, test } from 'vitest'
import { endOfPrefix, fold, foldedLengthMax } from './fold.ts'

describe('fold', () => {
  test.each([
    ['Testwell', 'testwell'],
    ['  Núñez-O’Brien, Zoë ', 'nunez obrien zoe'],
    ['Łukasz Próbnik', 'lukasz probnik'],
    ['Straße', 'strasse'],
    ['STRASSE', 'strasse'],
    ['İpek', 'ipek'],
    ['ｗｒｅｎ', 'wren'],
    ['試験 花子', '試験 花子'],
    ['テスト', 'テスト'],
    ['한국', '한국'],
    ['SYN-004217', 'syn 004217'],
    ['a\u0000b', 'a b'],
    [' ,.- ', ''],
  ])('%j becomes %j', (text, folded) => {
    expect(fold(text)).toBe(folded)
  })

  test('folding twice changes nothing', () => {
    for (const text of ['Ångström', 'Đặng', 'ΐ', 'Ὀδυσσεύς', 'ﬁ', '㋿', 'DŽ']) {
      expect(fold(fold(text))).toBe(fold(text))
    }
  })

  test('a very long name is cut between characters', () => {
    const folded = fold('𠮷'.repeat(500))

    expect(Array.from(folded)).toHaveLength(foldedLengthMax)
    expect(folded.replaceAll('𠮷', '')).toBe('')
  })
})

test('the end of a prefix lies after everything that begins with it', () => {
  expect(endOfPrefix('te') > 'te\u{10fffe}').toBe(true)
  expect(endOfPrefix('te') < 'tf').toBe(true)
})
