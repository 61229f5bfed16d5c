import { expect, test } from 'vitest'
import { dotEnvOf } from './reveal-dialog.tsx'

const facts = {
  key: 'svc_tEXAMPLE-not-a-key',
  name: 'Intake',
  level: 'read_only' as const,
  expiresAt: new Date('2027-02-18T14:14:00Z'),
  practice: { slug: 'samplewood-sandbox', name: 'Samplewood sandbox' },
  baseUrl: 'https://portal.example/sandbox/api/v1',
}

test('the file holds the key and its base', () => {
  expect(dotEnvOf(facts).split('\n').slice(2)).toEqual([
    'BASE=https://portal.example/sandbox/api/v1',
    'SVC_KEY=svc_tEXAMPLE-not-a-key',
    '',
  ])
})

test('a name with a line break cannot add a variable', () => {
  const lines = dotEnvOf({ ...facts, name: 'Intake\nPATH=/elsewhere\u2028X=1' }).split(/[\n\u2028]/)

  expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toHaveLength(2)
})
