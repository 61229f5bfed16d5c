import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { WaitingOn } from './waiting-on.tsx'

const shown = (kind: 'app' | 'limits' | 'key_term', state: string) =>
  renderToStaticMarkup(<WaitingOn kind={kind} state={state} audience="patient" questions={0} />)

test('a request about a key shows its own steps, not those of an app', () => {
  for (const kind of ['limits', 'key_term'] as const) {
    expect(shown(kind, 'in_review')).toContain('Reviewer')
    expect(shown(kind, 'in_review')).not.toMatch(/Authorization server|Patients/)
  }
  expect(shown('app', 'in_review')).toMatch(/Authorization server.*Patients/s)
})

test('the last step of a request about a key is where it ends', () => {
  expect(shown('limits', 'enabled')).toMatch(/aria-current="step"><span><\/span><span><b>Key/)
})
