import { expect, it } from 'vitest'
import { fileRules, findFileFault, isChosenFile } from './files.ts'

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
const padded = (start: string, length: number) => {
  const all = new Uint8Array(length)
  all.set(bytes(start))
  return all
}

it.each([
  ['agreement', '%PDF-1.7', null],
  ['agreement', 'PK\x03\x04', 'Use a PDF file.'],
  ['agreement', '%PD', 'Use a PDF file.'],
  ['logo', '\x89PNG\r\n\x1a\n', null],
  ['logo', '\xff\xd8\xff\xe0', null],
  ['logo', 'RIFF1234WEBP', null],
  ['logo', 'RIFF1234WAVE', 'Upload a PNG, JPEG or WebP image.'],
  ['logo', 'GIF89a', 'Upload a PNG, JPEG or WebP image.'],
  ['document', 'anything', null],
] as const)('judges a %s by its first bytes: %j', (rule, content, fault) => {
  expect(findFileFault(fileRules[rule], bytes(content))).toBe(fault)
})

it.each(['agreement', 'logo', 'document'] as const)('refuses an empty file as a %s', (rule) => {
  expect(findFileFault(fileRules[rule], new Uint8Array())).toBe('The file is empty. Choose another file.')
})

it('takes a file of the largest size, and names the limit for one byte more', () => {
  const { agreement, logo } = fileRules

  expect(findFileFault(agreement, padded('%PDF-', 10_000_000))).toBeNull()
  expect(findFileFault(agreement, padded('%PDF-', 10_000_001))).toBe('Use a file of at most 10 MB.')
  expect(findFileFault(logo, padded('\xff\xd8\xff', 524_289))).toBe('The file is larger than 512 kB.')
})

it('tells an empty file that was chosen from no choice', () => {
  expect(isChosenFile(new File([], 'empty.pdf'))).toBe(true)
  expect(isChosenFile(new File([], ''))).toBe(false)
  expect(isChosenFile('text')).toBe(false)
  expect(isChosenFile(null)).toBe(false)
})
