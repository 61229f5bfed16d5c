/**
 * The code on the page of an app takes a fresh organization's own app to a token, and the token to a record: run step
 * by step as it is shown, in every language that every machine has (JavaScript alone in `npm test`), and in Java where it is installed.
 */
import { describe, expect, test } from 'vitest'
import { type SmartStep, stepsOf, workOf } from '../../server/contract/lab/smart-snippets.ts'
import { runsAll } from '../support/slice.ts'
import { type SnippetKind, snippetApps, snippetKinds, walkSteps } from '../support/smart-snippet-apps.ts'
import { codeRunner, hasJava, partsOf, pythonSigns, ranLanguages } from '../support/smart-snippets.ts'

const lab = snippetApps()
const run = codeRunner()
const [signsInPython, isJavaHere] = await Promise.all([pythonSigns(), hasJava()])

const languages = runsAll
  ? [...ranLanguages, ...(isJavaHere ? (['java'] as const) : [])]
  : (['javascript'] as const)

const title = (kind: SnippetKind) =>
  (kind === 'key' || kind === 'backend') && !signsInPython
    ? '%s code gets a token, reads and gives it up (Python has no PyJWT here: JavaScript signs for it)'
    : '%s code gets a token, reads and gives it up'

describe.each(snippetKinds)('for an app of the kind %s', (kind) => {
  test.each(languages)(title(kind), async (language) => {
    const { app, variables, codeOf } = await lab.makeApp(kind)
    const done: SmartStep[] = []

    const { record } = await walkSteps(lab, { app, variables }, async (step) => {
      const by = step === 'assertion' && language === 'python' && !signsInPython ? 'javascript' : language
      const before = lab.received.length
      const printed = await run(by, codeOf(step, by), variables)
      const work = workOf(step, app)
      if (work.kind === 'request') expect(lab.sentSince(before, work, variables)).toEqual(partsOf(work))
      done.push(step)
      return printed
    })

    expect(record).toMatchObject({ resourceType: 'Patient', id: 'pt-wren-testwell' })
    expect(stepsOf(app).filter((step) => !done.includes(step))).toEqual([])
    const again = await fetch(`${app.addresses.fhirBase}/Patient/pt-wren-testwell`, {
      headers: { authorization: `Bearer ${variables.ACCESS_TOKEN}` },
    })
    expect(again.status).toBe(401)
  })
})
