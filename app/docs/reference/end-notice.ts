/** What a page of the reference says first about an operation that ends. */
import { type Deprecation, deprecationSentence } from '../../../server/contract/http/deprecation.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { type ReferenceBlock, text } from './reference-page.ts'

/** @param linkTo its successor, as text with a link */
export function endNotice(
  deprecation: Deprecation | undefined,
  linkTo: (successor: string) => string,
): readonly ReferenceBlock[] {
  if (deprecation === undefined) return []
  const { successor } = deprecation
  const sentence = deprecationSentence(deprecation, successor === undefined ? null : linkTo(successor))
  return [text(`${sentence} [How operations end](${paths.versioning}#deprecation).`)]
}
