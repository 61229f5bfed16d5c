/** The sandbox terms in force: a versioned Markdown text and the SHA-256 of exactly its bytes. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootDir } from '../../root-dir.ts'

export type AgreementText = Readonly<{
  version: string
  /** Lower-case hex of the text's UTF-8 bytes. */
  sha256: string
  markdown: string
}>

const CURRENT_VERSION = '1.0'

export function createSandboxTerms() {
  const bytes = readFileSync(
    join(rootDir, `server/domain/agreements/texts/sandbox-terms-${CURRENT_VERSION}.md`),
  )
  const current: AgreementText = Object.freeze({
    version: CURRENT_VERSION,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    markdown: bytes.toString('utf8'),
  })
  return { current: () => current }
}

export type SandboxTerms = ReturnType<typeof createSandboxTerms>
