/**
 * The two tracks are never mixed: no page or mail that somebody meets on the way of a FHIR app, or of its bulk exports,
 * says a word of what a production REST key needs.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { rootDir } from '../../root-dir.ts'

const otherTrack = /sponsor|vouch|\bBAA\b|business associate|usage agreement|profit share|revenue share/i

/** Of the FHIR track: whole folders, and single pages of areas that serve both tracks. */
const folders = [
  'app/authorize',
  'app/developers/apps',
  'app/developers/registrations',
  'app/patient',
  'app/review/registrations',
  'app/shared/consent',
  'app/shared/exports',
  'app/shared/registrations',
]
const pages = [
  'app/practice/access/exports.route.tsx',
  'app/account/allowed-apps.route.tsx',
  'app/practice/requests/systems.route.tsx',
  'app/practice/settings.route.tsx',
  'app/public/directory.route.tsx',
  'app/public/registration.route.tsx',
]
const mails = ['registration', 'system-', 'review-']

const all = (folder: string, starts: readonly string[]) =>
  readdirSync(join(rootDir, folder), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && starts.some((start) => file.name.startsWith(start)))
    .filter(({ name }) => !name.includes('.test.'))
    .map(({ parentPath, name }) => relative(rootDir, join(parentPath, name)))

/** As the tests of the emails keep them. */
function mailTexts(): (readonly [name: string, text: string])[] {
  const kept = readFileSync(join(rootDir, 'emails/__snapshots__/registry.test.ts.snap'), 'utf8')
  return kept.split('exports[`the mail ').flatMap((text) => {
    const name = text.slice(0, text.indexOf(' '))
    return mails.some((start) => name.startsWith(start)) ? [[name, text] as const] : []
  })
}

test('no page or mail of a FHIR app says a word of what a production key needs', () => {
  const files = [
    ...folders.flatMap((folder) => all(folder, [''])),
    ...pages,
    ...all('emails/templates', mails),
    ...all('server/domain/agreements/texts', ['registration']),
    'server/contract/workflows/registration-workflow.ts',
    'server/contract/workflows/registration-checks.ts',
    'server/contract/workflows/registration-form.ts',
  ]

  const sent = mailTexts()
  const texts = [...sent, ...files.map((file) => [file, readFileSync(join(rootDir, file), 'utf8')] as const)]

  const found = texts.flatMap(([name, text]) => {
    const word = otherTrack.exec(text)?.[0]
    return word === undefined ? [] : [`${name}: ${word}`]
  })

  expect(sent.length).toBeGreaterThan(20)
  expect(files.length).toBeGreaterThan(45)
  expect(found).toEqual([])
})
