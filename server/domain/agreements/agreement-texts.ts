/** The published templates, by name. */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgreementKind } from '../../contract/workflows/agreements.ts'
import { rootDir } from '../../root-dir.ts'
import { createPageWriter } from './pdf/page-writer.ts'
import { writeMarkdown } from './pdf/write-markdown.ts'

const templateNames = {
  'usage-agreement': 'Usage agreement',
  'usage-policy': 'Usage policy',
  'sandbox-terms': 'Sandbox terms',
  baa: 'Business associate agreement',
} as const
export type TemplateName = keyof typeof templateNames

const published: Readonly<Record<TemplateName, string>> = {
  'usage-agreement': '1.0',
  'usage-policy': '1.0',
  'sandbox-terms': '1.0',
  baa: '1.2',
}

const templateOfKind = { usage_agreement: 'usage-agreement', baa: 'baa' } as const

/** The date in every template's PDF, so that its bytes stay the same. */
const publishedAt = new Date('2026-11-22T00:00:00Z')

export type AgreementTexts = Readonly<{
  list(): readonly { name: TemplateName; title: string; version: string; sha256: string }[]
  /** The text with the names of the fields in brackets. */
  preview(name: TemplateName): string
  toPdf(name: TemplateName): Promise<Readonly<{ fileName: string; bytes: Uint8Array }>>
  get(name: TemplateName): AgreementText
  of(kind: AgreementKind): { name: TemplateName; text: AgreementText }
}>

/** @param changes texts that replace published ones, for tests of a new version */
export function createAgreementTexts(changes: Partial<Record<TemplateName, AgreementText>> = {}) {
  const texts = new Map<TemplateName, AgreementText>()
  for (const name of Object.keys(published) as TemplateName[])
    texts.set(name, changes[name] ?? readAgreementText(name, published[name]))
  const get = (name: TemplateName) => {
    const text = texts.get(name)
    if (!text) throw new Error(`no template is called ${name}`)
    return text
  }
  const preview = (name: TemplateName) =>
    get(name).markdown.replace(
      /\{\{([a-zA-Z0-9]+)\}\}/g,
      (_, field: string) => `[${field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}]`,
    )
  const files = new Map<TemplateName, Promise<Uint8Array>>()
  async function draw(name: TemplateName): Promise<Uint8Array> {
    const { version, sha256 } = get(name)
    const footer = `Template for counsel · ${name} ${version} · ${sha256.slice(0, 16)}…`
    const writer = createPageWriter({ title: templateNames[name], at: publishedAt, footer })
    writeMarkdown(writer, preview(name))
    return writer.finish()
  }
  return {
    get,
    preview,
    list: () =>
      (Object.keys(published) as TemplateName[]).map((name) => ({
        name,
        title: templateNames[name],
        version: get(name).version,
        sha256: get(name).sha256,
      })),
    async toPdf(name: TemplateName) {
      const file = files.get(name) ?? draw(name)
      files.set(name, file)
      return { fileName: `${name}-${get(name).version}.pdf`, bytes: await file }
    },
    of: (kind: AgreementKind) => ({ name: templateOfKind[kind], text: get(templateOfKind[kind]) }),
  }
}

// Versioned Markdown texts that people accept, each with the SHA-256 of its bytes.

export type AgreementText = Readonly<{
  version: string
  /** The hash of the UTF-8 bytes, in lower-case hex. */
  sha256: string
  markdown: string
}>

/** @param name the name of the file in `texts`, without version and extension */
function readAgreementText(name: string, version: string): AgreementText {
  const bytes = readFileSync(join(rootDir, `server/domain/agreements/texts/${name}-${version}.md`))
  return Object.freeze({
    version,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    markdown: bytes.toString('utf8'),
  })
}

// The published terms of registrations, and the policy that binds us.

export function createRegistrationTexts() {
  const terms = readAgreementText('registration-terms', '1.0')
  const policy = readAgreementText('registration-policy', '1.0')
  return {
    /** Every submission accepts these terms, by version and hash. */
    terms: () => terms,
    policy: () => policy,
  }
}

export type RegistrationTexts = ReturnType<typeof createRegistrationTexts>
