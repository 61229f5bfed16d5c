/** The page /dev/components shows every component of the kit. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { rootDir } from '../../server/root-dir.ts'
import { listTrackedFiles } from '../support/tracked-files.ts'

/** Components that have no place of their own on it, and why. */
const shownOtherwise: Readonly<Record<string, string>> = {
  FieldFault: 'every field draws it, and the page has fields with faults',
  HiddenField: 'draws nothing',
  KeepInput: 'draws nothing until somebody leaves a form: tests/journeys/forms-kept.spec.ts',
  MadeUpNote: 'a landmark on top of the page itself',
  TextWarning: 'drawn by a field after its form was refused: tests/journeys/pages.spec.ts',
}

const files = listTrackedFiles()
const text = (file: string) => readFileSync(join(rootDir, file), 'utf8')
const page = files
  .filter((file) => /^app\/dev\/(gallery.*|components\.route)\.tsx$/.test(file))
  .map(text)
  .join('\n')
const components = files
  .filter((file) => /^app\/components\/ui\/[^/]+\.tsx$/.test(file) && !file.endsWith('.test.tsx'))
  .flatMap((file) =>
    [...text(file).matchAll(/^export (?:default )?function ([A-Z]\w+)/gm)].map(([, name = '']) => name),
  )

it('shows each component of the kit, or says where else it is seen', () => {
  const shown = (name: string) => new RegExp(`<${name}[\\s/>]`).test(page)
  expect(components.length).toBeGreaterThan(30)
  expect(components.filter((name) => !shown(name) && !(name in shownOtherwise))).toEqual([])
  expect(Object.keys(shownOtherwise).filter((name) => shown(name) || !components.includes(name))).toEqual([])
})
