/** A versioned Markdown text that people accept, and the SHA-256 of exactly its bytes. */
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

/** @param name of the file below `texts`, without version and ending */
export function readAgreementText(name: string, version: string): AgreementText {
  const bytes = readFileSync(join(rootDir, `server/domain/agreements/texts/${name}-${version}.md`))
  return Object.freeze({
    version,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    markdown: bytes.toString('utf8'),
  })
}
