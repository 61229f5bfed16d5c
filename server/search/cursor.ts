/**
 * Where the next page begins, sealed: no one can read it, change it, or carry it to another practice, data set or
 * grant. It holds the query, so that parameters of a POST never appear in a URL.
 */
import { z } from 'zod'
import { type FhirType, fhirTypeNumbers } from '../contract/fhir/registry.ts'
import { Problem } from '../contract/http/problems.ts'
import type { Keyring } from '../keyring.ts'

/** The only parameter of a `next` link. */
export const cursorParameter = '_cursor'

/** A next link is followed by a program, within minutes. */
const hoursValid = 24

export interface CursorContents {
  /** `Observation`, or `Patient/pt-1/$everything`: what the link may be used for. */
  readonly path: string
  readonly parameters: readonly (readonly [name: string, value: string])[]
  readonly handling: 'strict' | 'lenient'
  readonly position: { readonly sort: string; readonly id: string; readonly type?: FhirType }
  /** Counted for the first page. */
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
  /** @returns a text of letters, digits, `-` and `_`. */
  function seal(contents: CursorContents, holder: CursorHolder): string {
    const expires = clock().getTime() + hoursValid * 3_600_000
    const bytes = Buffer.from(JSON.stringify({ ...contents, expires }), 'utf8')
    return Buffer.from(keyring.seal(bytes, contextOf(holder))).toString('base64url')
  }

  /** @throws Problem `validation` for one that was changed, is another's, of another path, or too old. */
  function open(text: string, path: string, holder: CursorHolder): CursorContents {
    const contents = unseal(text, contextOf(holder))
    if (contents === null || contents.path !== path || contents.expires <= clock().getTime()) throw refused()
    const { expires: _, ...rest } = contents
    return rest as CursorContents
  }

  function unseal(text: string, context: string) {
    try {
      const bytes = Buffer.from(text, 'base64url')
      // Another spelling of the same bytes is not what was given out.
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

/** One sentence for every cause. */
function refused(): Problem {
  return new Problem('validation', {
    field: cursorParameter,
    fhirIssue: 'value',
    message: 'This link to the next page is invalid or has expired. Start again with the first page.',
  })
}
