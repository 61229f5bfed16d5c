/**
 * Cursors of next pages. They are encrypted, cannot be changed, and are bound to a practice, dataset and grant. A cursor
 * contains the query, so that parameters of a POST do not appear in a URL.
 */
import { z } from 'zod'
import { type FhirType, fhirTypeNumbers } from '../contract/fhir/registry.ts'
import { Problem } from '../contract/http/problems.ts'
import type { Keyring } from '../keyring.ts'

/** The only parameter of a `next` link. */
export const cursorParameter = '_cursor'

/** Programs follow a next link within minutes. */
const hoursValid = 24

export interface CursorContents {
  /** The path that the link is valid for, such as `Observation` or `Patient/pt-1/$everything`. */
  readonly path: string
  readonly parameters: readonly (readonly [name: string, value: string])[]
  readonly handling: 'strict' | 'lenient'
  readonly position: { readonly sort: string; readonly id: string; readonly type?: FhirType }
  /** The total of the first page. */
  readonly total: number
}

export interface CursorHolder {
  readonly grantId: string
  readonly clientId: string
  readonly practice: { readonly id: string; readonly datasetId: number }
}

const types = Object.keys(fhirTypeNumbers) as [FhirType, ...FhirType[]]

const sealedContents = z.strictObject({
  path: z.string(),
  parameters: z.array(z.tuple([z.string(), z.string()])),
  handling: z.enum(['strict', 'lenient']),
  position: z.strictObject({ sort: z.string(), id: z.string(), type: z.enum(types).optional() }),
  total: z.int(),
  expires: z.int(),
})

export function createCursors({
  keyring,
  clock,
}: {
  keyring: Pick<Keyring, 'seal' | 'open'>
  clock: () => Date
}) {
  /** @returns base64url */
  function seal(contents: CursorContents, holder: CursorHolder): string {
    const expires = clock().getTime() + hoursValid * 3_600_000
    const bytes = Buffer.from(JSON.stringify({ ...contents, expires }), 'utf8')
    return Buffer.from(keyring.seal(bytes, contextOf(holder))).toString('base64url')
  }

  /** @throws Problem `validation` for a changed or expired cursor, or one of another holder or path */
  function open(text: string, path: string, holder: CursorHolder): CursorContents {
    const contents = unseal(text, contextOf(holder))
    if (contents === null || contents.path !== path || contents.expires <= clock().getTime()) throw refused()
    const { expires: _, ...rest } = contents
    return rest as CursorContents
  }

  function unseal(text: string, context: string) {
    try {
      const bytes = Buffer.from(text, 'base64url')
      // Refuses other encodings of the same bytes.
      if (bytes.toString('base64url') !== text) return null
      const { data } = sealedContents.safeParse(
        JSON.parse(Buffer.from(keyring.open(bytes, context)).toString('utf8')),
      )
      return data ?? null
    } catch {
      return null
    }
  }

  return { seal, open }
}

export type Cursors = ReturnType<typeof createCursors>

const contextOf = ({ grantId, clientId, practice }: CursorHolder): string =>
  JSON.stringify(['fhir cursor', practice.id, practice.datasetId, clientId, grantId])

/** The same message for every cause. */
function refused(): Problem {
  return new Problem('validation', {
    field: cursorParameter,
    fhirIssue: 'value',
    message: 'This link to the next page is invalid or has expired. Start again with the first page.',
  })
}
