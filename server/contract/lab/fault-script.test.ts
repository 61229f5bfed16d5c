import { expect, test } from 'vitest'
import { formatFaultStep, parseFaultHeader, parseFaultScript } from './fault-script.ts'
import { faultCodes } from './faults.ts'

const written = (script: string) => parseFaultScript(script).map(formatFaultStep)

test('a script is steps in order, each as often as it says', () => {
  expect(written('429*2, ok, 503;retry-after=7\nlatency')).toEqual([
    '429;retry-after=5',
    '429;retry-after=5',
    'ok',
    '503;retry-after=7',
    'latency;ms=5000',
  ])
})

test('faults of one export are joined', () => {
  expect(written('bulk-slow;minutes=2 + bulk-partial')).toEqual(['bulk-slow;minutes=2+bulk-partial'])
})

test('every fault is read as it is written', () => {
  for (const code of faultCodes) {
    const text = formatFaultStep(parseFaultHeader(code))

    expect(formatFaultStep(parseFaultHeader(text))).toBe(text)
  }
})

test.each([
  '',
  'ok',
  '418',
  '429;retry-after=0',
  '429;retry-after=121',
  '429;ms=5',
  '404;ms=5',
  '429*0',
  '429*51',
  '429,',
  '500+503',
  'bulk-partial+bulk-partial',
  '429;retry-after=5;retry-after=6',
  'constructor',
  '*3',
  '429*30,500*30',
  'latency;ms=-1',
  'latency;ms=30001',
  '٤٢٩',
])('%j is no script', (script) => {
  expect(() => parseFaultScript(script)).toThrow(
    expect.objectContaining({ kind: 'validation', field: 'script' }),
  )
})

test.each(['ok', '', '429,503', '429*2', 'nothing', '500+503'])('%j is no fault of a header', (text) => {
  expect(() => parseFaultHeader(text)).toThrow(
    expect.objectContaining({ kind: 'validation', field: 'X-Sandbox-Fault' }),
  )
})
