/** The Java code of an app's steps, run as it is shown by a Java that is installed; else compared with the table only. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { stepsOf, workOf } from '../../server/contract/lab/smart-snippets.ts'
import { snippetApps, snippetKinds, walkSteps } from '../support/smart-snippet-apps.ts'
import { differences, partsOf } from '../support/smart-snippets.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'sandpiper-java-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const lab = snippetApps()
const hasJava = await run('java', ['--source', '17', '--version']).then(
  () => true,
  () => false,
)

test.each(snippetKinds)(
  hasJava
    ? 'the Java code of an app of the kind %s gets a token, reads and gives it up'
    : 'no Java 17 is here: the Java code of an app of the kind %s says what the table says',
  async (kind) => {
    const { app, variables, codeOf } = await lab.makeApp(kind)
    for (const step of stepsOf(app))
      expect(differences(codeOf(step, 'java'), workOf(step, app)), step).toEqual([])
    if (!hasJava) return

    const { record } = await walkSteps(lab, { app, variables }, async (step) => {
      const code = codeOf(step, 'java')
      const [, name = ''] = /public class (\w+)/.exec(code) ?? []
      const file = join(folder, `${name}.java`)
      writeFileSync(file, code)
      const before = lab.received.length
      const { stdout } = await run('java', [file], { env: { ...process.env, ...variables } })
      const work = workOf(step, app)
      if (work.kind === 'request') expect(lab.sentSince(before, work, variables)).toEqual(partsOf(work))
      return stdout
    })

    expect(record).toMatchObject({ resourceType: 'Patient', id: 'pt-wren-testwell' })
  },
)
