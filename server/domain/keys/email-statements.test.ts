import { expect, test } from 'vitest'
import { readStatements } from './mail-drafts.ts'

test.each([
  ['Technical contact: tech@samplewood.example', 'tech@samplewood.example'],
  ['technical contact - Kim Placeholder <Tech@Samplewood.example>', 'tech@samplewood.example'],
  [
    'Hello.\n* Technical contact email: Kim Placeholder, tech@samplewood.example.\nThanks',
    'tech@samplewood.example',
  ],
  ['Our technical contact: see tech@samplewood.example', null],
  ['Technical contact: to be named', null],
  ['Technical contact: a@b', null],
  ['tech@samplewood.example', null],
])('the technical contact in %j is %s', (text, contact) => {
  expect(readStatements(text).technicalContact).toBe(contact)
})

test.each([
  ['I accept the sandbox terms, version 1.0', '1.0'],
  ['We hereby accept the sandbox terms (version 2.1.3).', '2.1.3'],
  ['- I accept the sandbox terms v1', '1'],
  ['I do not accept the sandbox terms, version 1.0', null],
  ['Should I write: I accept the sandbox terms, version 1.0?', null],
  ['I accept the sandbox terms', null],
  ['I accept the terms, version 1.0', null],
])('the accepted version in %j is %s', (text, version) => {
  expect(readStatements(text).termsVersion).toBe(version)
})
